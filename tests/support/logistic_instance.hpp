// Sparse rows of two classes among clients: f is the mean loss of all rows plus l2/2 ‖x‖², whatever the division.
#pragma once

#include "driftless/data/split_rows.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/testbed.hpp"

namespace driftless::test {

inline Instance logistic_instance(const Dataset& data, std::size_t clients, double l2) {
  const Partition split = split_rows(data, {.clients = clients}, 1);
  const double weight = static_cast<double>(clients) / static_cast<double>(data.rows());
  Instance instance;
  for (const auto& rows : split.clients)
    instance.clients.push_back(make_client(
        LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = weight, .l2 = l2, .intercept = true})));
  instance.start = Vector::Zero(data.dim + 1);
  return instance;
}

}  // namespace driftless::test
