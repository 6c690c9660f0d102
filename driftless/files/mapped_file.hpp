// A regular file in memory without a copy: its pages are those that the system keeps of it anyway. As with every
// mapping, a file that is cut short by somebody else while it is read raises SIGBUS; `mapped_file_at` lets a handler
// tell which file that was. Replacing a file by renaming, as output_file.hpp does, is harmless.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

class MappedFile {
 public:
  // Empty where there is nothing to map: no regular file, none that may be read, or one without a size.
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

// The path of the mapped file that holds this address; null where none does. A signal handler may call it. Beyond 256
// files at a time it does not know all of them.
const char* mapped_file_at(const void* address) noexcept;

}  // namespace driftless
