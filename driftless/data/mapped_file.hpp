// A regular file in memory without a copy: its pages are those that the system keeps of it anyway. As with every
// mapping, a file that is cut short by somebody else while it is read ends the program; replacing it by renaming, as
// output_file.hpp does, is harmless.
#pragma once

#include <cstddef>
#include <filesystem>
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
  const char* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace driftless
