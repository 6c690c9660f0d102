// A regular file mapped into memory without a copy. As with every mapping, a file that another process truncates while
// it is read raises SIGBUS; `mapped_file_at` tells a signal handler which file that was. Replacing a file by renaming,
// as output_file.hpp does, is harmless.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

class MappedFile {
 public:
  // Empty where the file cannot be mapped: it is not a regular file, not readable or empty.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {start_, size_}; }

 private:
  std::string name_;  // the table of mapped files points to it
  const char* start_ = nullptr;
  std::size_t size_ = 0;
};

// The path of the mapped file that contains this address; null where none does. Safe to call from a signal handler.
// With more than 256 files at a time some are unknown.
const char* mapped_file_at(const void* address) noexcept;

}  // namespace driftless
