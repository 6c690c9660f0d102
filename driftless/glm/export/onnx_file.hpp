// A model as an ONNX file, whose inputs are the columns of a table as they are: numbers as doubles, where NaN is a
// missing cell, and texts. Its outputs are the predicted values and, for classes, the class.
#pragma once

#include "driftless/glm/model.hpp"

#include <string>

namespace driftless {

// The bytes of the file. Rows that have no prediction, because a column whose missing rule is `drop` has no value, get
// NaN and an empty class. ConfigError for a model without columns.
std::string onnx_file(const GlmModel& model);

}  // namespace driftless
