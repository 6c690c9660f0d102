// The linear map from the coefficients of coded variables to those of the columns as they are in the tables: centres
// and scales are undone, and what the centres take from the constant is given back.
#pragma once

#include "driftless/glm/model.hpp"

#include <string>
#include <vector>

namespace driftless {

struct CoefficientScale {
  static constexpr const char* constant = "(intercept)";

  std::vector<std::string> names;  // of the rows of `map`: the constant first; "CLASS: name" for several predictions
  Matrix map;                      // coefficients on the original scale = map · coefficients of the model
  std::vector<Index> coded;        // of each row: the coefficient of the model with this name; −1: there is none
};

CoefficientScale coefficient_scale(const GlmModel& model);

}  // namespace driftless
