#include "driftless/data/column_scales.hpp"

#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

struct ColumnUse {
  std::size_t rows = 0;
  double scale = 0.0;
};

std::string shown(const ColumnScale& column) {
  return "column " + std::to_string(column.column) + " (up to " + number(column.scale) + ")";
}

}  // namespace

std::optional<ColumnScales> column_scales(std::span<const Dataset> sets) {
  std::vector<ColumnUse> columns;
  std::size_t rows = 0;
  for (const Dataset& set : sets) {
    rows += set.rows();
    columns.resize(std::max(columns.size(), static_cast<std::size_t>(set.dim)));
    for (std::size_t k = 0; k < set.nonzeros(); ++k) {
      ColumnUse& use = columns[static_cast<std::size_t>(set.column[k])];
      ++use.rows;
      use.scale = std::max(use.scale, std::abs(set.value[k]));
    }
  }
  std::optional<ColumnScales> found;
  std::size_t counted = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].rows == 0 || 10 * columns[c].rows < rows) continue;
    ++counted;
    const ColumnScale scale{.column = static_cast<Index>(c) + 1, .scale = columns[c].scale};
    if (!found) found = {scale, scale};
    if (scale.scale > found->largest.scale) found->largest = scale;
    if (scale.scale < found->smallest.scale) found->smallest = scale;
  }
  return counted < 2 ? std::nullopt : found;
}

std::string column_scales_hint(std::span<const Dataset> sets) {
  constexpr double much = 100.0;
  const std::optional<ColumnScales> scales = column_scales(sets);
  if (!scales || !(scales->ratio() > much)) return "";
  return "the columns have very different scales: " + shown(scales->largest) + " and " + shown(scales->smallest) +
         "; divide each column by its largest value or its deviation, the same way for all clients, or methods that "
         "follow gradients will be slow";
}

}  // namespace driftless
