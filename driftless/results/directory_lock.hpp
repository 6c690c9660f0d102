// Keeps two processes from using the same run directory. The lock ends with the process that holds it, however that
// ends, and leaves no file.
#pragma once

#include <filesystem>

namespace driftless {

class DirectoryLock {
 public:
  // ConfigError where another process holds it. Without effect on file systems without locks.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int folder_;
};

}  // namespace driftless
