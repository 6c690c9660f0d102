// Columns of very different scale: the conditioning of a linear model grows with the square of their ratio.
#pragma once

#include "driftless/data/dataset.hpp"

#include <optional>
#include <span>
#include <string>

namespace driftless {

struct ColumnScale {
  Index column = 0;    // 1-based, as LIBSVM files have it
  double scale = 0.0;  // the largest absolute value
};

struct ColumnScales {
  ColumnScale largest;
  ColumnScale smallest;

  double ratio() const { return largest.scale / smallest.scale; }
};

// Of all columns that at least a tenth of the rows use; rare columns hardly matter. None where there are fewer than
// two.
std::optional<ColumnScales> column_scales(std::span<const Dataset> sets);

// A hint where scales differ by more than 100 times, with what to do; "" elsewhere.
std::string column_scales_hint(std::span<const Dataset> sets);

}  // namespace driftless
