#include "driftless/tuning/trials_file.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace driftless {

TrialsFile::TrialsFile(std::filesystem::path path, const std::string& header) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw ConfigError({.what = "another search is writing to this file",
                         .seen = path_.string(),
                         .advice = "wait until it has ended, or give another folder with --out"});
    read_back(header);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

TrialsFile::~TrialsFile() { ::close(file_); }

void TrialsFile::append(const std::string& line) { write(line + "\n"); }

void TrialsFile::read_back(const std::string& header) {
  const std::string text = read_input_file(path_);
  const std::size_t whole = text.rfind('\n') + 1;  // 0 where no line ends
  if (whole < text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0) fail(errno);
  if (whole == 0) return write(header + "\n");
  for (std::size_t at = 0; at < whole;) {
    const std::size_t end = text.find('\n', at);
    found_.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (found_.front() != header)
    throw DataError({.what = "the file is not that of this search",
                     .seen = path_.string() + ":1: " + found_.front(),
                     .advice = "give another folder with --out"});
  found_.erase(found_.begin());
}

void TrialsFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno != EINTR) fail(errno);
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void TrialsFile::fail(int error) const {
  throw DataError({.what = "the trials cannot be written",
                   .seen = path_.string() + ": " + std::generic_category().message(error),
                   .advice = "make sure that the folder can be written to and the disk has free space"});
}

}  // namespace driftless
