// Whole files in memory. Files packed with zstd or gzip are unpacked on the way, recognised by their first bytes.
#pragma once

#include "driftless/files/mapped_file.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace driftless {

// DataError if the file is missing, a folder, unreadable, cut short, damaged, or packed in a way not read here.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path path);

  bool packed() const;
  std::string_view stored() const;  // as it is on the disk; valid as long as this object
  std::string_view plain();         // unpacked, once; the stored bytes where they are not packed

 private:
  friend std::string read_input_file(const std::filesystem::path& path);

  std::string unpacked() const;

  std::filesystem::path path_;
  MappedFile mapped_;
  std::string read_;  // what could not be mapped
  std::string plain_;
};

std::string read_input_file(const std::filesystem::path& path);  // the plain bytes

}  // namespace driftless
