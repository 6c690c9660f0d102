// A model as text that people and other programs use, on the original scale of the columns.
#pragma once

#include "driftless/glm/model.hpp"

#include <string>

namespace driftless {

// The scores, and the predicted values from them, to be read or typed into a spreadsheet.
std::string formula_text(const GlmModel& model);

// A query in SQL on a table `data` that has the columns under their names, NULL for missing cells: the table with its
// predicted values beside it.
std::string formula_sql(const GlmModel& model);

// CSV: what each cell of each column adds to each score.
std::string formula_csv(const GlmModel& model);

}  // namespace driftless
