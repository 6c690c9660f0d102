// The losses of linear models as values: what a configuration, messages and bounds need to know about each.
#pragma once

#include "driftless/objectives/linear/linear_client.hpp"

#include <string_view>
#include <vector>

namespace driftless {

// The members of losses.hpp under the same names.
struct LossInfo {
  std::string_view name;
  Labels labels = Labels::real;
  bool convex = false;
  double curvature = 0.0;
  double curvature_at_zero = 0.0;
  bool constant_curvature = false;
  // f_i of the client that holds these rows.
  std::unique_ptr<ClientObjective> (*make_client)(const RowsView& data, RowList rows, const LinearModelOptions& options,
                                                  Storage storage) = nullptr;
  // The same rows, for objectives whose weight is known later.
  std::unique_ptr<const LinearStore> (*make_store)(const RowsView& data, RowList rows, RowsOptions options,
                                                   Storage storage) = nullptr;
};

template <LinearLoss Loss>
LossInfo loss_info() {
  return {.name = Loss::name,
          .labels = Loss::labels,
          .convex = Loss::convex,
          .curvature = Loss::curvature,
          .curvature_at_zero = Loss::curvature_at_zero,
          .constant_curvature = Loss::constant_curvature,
          .make_client = &make_linear_client<Loss>,
          .make_store = &make_linear_store<Loss>};
}

// One entry for each of `Losses`, in that order.
const std::vector<LossInfo>& loss_catalog();

}  // namespace driftless
