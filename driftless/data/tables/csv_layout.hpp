// What the header of CSV text says: the delimiter, the columns, and which of them are asked for.
#pragma once

#include "driftless/data/tables/column_request.hpp"
#include "driftless/data/tables/csv_format.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class CsvUse { skipped, number, text };

struct CsvLayout {
  struct Column {
    std::string name;
    CsvUse use = CsvUse::skipped;
    std::size_t target = 0;  // index in `found`
  };

  std::string name;             // of the text, for messages
  std::vector<Column> columns;  // of the text, in its order
  std::vector<ColumnRequest> found;
  char delimiter = ',';
  char point = '.';
  std::vector<std::string> missing;
  std::vector<double> missing_numbers;  // those of `missing` that are numbers
  std::string_view rows;                // the text behind the header, without the line ends at its end
  std::size_t first_line = 0;           // of `rows`
};

// The layout with no column asked for. DataError for a header that is not one; ConfigError for a format that is not
// possible.
CsvLayout read_csv_layout(std::string_view text, std::string name, const CsvFormat& format);

// DataError where a required column is not there, and where the table has no rows.
void request_columns(CsvLayout& layout, std::span<const ColumnRequest> requests);

// Without the line end behind it, if there is one.
std::string_view without_line_end(std::string_view text);

}  // namespace driftless
