// Lines of CSV (RFC 4180) to write.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace driftless {

// In quotes where it contains a comma, a quote or a line break.
void append_csv_cell(std::string& to, std::string_view cell);

// With its end of line. A single empty cell is in quotes: the line would be blank otherwise.
std::string csv_line(std::span<const std::string> cells);

}  // namespace driftless
