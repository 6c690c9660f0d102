// The rows of one client as a generalised linear model uses them: coded variables, labels, weights and offsets.
#pragma once

#include "driftless/data/dataset.hpp"

#include <cstddef>
#include <vector>

namespace driftless {

struct GlmRows {
  Index columns = 0;          // variables of a row, without the intercept
  std::size_t stride = 0;     // of `dense`: columns rounded up to a multiple of 8, zeros behind the variables
  std::vector<double> dense;  // row after row; empty where the variables are in `sparse`
  Dataset sparse;             // used where `dense` is empty; its labels have no meaning

  std::vector<double> label;   // −1 and +1 of two classes; 0, 1, … of several; otherwise the value itself
  std::vector<double> weight;  // of each row; empty: 1
  std::vector<double> offset;  // added to the prediction of each row; empty: 0

  std::size_t rows() const { return label.size(); }
};

}  // namespace driftless
