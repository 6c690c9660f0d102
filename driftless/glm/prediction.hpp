// What a model predicts for rows.
#pragma once

#include "driftless/glm/model.hpp"
#include "driftless/tables/design.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// η of every row of the design, all predictions of a row after those of the row before it. The bits of a row do not
// depend on the rows around it.
std::vector<double> linear_predictions(const GlmModel& model, const Design& design);

// The names of the predicted values of a row: "probability" of the second class, "probability=CLASS" for each of
// several classes, "mean", "quantile", "location" of Huber's loss or "score" of the squared hinge.
std::vector<std::string> value_names(const GlmModel& model);

// The predicted values of one row from its η.
void predicted_values(const GlmModel& model, std::span<const double> eta, std::span<double> values);

// The index of the class of one row from its η: the most probable one, of equal ones the first.
std::size_t predicted_class(std::span<const double> eta);

}  // namespace driftless
