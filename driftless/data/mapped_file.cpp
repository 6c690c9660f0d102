#include "driftless/data/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace driftless {

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Opening a pipe would wait for somebody who writes to it, so its kind is asked for first.
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
    }
  }
  ::close(file);
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) ::munmap(const_cast<char*>(start_), size_);
}

}  // namespace driftless
