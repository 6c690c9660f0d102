// The colons of a text, one after the other. Those of the next thousand characters are found in advance and without
// branches, so that where an entry stands is known before the one in front of it has been read.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace driftless {

class ColonFinder {
 public:
  explicit ColonFinder(std::string_view text);
  ColonFinder(const ColonFinder&) = delete;
  ColonFinder& operator=(const ColonFinder&) = delete;

  using Position = const char* const*;

  // The colons found so far that are still to come, ended by a null pointer.
  Position begin() const { return begin_; }
  void forget_before(Position position) { begin_ = position; }
  void forget_before(const char* at);

  // Finds more when all those found are used up. False at the end of the text.
  bool look_on();

 private:
  static constexpr std::ptrdiff_t stretch = 1024;
  static constexpr std::ptrdiff_t group = 4;  // so many are written at once, some of them behind the last

  const char* looked_;  // up to here
  const char* end_;
  std::array<const char*, stretch + group> found_;
  Position begin_ = found_.data();
};

}  // namespace driftless
