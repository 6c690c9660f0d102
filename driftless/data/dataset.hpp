// Labelled rows, sparse, as read from a file or generated. Immutable once made; clients refer to rows by index.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/data/labelled_rows.hpp"

#include <cstdint>
#include <vector>

namespace driftless {

struct Dataset : LabelledRows {
  Index dim = 0;                        // number of columns
  std::vector<std::int64_t> row_start;  // rows() + 1 offsets into column and value
  std::vector<std::int32_t> column;     // 0-based, rising inside a row
  std::vector<double> value;
  std::vector<double> label_values;   // the distinct labels as written, before any mapping, rising; see LabelTable
  bool label_values_complete = true;  // false: there are more distinct labels than label_values keeps
  std::size_t explicit_zeros = 0;     // entries written with the value 0; they are not stored

  std::size_t nonzeros() const { return column.size(); }
};

}  // namespace driftless
