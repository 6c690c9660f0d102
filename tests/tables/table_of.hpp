// Small tables for tests, written as columns.
#pragma once

#include "driftless/tables/preparation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace driftless {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

inline TableColumn number_column(std::string name, std::vector<double> cells) {
  TableColumn column;
  column.name = std::move(name);
  column.type = CellType::number;
  column.number = std::move(cells);
  return column;
}

// An empty text is a missing cell.
inline TableColumn text_column(std::string name, const std::vector<std::string>& cells) {
  TableColumn column;
  column.name = std::move(name);
  column.type = CellType::text;
  for (const std::string& cell : cells)
    if (!cell.empty()) column.texts.push_back(cell);
  std::ranges::sort(column.texts);
  column.texts.erase(std::unique(column.texts.begin(), column.texts.end()), column.texts.end());
  for (const std::string& cell : cells)
    column.code.push_back(
        cell.empty() ? TableColumn::missing_code
                     : static_cast<std::int32_t>(std::ranges::lower_bound(column.texts, cell) - column.texts.begin()));
  return column;
}

inline Table table_of(std::vector<TableColumn> columns) {
  Table table;
  table.name = "a table";
  table.rows = std::max(columns.front().number.size(), columns.front().code.size());
  table.columns = std::move(columns);
  return table;
}

inline ClientTable all_rows_of(const Table& table) {
  ClientTable client{.table = &table, .rows = std::vector<std::uint32_t>(table.rows)};
  std::iota(client.rows.begin(), client.rows.end(), 0U);
  return client;
}

inline SchemaColumn schema_column(std::string name, ColumnRole role, std::vector<std::string> levels = {},
                                  MissingRule missing = MissingRule::impute) {
  return {.name = std::move(name), .role = role, .levels = std::move(levels), .missing = missing};
}

}  // namespace driftless
