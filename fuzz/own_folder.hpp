// A folder of this process, removed at its end, for targets that read files.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace driftless::fuzz {

class OwnFolder {
 public:
  OwnFolder() { std::filesystem::create_directories(path_); }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("driftless-fuzz-" + std::to_string(::getpid()));
};

}  // namespace driftless::fuzz
