// Rows with given labels and one feature each, for tests that care about labels only.
#pragma once

#include "driftless/data/dataset.hpp"
#include "driftless/data/rows_digest.hpp"

#include <vector>

namespace driftless {

inline Dataset rows_with_labels(std::vector<double> labels) {
  Dataset data;
  data.name = "small";
  data.dim = 1;
  data.row_start.push_back(0);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    data.column.push_back(0);
    data.value.push_back(static_cast<double>(row + 1));
    data.row_start.push_back(static_cast<std::int64_t>(row + 1));
  }
  data.label = std::move(labels);
  data.digest = digest_of_rows(data);
  return data;
}

// Classes 0 … classes − 1 in turn.
inline Dataset rows_of_classes(std::size_t rows, std::size_t classes) {
  std::vector<double> labels;
  for (std::size_t row = 0; row < rows; ++row) labels.push_back(static_cast<double>(row % classes));
  return rows_with_labels(std::move(labels));
}

}  // namespace driftless
