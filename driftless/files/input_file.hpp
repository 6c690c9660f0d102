// Whole files in memory. Files compressed with zstd or gzip are recognised by their first bytes and decompressed.
#pragma once

#include "driftless/files/mapped_file.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

// DataError if the file is missing, a folder, unreadable, truncated, damaged, or compressed in another format.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);

  bool packed() const;
  std::string_view stored() const;  // as it is on the disk; valid as long as this object
  std::string_view plain();         // decompressed on first use; the stored bytes where they are not compressed

 private:
  friend std::string read_input_file(const std::filesystem::path& path);

  std::string unpacked() const;

  std::filesystem::path path_;
  MappedFile mapped_;
  std::string read_;  // the content of a file that cannot be mapped
  std::string plain_;
};

std::string read_input_file(const std::filesystem::path& path);  // the plain bytes

}  // namespace driftless
