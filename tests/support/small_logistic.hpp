// Logistic regression with 600 rows and 20 variables, divided among clients in order.
#pragma once

#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/testbed.hpp"

#include <numeric>

namespace driftless::test {

inline Instance logistic(std::size_t clients, double skew) {
  const Dataset data = generate_classification({.rows = 600, .dim = 20, .nonzeros_per_row = 5.0, .skew = skew}, 3);
  const std::size_t share = data.rows() / clients;
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::size_t i = 0; i < clients; ++i) {
    std::vector<std::int32_t> rows(share);
    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(i * share));
    instance.clients.push_back(make_client(
        LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 1.0 / static_cast<double>(share), .l2 = 0.01})));
  }
  return instance;
}

}  // namespace driftless::test
