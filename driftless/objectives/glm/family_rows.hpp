// The losses of many rows at once, by family: what objectives call for a block of rows. Those of several predictions
// are in multinomial_rows.hpp.
#pragma once

#include "driftless/objectives/glm/family.hpp"

#include <span>

namespace driftless {

struct RowLabels {
  std::span<const double> label;
  std::span<const double> weight;  // s_j; empty: 1. Rows of weight zero have no effect, whatever their prediction
};

// Σ_j s_j loss(η_j, y_j)
double loss_sum(const FamilyOptions& options, std::span<const double> eta, RowLabels rows);
// η_j ← scale s_j ∂loss/∂η
void loss_slopes(const FamilyOptions& options, std::span<double> eta, RowLabels rows, double scale);
// Both at once.
double loss_sum_slopes(const FamilyOptions& options, std::span<double> eta, RowLabels rows, double scale);
// η_j ← scale s_j ∂²loss/∂η²
void loss_curvatures(const FamilyOptions& options, std::span<double> eta, RowLabels rows, double scale);
// η_j ← s_j E[∂²loss/∂η²] over labels that the family has with mean mean_of(η); without a likelihood, that of y_j.
void expected_curvatures(const FamilyOptions& options, std::span<double> eta, RowLabels rows);

}  // namespace driftless
