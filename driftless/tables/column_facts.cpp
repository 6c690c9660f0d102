#include "driftless/tables/column_facts.hpp"

#include "driftless/data/tables/csv_number.hpp"
#include "driftless/data/tables/csv_reader.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

bool is_number(const std::string& text, char point, double& value) {
  return read_csv_number(text, point, value) == CsvNumberEnd::finite;
}

ColumnFacts& facts_of(TableFacts& table, const std::string& name) {
  const auto known = std::ranges::find(table.columns, name, &ColumnFacts::name);
  return known != table.columns.end() ? *known : table.columns.emplace_back(ColumnFacts{.name = name});
}

}  // namespace

void ColumnFacts::add(const TableColumn& column, const CsvFormat& format) {
  const auto empty = static_cast<std::size_t>(std::ranges::count(column.code, TableColumn::missing_code));
  missing += empty;
  present += column.code.size() - empty;
  repeated |= column.texts.size() < column.code.size() - empty;
  for (const std::string& text : column.texts) {
    double value = 0.0;
    const bool number = is_number(text, format.decimal_comma ? ',' : '.', value);
    numbers &= number;
    comma_numbers = comma_numbers && is_number(text, ',', value);
    whole &= value == std::floor(value);
    if (number) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
    longest = std::max(longest, text.size());
    if (texts.contains(text)) repeated = true;
    else if (texts.size() < most_texts) texts.insert(text);
    else all_texts = false;
  }
}

void TableFacts::add(const std::filesystem::path& file, const CsvFormat& format) {
  std::vector<ColumnRequest> requests;
  for (const std::string& name : read_csv_header(file, format)) {
    requests.push_back({.name = name, .type = CellType::text});
    ++facts_of(*this, name).files;
  }
  ++files;
  CsvStream stream(file, requests, format);
  for (Table chunk; stream.next(chunk);) {
    rows += chunk.rows;
    for (const TableColumn& column : chunk.columns) facts_of(*this, column.name).add(column, format);
  }
}

}  // namespace driftless
