// CSV text in chunks of equal size whose rows can be read at the same time. Whether a line break ends a row depends on
// the number of quotes before it, so all of them are counted first.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace driftless {

// Line breaks of a chunk, if it begins outside of quotes; the other way round if it begins inside of them.
struct LineBreaks {
  std::size_t outside = 0;
  std::size_t inside = 0;
  bool ends_inside = false;

  std::size_t all() const { return outside + inside; }
};

LineBreaks count_line_breaks(std::string_view text);

// Behind the next line break outside of quotes, or null if there is none.
const char* next_row(const char* at, const char* end, bool inside_quotes);

// The rows that begin in a chunk: behind the line breaks in it, and at the start of the first one.
struct CsvChunk {
  std::string_view text;
  bool inside_quotes = false;  // at its start
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t lines_before = 0;     // line breaks before it
  const char* zero_byte = nullptr;  // the first one in it
};

std::vector<CsvChunk> divide_csv(std::string_view rows, std::size_t chunk_bytes, std::size_t threads);

}  // namespace driftless
