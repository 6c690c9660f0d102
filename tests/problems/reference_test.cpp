// When an optimum is accepted as a reference, and the bound on its error.
#include "driftless/problems/reference.hpp"

#include "driftless/core/random.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

Dataset dense_rows(const std::vector<std::vector<double>>& rows, const std::vector<double>& labels) {
  Dataset data;
  data.dim = static_cast<Index>(rows.front().size());
  data.label = labels;
  data.row_start.push_back(0);
  for (const std::vector<double>& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      data.column.push_back(static_cast<std::int32_t>(column));
      data.value.push_back(row[column]);
    }
    data.row_start.push_back(static_cast<std::int64_t>(data.column.size()));
  }
  return data;
}

Dataset overlapping() {
  Stream random(3, Purpose::generator);
  std::vector<std::vector<double>> rows;
  std::vector<double> labels;
  for (int k = 0; k < 60; ++k) {
    rows.push_back({random.normal(), random.normal(), random.normal()});
    labels.push_back(random.normal() > 0.0 ? 1.0 : -1.0);
  }
  return dense_rows(rows, labels);
}

// Of one client with all rows.
ReferenceSearch search_in(const Dataset& data, double l2) {
  ClientObjectives clients;
  clients.push_back(make_client(LinearModel<LogisticLoss, SparseRows>(
      data, all_rows(data), {.weight = 1.0 / static_cast<double>(data.rows()), .l2 = l2})));
  InProcessTransport transport(1);
  ThreadPool pool(1);
  Federation fed(clients, transport, pool, 1);
  return exact_reference(fed, l2);
}

TEST(Reference, HasABoundOnItsErrorWithAndWithoutL2) {
  for (const double l2 : {0.1, 1e-6, 0.0}) {
    const ReferenceSearch search = search_in(overlapping(), l2);
    ASSERT_TRUE(search.found) << search.reason;
    EXPECT_GE(search.found->optimum.error, 0.0);
    EXPECT_LT(search.found->optimum.error, 1e-15);
    if (l2 > 0.0) { EXPECT_DOUBLE_EQ(search.found->optimum.error, std::pow(search.found->grad_norm, 2) / (2.0 * l2)); }
  }
}

TEST(Reference, IsNotInventedForSeparableData) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const Dataset data = dense_rows({{scale, 0.5 * scale}, {2 * scale, 0}, {-scale, 0.3 * scale}, {-3 * scale, scale}},
                                    {1.0, 1.0, -1.0, -1.0});
    const ReferenceSearch without = search_in(data, 0.0);
    EXPECT_FALSE(without.found) << scale;
    EXPECT_THAT(without.reason, HasSubstr("no minimiser")) << scale;
    EXPECT_TRUE(search_in(data, 0.01 * scale * scale).found) << scale;
  }
}

TEST(Reference, ExistsForARankDeficientProblem) {
  Dataset data = overlapping();
  data.dim = 7;  // four columns without entries: every minimiser has a flat space around it
  const ReferenceSearch search = search_in(data, 0.0);
  ASSERT_TRUE(search.found) << search.reason;
  EXPECT_LT(search.found->optimum.error, 1e-15);
}

TEST(Reference, IsFinite) {
  const Dataset data = dense_rows({{1.0, 1e160}, {2.0, 0.0}, {-1.0, -1e160}, {-3.0, 1.0}}, {1.0, -1.0, -1.0, 1.0});
  const ReferenceSearch search = search_in(data, 0.25);
  EXPECT_FALSE(search.found);
  EXPECT_THAT(search.reason, HasSubstr("not finite"));
}

}  // namespace
}  // namespace driftless
