// The columns of a table that were asked for, as read from CSV text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class CellType {
  number,  // cells are finite numbers
  text     // cells are any text
};

// One column: numbers, or codes into the list of its distinct texts.
struct TableColumn {
  static constexpr std::int32_t missing_code = -1;

  std::string name;
  CellType type = CellType::number;
  std::vector<double> number;      // NaN: missing
  std::vector<std::int32_t> code;  // of text; missing_code: missing
  std::vector<std::string> texts;  // distinct texts in the order of their bytes; codes are their indices
};

struct Table {
  std::string name;    // for messages: the path
  std::string digest;  // sha256 of the plain file; empty for a chunk of a stream
  std::size_t rows = 0;
  std::size_t first_line = 0;  // line of the first row, for messages; rows may span several lines
  std::vector<TableColumn> columns;

  // Null where the table has no such column.
  const TableColumn* find(std::string_view column) const {
    for (const TableColumn& one : columns)
      if (one.name == column) return &one;
    return nullptr;
  }
};

}  // namespace driftless
