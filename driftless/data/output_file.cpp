#include "driftless/data/output_file.hpp"

#include "driftless/core/error.hpp"

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace driftless {

void write_output_file(const std::filesystem::path& path, std::string_view bytes) {
  // The process id keeps two programs that write the same file apart.
  std::filesystem::path draft = path;
  draft += ".part-" + std::to_string(::getpid());
  errno = 0;
  std::ofstream file(draft, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file.fail()) error.assign(errno != 0 ? errno : EIO, std::generic_category());
  else std::filesystem::rename(draft, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(draft, ignored);
  throw DataError({.what = "the file cannot be written",
                   .seen = path.string() + ": " + error.message(),
                   .advice = "make sure that its folder exists, may be written to and has room"});
}

}  // namespace driftless
