// One cell of CSV text: every allowed spelling, and a message for all others.
#pragma once

#include "driftless/data/tables/csv_fault.hpp"

#include <string>
#include <string_view>

namespace driftless {

inline constexpr std::size_t most_cell_bytes = std::size_t{1} << 20;

struct CsvCell {
  std::string_view text;      // without its quotes, or else without the blanks around it
  const char* end = nullptr;  // at the delimiter, at the line end or at the end of the text
};

// Blanks around quotes are no part of a cell. A cell with doubled quotes is composed in `room`. CsvFault for a quote
// that is not closed, for text around quotes, a lone carriage return and a cell of more than `most_cell_bytes`.
CsvCell read_csv_cell(const char* at, const char* end, char delimiter, std::string& room);

void check_cell_size(std::string_view cell);  // the same CsvFault

// The text without the blanks around it.
std::string_view without_blanks(std::string_view text, char delimiter);

}  // namespace driftless
