// Labelled rows, sparse, as read from a file or generated. Immutable once made; clients refer to rows by index.
#pragma once

#include "driftless/core/vector.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace driftless {

struct Dataset {
  std::string name;                     // for messages: a path or the name of a generator
  std::string digest;                   // sha256 of the plain text, or of the generated rows
  Index dim = 0;                        // number of columns
  std::vector<std::int64_t> row_start;  // rows() + 1 offsets into column and value
  std::vector<std::int32_t> column;     // 0-based, rising inside a row
  std::vector<double> value;
  std::vector<double> label;
  std::vector<double> label_values;   // the distinct labels as written, before any mapping, rising; see LabelTable
  bool label_values_complete = true;  // false: there are more distinct labels than label_values keeps
  std::size_t explicit_zeros = 0;     // entries written with the value 0; they are not stored

  std::size_t rows() const { return label.size(); }
  std::size_t nonzeros() const { return column.size(); }
};

}  // namespace driftless
