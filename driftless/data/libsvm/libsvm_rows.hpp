// Rows of LIBSVM text, read from a chunk whose position in the file need not be known yet.
#pragma once

#include "driftless/core/vector.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

inline constexpr std::int64_t largest_libsvm_index = std::numeric_limits<std::int32_t>::max() - 1;

// What is wrong with a token. The token is part of the text.
struct MalformedToken {
  std::string what;
  std::string_view token;
  std::string advice;
};

class LibsvmRows {
 public:
  void clear(std::size_t bytes);  // empty again, with room for the entries of so many bytes of text

  void add_entry(std::int64_t index, double number) {
    column[entries] = static_cast<std::int32_t>(index - 1);
    value[entries] = number;
    ++entries;
  }
  void end_row(double label, std::int64_t last_index) {
    row.push_back({label, lines, entries});
    largest_index = std::max(largest_index, last_index);
  }

  struct Row {
    double label;
    std::size_t line;  // the piece starts with line 1
    std::size_t end;   // in column and value
  };

  std::vector<Row> row;
  std::vector<std::int32_t> column;  // the first `entries` count
  std::vector<double> value;
  std::size_t entries = 0;
  std::size_t explicit_zeros = 0;
  std::int64_t largest_index = 0;
  std::size_t lines = 0;
};

// Fills `rows` with those of a piece of whole lines. The text around it may be looked at too. MalformedToken if a line
// is malformed; it is line number `rows.lines`.
void read_libsvm_rows(std::string_view piece, std::string_view text, std::int64_t largest_index, LibsvmRows& rows);

// The same for one line without its end, for every spelling the format allows, and with a message for all others.
void read_libsvm_line(std::string_view line, std::int64_t largest_index, LibsvmRows& rows);

}  // namespace driftless
