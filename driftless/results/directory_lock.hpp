// Keeps two processes out of one run directory. The lock goes with the process that holds it, however it ends, and
// leaves no file.
#pragma once

#include <filesystem>

namespace driftless {

class DirectoryLock {
 public:
  // ConfigError where another process holds it. A file system without locks is used without.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int folder_;
};

}  // namespace driftless
