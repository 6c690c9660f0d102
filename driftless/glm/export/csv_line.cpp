#include "driftless/glm/export/csv_line.hpp"

namespace driftless {

void append_csv_cell(std::string& to, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    to += cell;
    return;
  }
  to += '"';
  for (const char c : cell) {
    if (c == '"') to += '"';
    to += c;
  }
  to += '"';
}

std::string csv_line(std::span<const std::string> cells) {
  std::string line;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (k > 0) line += ',';
    append_csv_cell(line, cells[k]);
  }
  if (line.empty() && !cells.empty()) line = "\"\"";
  return line + "\n";
}

}  // namespace driftless
