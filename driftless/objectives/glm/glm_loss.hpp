// The loss of a family with one prediction, bound to labelled rows: the Loss of a RowModel. The family is chosen once
// per block of rows.
#pragma once

#include "driftless/objectives/glm/glm_labels.hpp"

#include <utility>

namespace driftless {

class GlmLoss {
 public:
  static constexpr bool convex = true;

  GlmLoss(const FamilyOptions& family, GlmLabels labels) : family_(family), labels_(std::move(labels)) {}

  double value(std::size_t first, std::span<double> t) const {
    labels_.add_offsets(first, t);
    return loss_sum(family_, t, labels_.rows(first, t.size()));
  }
  void slopes(std::size_t first, std::span<double> t, double weight) const {
    labels_.add_offsets(first, t);
    loss_slopes(family_, t, labels_.rows(first, t.size()), weight);
  }
  double value_slopes(std::size_t first, std::span<double> t, double weight) const {
    labels_.add_offsets(first, t);
    return loss_sum_slopes(family_, t, labels_.rows(first, t.size()), weight);
  }
  void curvatures(std::size_t first, std::span<double> t, double weight) const {
    labels_.add_offsets(first, t);
    loss_curvatures(family_, t, labels_.rows(first, t.size()), weight);
  }
  void slopes(Batch batch, std::span<double> t, double weight) const {
    labels_.add_offsets(batch, t);
    loss_slopes(family_, t, labels_.rows(batch), weight);
  }
  double largest_curvature(std::size_t row) const { return labels_.largest_curvature(family_, row); }
  bool curvature_jumps() const { return driftless::curvature_jumps(family_.family); }

 private:
  FamilyOptions family_;
  GlmLabels labels_;
};

}  // namespace driftless
