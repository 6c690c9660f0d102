#include "driftless/pki/key_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <openssl/ec.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, int reason) {
  throw ConfigError({.what = "the certificates cannot be written there",
                     .seen = path.string() + ": " + std::generic_category().message(reason),
                     .advice = "give a folder that can be created or written to, on a disk with free space"});
}

int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

}  // namespace

KeyHandle new_key() { return made<KeyHandle>(EVP_EC_gen("P-256"), "make a key"); }

void write_new_file(const fs::path& path, std::string_view bytes, unsigned mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) fail_to_write(path, errno);
  int reason = write_all(file, bytes);
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0) return;
  ::unlink(path.c_str());
  fail_to_write(path, reason);
}

void make_private_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0) fail_to_write(folder, errno);
}

std::string read_key_file(const fs::path& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & 077U) != 0)
    throw ConfigError({.what = "a private key can be read or changed by other users of this machine",
                       .seen = path.string(),
                       .advice = "run: chmod 600 " + path.string() +
                                 "; if others may have read it, revoke its certificate and have another issued"});
  return read_input_file(path);
}

}  // namespace driftless
