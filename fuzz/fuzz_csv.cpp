// CSV text. The first byte chooses the format and how the text is cut; the second and third columns are read as
// numbers, the others as text. What is accepted, and the error otherwise, does not depend on chunks and threads.
#include "driftless/data/tables/csv_layout.hpp"
#include "driftless/data/tables/csv_text.hpp"

#include "fuzz/input.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace driftless::fuzz {
namespace {

struct Reading {
  std::string error;  // empty: there is a table
  Table table;
};

CsvFormat format_of(unsigned choice) {
  CsvFormat format;
  format.decimal_comma = (choice & 1U) != 0;
  if ((choice & 2U) != 0) format.delimiter = ";";
  if ((choice & 4U) != 0) format.missing.emplace_back("-99");
  return format;
}

Reading read(std::string_view text, const CsvFormat& format, const CsvPlan& plan) {
  try {
    std::vector<ColumnRequest> requests;
    for (const CsvLayout::Column& column : read_csv_layout(text, "input", format).columns) {
      const bool number = requests.size() == 1 || requests.size() == 2;
      requests.push_back({.name = column.name, .type = number ? CellType::number : CellType::text});
    }
    return {.error = {}, .table = parse_csv(text, "input", requests, format, plan)};
  } catch (const DataError& error) { return {.error = error.what(), .table = {}}; }
}

void check_column(const TableColumn& column, std::size_t rows) {
  const bool numbers = column.type == CellType::number;
  require(column.number.size() == (numbers ? rows : 0));
  require(column.code.size() == (numbers ? 0 : rows));
  require(std::ranges::none_of(column.number, [](double value) { return std::isinf(value); }));
  require(std::ranges::is_sorted(column.texts));
  const auto levels = static_cast<std::int32_t>(column.texts.size());
  require(std::ranges::all_of(column.code, [&](std::int32_t code) { return code >= -1 && code < levels; }));
}

bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

void check_equal(const Reading& left, const Reading& right) {
  require(left.error == right.error);
  require(left.table.rows == right.table.rows && left.table.columns.size() == right.table.columns.size());
  for (std::size_t k = 0; k < left.table.columns.size(); ++k) {
    const TableColumn& a = left.table.columns[k];
    const TableColumn& b = right.table.columns[k];
    require(a.texts == b.texts && a.code == b.code && std::ranges::equal(a.number, b.number, same_bits));
  }
}

}  // namespace
}  // namespace driftless::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace driftless;
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  const unsigned choice = data[0];
  const fuzz::Reading whole = fuzz::read(text, fuzz::format_of(choice), {.chunk_bytes = text.size() + 1, .threads = 1});
  for (const TableColumn& column : whole.table.columns) fuzz::check_column(column, whole.table.rows);
  const std::size_t chunk_bytes = 1 + (choice >> 3);
  fuzz::check_equal(whole, fuzz::read(text, fuzz::format_of(choice), {.chunk_bytes = chunk_bytes, .threads = 1}));
  if (choice % 16 == 0)
    fuzz::check_equal(whole, fuzz::read(text, fuzz::format_of(choice), {.chunk_bytes = chunk_bytes, .threads = 3}));
  return 0;
}
