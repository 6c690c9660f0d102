#include "driftless/data/column_count.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>

namespace driftless {

void require_equal_columns(std::span<const ColumnCount> counts) {
  const auto [fewest, most] = std::ranges::minmax_element(counts, {}, &ColumnCount::columns);
  if (counts.empty() || fewest->columns == most->columns) return;
  throw DataError(
      {.what = "not all data have the same number of columns",
       .seen = fewest->owner + ": " + std::to_string(fewest->columns) + ", " + most->owner + ": " +
               std::to_string(most->columns),
       .advice = "encode the columns in the same way everywhere; if they are, and the last columns are empty "
                 "in some data, give problem.dim = " +
                 std::to_string(most->columns)});
}

}  // namespace driftless
