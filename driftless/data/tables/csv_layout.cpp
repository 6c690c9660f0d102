#include "driftless/data/tables/csv_layout.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/data/tables/csv_cell.hpp"
#include "driftless/data/tables/csv_number.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace driftless {
namespace {

constexpr std::string_view usual_delimiters = ",;\t";

void check_delimiter(const CsvFormat& format) {
  const std::string& given = format.delimiter;
  if (given.empty()) return;
  const char c = given.front();
  const bool plain = (c > ' ' && c <= '~') || c == '\t';
  const bool in_numbers = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (given.size() != 1 || !plain || in_numbers || letter || c == '"')
    throw ConfigError({.what = "this cannot be the delimiter of a table",
                       .seen = "delimiter = '" + printable(given, 20) + "'",
                       .advice = "give one character such as a comma, a semicolon, a tab or a vertical bar"});
  if (format.decimal_comma && c == ',')
    throw ConfigError({.what = "a comma cannot separate both cells and decimals",
                       .seen = "delimiter = ',' with decimal_comma = true",
                       .advice = "give another delimiter; tables with decimal commas mostly have semicolons"});
}

void check_encoding(std::string_view text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw DataError({.what = "the table is UTF-16 text",
                     .seen = name + ":1",
                     .advice = "save it as UTF-8, for example by: iconv -f UTF-16 -t UTF-8"});
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw DataError({.what = "the table is empty", .seen = name, .advice = "give a file with a header and rows"});
}

// How often a character stands in the first line, outside of quotes.
std::size_t count_in_header(std::string_view text, char wanted) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    count += static_cast<std::size_t>(c == wanted);
  }
  return count;
}

char find_delimiter(std::string_view text, const CsvFormat& format) {
  if (!format.delimiter.empty()) return format.delimiter.front();
  char best = format.decimal_comma ? ';' : ',';
  for (const char c : usual_delimiters) {
    if (c == ',' && format.decimal_comma) continue;
    if (count_in_header(text, c) > count_in_header(text, best)) best = c;
  }
  return best;
}

// The names of the header; returns where its line ends.
const char* read_names(std::string_view text, CsvLayout& layout) {
  const char* const end = text.data() + text.size();
  std::string room;
  for (const char* at = text.data();; ++at) {
    const CsvCell cell = read_csv_cell(at, end, layout.delimiter, room);
    layout.columns.push_back({.name = std::string(cell.text)});
    at = cell.end;
    if (at == end || *at != layout.delimiter) return at;
  }
}

[[noreturn]] void fail_in_header(const CsvLayout& layout, std::string what, std::size_t column, std::string advice) {
  const std::string name = printable(layout.columns[column].name, 60);
  throw DataError({.what = std::move(what),
                   .seen = layout.name + ":1: column " + std::to_string(column + 1) + ": '" + name + "'",
                   .advice = std::move(advice)});
}

void check_names(const CsvLayout& layout) {
  std::unordered_set<std::string_view> names;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    const std::string& name = layout.columns[c].name;
    if (name.empty())
      fail_in_header(layout, "a column has no name", c,
                     "name it, or leave it out (R writes row names there unless row.names = FALSE)");
    if (name.find('\0') != std::string::npos)
      fail_in_header(layout, "the name of a column has a NUL byte", c, "save the table as UTF-8 text");
    if (!is_utf8(name))
      fail_in_header(layout, "the name of a column is not UTF-8 text", c,
                     "save the table as UTF-8, for example by: iconv -f WINDOWS-1252 -t UTF-8");
    if (!names.insert(name).second) fail_in_header(layout, "two columns have the same name", c, "rename one of them");
  }
}

void check_one_column(std::string_view header, const CsvLayout& layout) {
  if (layout.columns.size() > 1) return;
  const std::size_t other = layout.columns.front().name.find_first_of(",;\t|");
  if (other == std::string::npos || header.find('"') != std::string_view::npos) return;
  const std::string delimiter(1, layout.delimiter);
  throw DataError({.what = "the header does not have the delimiter '" + printable(delimiter) + "'",
                   .seen = layout.name + ":1: '" + printable(layout.columns.front().name, 60) + "'",
                   .advice = "set the delimiter of the format to '" +
                             printable(layout.columns.front().name.substr(other, 1)) + "'"});
}

void find_missing_numbers(CsvLayout& layout) {
  for (const std::string& text : layout.missing) {
    double value = 0.0;
    if (read_csv_number(text, layout.point, value) == CsvNumberEnd::finite) layout.missing_numbers.push_back(value);
  }
}

[[noreturn]] void fail_without(const std::string& wanted, const CsvLayout& layout) {
  std::vector<std::string> names;
  for (const CsvLayout::Column& column : layout.columns) names.push_back(column.name);
  const std::string near = nearest(wanted, names);
  constexpr std::size_t most = 400;
  throw DataError({.what = "the table has no column '" + printable(wanted, 60) + "'",
                   .seen = layout.name + ":1",
                   .advice = (near.empty() ? "" : "did you mean '" + printable(near, 60) + "'? ") +
                             "its columns: " + printable(join(names), most)});
}

}  // namespace

std::string_view without_line_end(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

CsvLayout read_csv_layout(std::string_view text, std::string name, const CsvFormat& format) {
  check_delimiter(format);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  check_encoding(text, name);
  CsvLayout layout{.name = std::move(name),
                   .delimiter = find_delimiter(text, format),
                   .point = format.decimal_comma ? ',' : '.',
                   .missing = format.missing};
  while (text.ends_with('\n')) text = without_line_end(text);
  const char* behind = nullptr;
  try {
    behind = read_names(text, layout);
  } catch (const CsvFault& fault) { throw_csv_fault(fault, layout.name, 1); }
  const std::string_view header(text.data(), behind);
  check_one_column(header, layout);
  check_names(layout);
  find_missing_numbers(layout);
  layout.first_line = 2 + static_cast<std::size_t>(std::ranges::count(header, '\n'));
  layout.rows = text.substr(header.size());
  layout.rows.remove_prefix(std::min<std::size_t>(layout.rows.size(), layout.rows.starts_with('\r') ? 2 : 1));
  return layout;
}

void request_columns(CsvLayout& layout, std::span<const ColumnRequest> requests) {
  std::unordered_map<std::string_view, CsvLayout::Column*> by_name;
  for (CsvLayout::Column& column : layout.columns) by_name.emplace(column.name, &column);
  for (const ColumnRequest& request : requests) {
    const auto entry = by_name.find(request.name);
    if (entry == by_name.end()) {
      if (request.required) fail_without(request.name, layout);
      continue;
    }
    CsvLayout::Column& column = *entry->second;
    DRIFTLESS_ASSERT(column.use == CsvUse::skipped, "a column was requested twice");
    column.use = request.type == CellType::number ? CsvUse::number : CsvUse::text;
    column.target = layout.found.size();
    layout.found.push_back(request);
  }
  if (layout.rows.empty())
    throw DataError({.what = "the table has a header and no rows",
                     .seen = layout.name + ":" + std::to_string(layout.first_line),
                     .advice = "give a file with at least one row"});
}

}  // namespace driftless
