#include "driftless/data/dirichlet_split.hpp"

#include "driftless/data/split_rows.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/small_data.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace driftless {
namespace {

// Mean over clients of the total variation distance between a client's labels and the labels of all.
double label_skew(const Dataset& data, const Partition& partition) {
  const auto shares = [&](const std::vector<std::int32_t>& rows) {
    std::map<double, double> share;
    for (const std::int32_t row : rows)
      share[data.label[static_cast<std::size_t>(row)]] += 1.0 / static_cast<double>(rows.size());
    return share;
  };
  std::map<double, double> overall;
  for (const double label : data.label) overall[label] += 1.0 / static_cast<double>(data.rows());
  double total = 0.0;
  for (const auto& rows : partition.clients) {
    auto own = shares(rows);
    for (const auto& [label, share] : overall) total += 0.5 * std::abs(own[label] - share);
  }
  return total / static_cast<double>(partition.clients.size());
}

double mean_skew(const Dataset& data, SplitOptions options) {
  double total = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) total += label_skew(data, split_rows(data, options, seed));
  return total / 10.0;
}

TEST(DirichletSplit, SkewGrowsAsAlphaFalls) {
  const Dataset data = rows_of_classes(5000, 10);
  double before = 0.0;
  for (const double alpha : {1000.0, 10.0, 1.0, 0.3}) {
    const double skew = mean_skew(data, {.clients = 10, .split = Split::dirichlet, .alpha = alpha});
    EXPECT_GT(skew, before + 0.01) << alpha;
    before = skew;
  }
  EXPECT_GT(before, 0.4);
}

TEST(DirichletSplit, IsNearlyEvenForLargeAlpha) {
  const Dataset data = rows_of_classes(10000, 2);
  for (const auto& rows : split_rows(data, {.clients = 10, .split = Split::dirichlet, .alpha = 1e9}, 1).clients)
    EXPECT_NEAR(static_cast<double>(rows.size()), 1000.0, 20.0);
}

TEST(DirichletSplit, GivesTheRoundedDownSharesAndOneRemainder) {
  const Dataset data = rows_of_classes(101, 1);
  const SplitOptions options{.clients = 2, .split = Split::dirichlet, .alpha = 1e9};
  const Partition partition = split_rows(data, options, 1);
  EXPECT_EQ(std::max(partition.clients[0].size(), partition.clients[1].size()), 51U);
}

TEST(DirichletSplit, NeverLeavesAClientEmpty) {
  const Dataset data = rows_of_classes(60, 2);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Partition partition = split_rows(data, {.clients = 8, .split = Split::dirichlet, .alpha = 0.4}, seed);
    EXPECT_EQ(coverage_fault(partition, data.rows()), "") << seed;
  }
}

TEST(DirichletSplit, FailsWithAdviceWhenAClientMustStayEmpty) {
  const Dataset data = rows_of_classes(1000, 2);
  expect_error<ConfigError>([&] { split_rows(data, {.clients = 20, .split = Split::dirichlet, .alpha = 1e-4}, 1); },
                            {"every client has a row", "clients = 20, alpha = 1e-04", "larger alpha"});
}

TEST(DirichletSplit, StandsAlphasThatUnderflow) {
  const Dataset data = rows_of_classes(1000, 2);
  const Partition partition = split_rows(data, {.clients = 2, .split = Split::dirichlet, .alpha = 1e-300}, 1);
  EXPECT_NEAR(label_skew(data, partition), 0.5, 1e-12);  // each client has one class and all of it
}

TEST(DirichletSplit, RejectsImpossibleAlphas) {
  const Dataset data = rows_of_classes(100, 2);
  for (const double alpha : {0.0, -1.0, std::nan(""), 1e300}) {
    for (const Split split : {Split::dirichlet, Split::dirichlet_lin})
      expect_error<ConfigError>([&] { split_rows(data, {.clients = 10, .split = split, .alpha = alpha}, 1); },
                                {"alpha = "});
  }
  EXPECT_NO_THROW(split_rows(data, {.clients = 10, .split = Split::iid, .alpha = -1.0}, 1));
}

TEST(DirichletLinSplit, KeepsEveryClientAboveHalfTheAverage) {
  const Dataset data = rows_of_classes(5000, 10);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Partition partition = split_rows(data, {.clients = 10, .split = Split::dirichlet_lin, .alpha = 0.5}, seed);
    for (const auto& rows : partition.clients) EXPECT_GE(rows.size(), 250U);
  }
}

TEST(DirichletLinSplit, ClosesClientsThatHoldTheAverage) {
  // With one class nothing is closed; with many small ones nobody gets far above the average.
  const Dataset data = rows_of_classes(10000, 100);
  const Partition partition = split_rows(data, {.clients = 10, .split = Split::dirichlet_lin, .alpha = 0.5}, 1);
  for (const auto& rows : partition.clients) EXPECT_LE(rows.size(), 1100U);
  EXPECT_GT(label_skew(data, partition), 0.3);
}

TEST(DirichletLinSplit, GivesTheLastGroupItsShareOfRows) {
  const Dataset data = rows_of_classes(2300, 10);
  const Partition partition = split_rows(data, {.clients = 23, .split = Split::dirichlet_lin, .alpha = 1.0}, 1);
  std::size_t last = 0;
  for (std::size_t client = 20; client < 23; ++client) last += partition.clients[client].size();
  EXPECT_EQ(last, 300U);
  for (const auto& rows : partition.clients) EXPECT_GE(rows.size(), 50U);
}

TEST(DirichletLinSplit, SkewGrowsAsAlphaFalls) {
  const Dataset data = rows_of_classes(5000, 10);
  const double even = mean_skew(data, {.clients = 10, .split = Split::dirichlet_lin, .alpha = 100.0});
  const double skewed = mean_skew(data, {.clients = 10, .split = Split::dirichlet_lin, .alpha = 0.5});
  EXPECT_LT(even, 0.15);
  EXPECT_GT(skewed, 0.4);
}

TEST(DirichletLinSplit, NeedsTenClients) {
  const Dataset data = rows_of_classes(100, 2);
  expect_error<ConfigError>([&] { split_rows(data, {.clients = 9, .split = Split::dirichlet_lin}, 1); },
                            {"ten clients", "clients = 9", "\"dirichlet\""});
}

TEST(DirichletLinSplit, ManagesTwoUnequalClasses) {
  std::vector<double> labels(10000, -1.0);
  std::fill(labels.begin(), labels.begin() + 2400, 1.0);
  const Dataset data = rows_with_labels(labels);
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_NO_THROW(split_rows(data, {.clients = 10, .split = Split::dirichlet_lin, .alpha = 1.0}, seed));
}

}  // namespace
}  // namespace driftless
