// A model on the original scale of its columns: what each cell of a row adds to its predictions η.
#pragma once

#include "driftless/glm/model.hpp"

#include <string>
#include <vector>

namespace driftless {

// What the cells of one column add, for every prediction of a row.
struct ColumnEffect {
  CodedColumn column;
  Vector slope;               // of a numeric column: for each unit; empty for the others
  std::vector<Vector> level;  // of each level; empty for numeric columns
  Vector missing;             // of a missing cell; empty where such rows have no prediction
  Vector unseen;              // of a text that is no level; empty for numeric columns
};

struct OriginalScale {
  Vector constant;
  std::vector<ColumnEffect> columns;  // in the order of the coding
};

OriginalScale original_scale(const GlmModel& model);

// Of which class, or of what, each prediction is.
std::vector<std::string> prediction_names(const GlmModel& model);

// Whether labels are classes, and predictions therefore have a class.
bool has_classes(Family family);

}  // namespace driftless
