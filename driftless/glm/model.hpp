// A fitted generalised linear model with all that is needed to use it on a table.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/objectives/glm/family.hpp"
#include "driftless/tables/coding.hpp"

#include <cstddef>

namespace driftless {

struct GlmModel {
  FamilyOptions family;
  Coding coding;
  bool intercept = true;
  double l2 = 0.0;       // weight of ½‖x‖² in the mean over rows; the intercept is not penalised
  std::size_t rows = 0;  // that it was fitted to
  Vector coefficients;   // of coded variables, then the intercept; for several predictions one after the other

  std::size_t width() const { return coding.variables() + (intercept ? 1 : 0); }  // coefficients of one prediction
};

}  // namespace driftless
