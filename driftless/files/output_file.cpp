#include "driftless/files/output_file.hpp"

#include "driftless/core/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace driftless {
namespace {

constexpr const char* draft_mark = ".part-";  // before the process id

std::error_code last_error() { return {errno != 0 ? errno : EIO, std::generic_category()}; }

std::error_code synced(const std::filesystem::path& path) {
  errno = 0;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return last_error();
  // EINVAL: the file system does not support it.
  const std::error_code error = ::fsync(file) == 0 || errno == EINVAL ? std::error_code() : last_error();
  ::close(file);
  return error;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::error_code& error) {
  throw DataError(
      {.what = "the file cannot be written",
       .seen = path.string() + ": " + error.message(),
       .advice = "make sure that its folder exists and can be written to, and that the disk has free space"});
}

}  // namespace

bool is_draft(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return is_draft_of(path, std::string_view(name).substr(0, name.rfind(draft_mark)));
}

bool is_draft_of(const std::filesystem::path& path, std::string_view name) {
  const std::string draft = path.filename().string();
  const std::string start = std::string(name) + draft_mark;
  return draft.starts_with(start) && draft.size() > start.size() &&
         draft.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

void sync_to_disk(const std::filesystem::path& path) {
  if (const std::error_code error = synced(path)) fail(path, error);
}

void sync_folder(const std::filesystem::path& folder) {
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_regular_file()) sync_to_disk(entry.path());
  if (error) fail(folder, error);
  sync_to_disk(folder);
}

void write_output_file(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
  // The process id keeps apart two programs that write the same file.
  std::filesystem::path draft = path;
  draft += draft_mark + std::to_string(::getpid());
  errno = 0;
  std::ofstream file(draft, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file.fail()) error = last_error();
  else if (durability == Durability::synced) error = synced(draft);
  if (!error) std::filesystem::rename(draft, path, error);
  if (!error) {
    if (durability == Durability::synced) sync_to_disk(path.has_parent_path() ? path.parent_path() : ".");
    return;
  }
  std::error_code ignored;
  std::filesystem::remove(draft, ignored);
  fail(path, error);
}

}  // namespace driftless
