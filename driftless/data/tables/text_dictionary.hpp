// The distinct texts of a column with a number for each, in the order in which they occur.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

class TextDictionary {
 public:
  TextDictionary();

  // The number of a text; a new one is checked. `lasting`: the characters stay where they are. CsvFault for a text that
  // is too long or not UTF-8.
  std::int32_t code(std::string_view text, bool lasting);

  const std::vector<std::string_view>& texts() const { return texts_; }

 private:
  std::int32_t add(std::string_view text, bool lasting);
  void grow();
  std::size_t slot_of(std::string_view text) const;

  std::vector<std::int32_t> slots_;  // a power of two of them, at most half of them full; −1: free
  std::vector<std::string_view> texts_;
  std::deque<std::string> own_;  // of texts that do not last
};

}  // namespace driftless
