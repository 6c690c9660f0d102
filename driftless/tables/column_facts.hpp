// What can be said of a column whose meaning is not known yet, in memory that does not grow with the rows.
#pragma once

#include "driftless/data/tables/csv_format.hpp"
#include "driftless/data/tables/table.hpp"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

namespace driftless {

struct ColumnFacts {
  static constexpr std::size_t most_texts = 20'000;  // more distinct ones are not kept

  std::string name;
  std::size_t files = 0;  // that have it
  std::size_t present = 0;
  std::size_t missing = 0;
  std::unordered_set<std::string> texts;
  bool all_texts = true;      // none had to be left out of `texts`
  bool repeated = false;      // a text occurs twice
  bool numbers = true;        // all texts are
  bool comma_numbers = true;  // all texts are, with a decimal comma
  bool whole = true;          // the numbers are
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  std::size_t longest = 0;  // bytes of a text

  void add(const TableColumn& column, const CsvFormat& format);
};

struct TableFacts {
  std::size_t files = 0;
  std::size_t rows = 0;
  std::vector<ColumnFacts> columns;  // of all files, in the order of the first that has them

  void add(const std::filesystem::path& file, const CsvFormat& format);
};

}  // namespace driftless
