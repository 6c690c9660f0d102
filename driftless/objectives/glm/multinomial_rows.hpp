// The loss of several classes for many rows at once. Row j has K − 1 predictions η_jk, class 0 is the reference; its
// label is the index of its class.
#pragma once

#include "driftless/objectives/glm/family_rows.hpp"
#include "driftless/objectives/linear/row_pass.hpp"

namespace driftless {

// Σ_j s_j (log(1 + Σ_k exp(η_jk)) − η_jy)
double multinomial_sum(const PredictionBlock& eta, RowLabels rows);
// η_jk ← P(y_j = k + 1)
void multinomial_probabilities(const PredictionBlock& eta);
// η_jk ← scale s_j (P(y_j = k + 1) − [y_j = k + 1])
void multinomial_slopes(const PredictionBlock& eta, RowLabels rows, double scale);
double multinomial_sum_slopes(const PredictionBlock& eta, RowLabels rows, double scale);

}  // namespace driftless
