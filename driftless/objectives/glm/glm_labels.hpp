// The labels, weights and offsets of the rows of one client, shared by its objectives.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/objectives/glm/family_rows.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <memory>
#include <span>
#include <vector>

namespace driftless {

struct GlmLabels {
  using Values = std::shared_ptr<const std::vector<double>>;
  Values label;
  Values weight;  // null: 1
  Values offset;  // null: 0

  RowLabels rows(std::size_t first, std::size_t count) const {
    return {std::span(*label).subspan(first, count),
            weight ? std::span(*weight).subspan(first, count) : std::span<const double>()};
  }
  void add_offsets(std::size_t first, std::span<double> eta) const {
    if (!offset) return;
    for (std::size_t j = 0; j < eta.size(); ++j) eta[j] += (*offset)[first + j];
  }

  // Of the rows of a batch; valid until the next call in this thread.
  RowLabels rows(Batch batch) const {
    const std::span<double> space = scratch<GlmLabels>(2 * batch.size());
    const std::span<double> y = space.first(batch.size());
    const std::span<double> s = weight ? space.last(batch.size()) : space.first(0);
    for (std::size_t k = 0; k < batch.size(); ++k) y[k] = (*label)[static_cast<std::size_t>(batch[k])];
    for (std::size_t k = 0; k < s.size(); ++k) s[k] = (*weight)[static_cast<std::size_t>(batch[k])];
    return {y, s};
  }
  void add_offsets(Batch batch, std::span<double> eta) const {
    if (!offset) return;
    for (std::size_t k = 0; k < eta.size(); ++k) eta[k] += (*offset)[static_cast<std::size_t>(batch[k])];
  }

  double largest_curvature(const FamilyOptions& family, std::size_t row) const {
    const double s = weight ? (*weight)[row] : 1.0;
    return s == 0.0 ? 0.0 : s * curvature_bound(family);
  }
};

}  // namespace driftless
