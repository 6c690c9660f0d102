// trials.csv while a search runs: a line per finished trial, handed to the system at once, so that a search that is
// killed finds it again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

class TrialsFile {
 public:
  // Made if it is not there. A last line that was cut short is dropped. ConfigError where another search writes it now;
  // DataError if it cannot be written or begins with another header.
  TrialsFile(std::filesystem::path path, const std::string& header);
  ~TrialsFile();
  TrialsFile(const TrialsFile&) = delete;
  TrialsFile& operator=(const TrialsFile&) = delete;

  const std::vector<std::string>& found() const { return found_; }  // the lines that were there, without the header
  void append(const std::string& line);

 private:
  void read_back(const std::string& header);
  void write(std::string_view text);
  [[noreturn]] void fail(int error) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::vector<std::string> found_;
};

}  // namespace driftless
