#include "driftless/files/mapped_file.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace driftless {
namespace {

// One mapped file. A signal handler may interrupt anything here, so there is no lock: `start` is written last and
// cleared first, and a reader that finds the same start before and after the other two has read one file consistently.
struct Entry {
  std::atomic<bool> taken = false;
  std::atomic<std::uintptr_t> start = 0;  // 0: no file
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<const char*> name = nullptr;
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

constinit std::array<Entry, 256> mapped_files;

void remember(const char* start, std::size_t size, const char* name) {
  for (Entry& entry : mapped_files) {
    if (entry.taken.exchange(true)) continue;
    entry.name = name;
    entry.end = reinterpret_cast<std::uintptr_t>(start) + size;
    entry.start = reinterpret_cast<std::uintptr_t>(start);
    return;
  }
}

void forget(const char* start) {
  for (Entry& entry : mapped_files) {
    if (entry.start != reinterpret_cast<std::uintptr_t>(start)) continue;
    entry.start = 0;
    entry.taken = false;
    return;
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : name_(path.string()) {
  // Opening a pipe would block until another process writes to it, so the kind of the file is checked first.
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat facts{};
  if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start != MAP_FAILED) {
      start_ = static_cast<const char*>(start);
      size_ = size;
      remember(start_, size_, name_.c_str());
    }
  }
  ::close(file);
}

MappedFile::~MappedFile() {
  if (start_ == nullptr) return;
  forget(start_);
  ::munmap(const_cast<char*>(start_), size_);
}

const char* mapped_file_at(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Entry& entry : mapped_files) {
    const std::uintptr_t start = entry.start;
    const std::uintptr_t end = entry.end;
    const char* name = entry.name;
    if (start != 0 && start <= at && at < end && entry.start == start) return name;
  }
  return nullptr;
}

}  // namespace driftless
