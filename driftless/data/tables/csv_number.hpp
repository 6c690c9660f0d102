// Numbers in the cells of tables.
#pragma once

#include <string_view>

namespace driftless {

enum class CsvNumberEnd {
  finite,
  not_a_number,
  infinite,     // or NaN
  out_of_range  // of double precision
};

// The whole text must be the number; `point` separates its fraction. Rounded to the nearest double.
CsvNumberEnd read_csv_number(std::string_view text, char point, double& out);

}  // namespace driftless
