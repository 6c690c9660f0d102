#include "driftless/files/output_file.hpp"

#include "driftless/core/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

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

// The process id keeps apart two programs that write the same file.
OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), draft_(path_.string() + draft_mark + std::to_string(::getpid())) {
  errno = 0;
  file_.open(draft_, std::ios::binary | std::ios::trunc);
  if (file_.fail()) fail(path_, last_error());
}

OutputFile::~OutputFile() {
  if (finished_) return;
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(draft_, ignored);
}

void OutputFile::write(std::string_view bytes) {
  errno = 0;
  if (!file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) fail(path_, last_error());
}

void OutputFile::finish(Durability durability) {
  errno = 0;
  file_.close();
  std::error_code error;
  if (file_.fail()) error = last_error();
  else if (durability == Durability::synced) error = synced(draft_);
  if (!error) std::filesystem::rename(draft_, path_, error);
  if (error) fail(path_, error);
  finished_ = true;
  if (durability == Durability::synced) sync_to_disk(path_.has_parent_path() ? path_.parent_path() : ".");
}

void write_output_file(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
  OutputFile file(path);
  file.write(bytes);
  file.finish(durability);
}

}  // namespace driftless
