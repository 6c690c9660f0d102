#include "driftless/results/directory_lock.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace driftless {

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : folder_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (::flock(folder_, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) {
    log_warning("the run directory cannot be locked here: see to it that no other process works in it");
    return;
  }
  ::close(folder_);
  throw ConfigError({.what = "another process uses this run directory",
                     .seen = directory.string(),
                     .advice = "wait until it has ended, or end it first"});
}

DirectoryLock::~DirectoryLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace driftless
