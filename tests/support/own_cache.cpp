// Linked into tests that solve for optima: what they keep goes into a folder of their own, never into the user's cache.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace {

struct OwnCache {
  OwnCache() { ::setenv("DRIFTLESS_CACHE", folder.c_str(), 1); }
  ~OwnCache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("driftless-test-cache-" + std::to_string(::getpid()));
};

const OwnCache own_cache;

}  // namespace
