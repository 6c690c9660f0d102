// trials.csv of a search under way: one line per finished trial, written at once, so that a search that was killed
// finds it again.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

class TrialsFile {
 public:
  // Created if it does not exist. An incomplete last line is dropped. ConfigError where another search is writing to
  // it; DataError if it cannot be written or has another header.
  TrialsFile(std::filesystem::path path, const std::string& header);
  ~TrialsFile();
  TrialsFile(const TrialsFile&) = delete;
  TrialsFile& operator=(const TrialsFile&) = delete;

  const std::vector<std::string>& found() const { return found_; }  // the existing lines, without the header
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
