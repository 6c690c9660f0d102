// The methods for nets on logistic regression with clients that hold unlike labels: batches, two of five clients per
// round.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// Rows sorted by label and dealt out in one piece each: most clients see one label only.
Instance sorted_logistic() {
  const Dataset data = generate_classification({.rows = 500, .dim = 20, .nonzeros_per_row = 5.0}, 4);
  std::vector<std::int32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) {
    return data.label[static_cast<std::size_t>(a)] < data.label[static_cast<std::size_t>(b)];
  });
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::ptrdiff_t i = 0; i < 5; ++i) {
    const std::vector<std::int32_t> mine(rows.begin() + 100 * i, rows.begin() + 100 * (i + 1));
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, mine, {.weight = 0.01, .l2 = 0.01})));
  }
  Testbed descent(instance, "agd", {{"step", 0.5}, {"mu", 0.01}});
  instance.minimizer = descent.rounds(500);
  instance.minimum = instance.value(instance.minimizer);
  return instance;
}

// After 200 rounds, as a share of the gap at the start; the mean of 50 rounds, since a cohort of two moves x to and
// fro.
double gap_left(const Instance& instance, const std::string& method, const Settings& more) {
  const Settings noisy{
      {"step", 0.05}, {"local_steps", std::int64_t{10}}, {"batch", std::int64_t{10}}, {"cohort", std::int64_t{2}}};
  Testbed bed(instance, method, with(noisy, more));
  bed.rounds(200);
  double sum = 0.0;
  for (int r = 0; r < 50; ++r) sum += instance.value(bed.rounds(1)) - instance.minimum;
  return sum / 50.0 / (instance.value(instance.start) - instance.minimum);
}

struct Row {
  std::string title;
  std::string method;
  Settings settings;
};

class NetsOnLogistic : public testing::TestWithParam<Row> {};

TEST_P(NetsOnLogistic, LossFallsWithBatchesAndSampledClients) {
  EXPECT_LT(gap_left(sorted_logistic(), GetParam().method, GetParam().settings), 0.25);
}

const std::vector<Row> rows{
    {"FedAdam", "fedadam", {}},
    {"FedYogi", "fedyogi", {}},
    {"FedAdagrad", "fedadagrad", {{"server_step", 0.1}}},
    {"FedDc", "feddc", {{"alpha", 0.1}}},
    {"AdaBest", "adabest", {{"mu", 5.0}, {"beta", 0.5}}},
    {"FedPvr", "fedpvr", {{"corrected", 0.5}}},
    {"FedExp", "fedexp", {}},
};

INSTANTIATE_TEST_SUITE_P(Spec, NetsOnLogistic, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.title; });

// Two clients of one label each pull x far away from f's minimiser; only corrections hold it.
TEST(FedDcOnLogistic, IsNotMovedByTheCohortsThatMoveFedAvg) {
  const Instance instance = sorted_logistic();
  EXPECT_LT(gap_left(instance, "feddc", {{"alpha", 0.1}}), 0.002);
  EXPECT_GT(gap_left(instance, "fedavg", {}), 0.05);
}

// With everybody and full batches FedDC has no bias; FedAvg keeps one.
TEST(FedDcOnLogistic, ReachesTheMinimizerWhereFedAvgDoesNot) {
  const Instance instance = sorted_logistic();
  const Settings full{{"step", 0.2}, {"local_steps", std::int64_t{10}}};
  Testbed dc(instance, "feddc", with(full, {{"alpha", 0.1}}));
  Testbed average(instance, "fedavg", full);
  EXPECT_LT(instance.gradient(dc.rounds(600)).norm(), 1e-8);
  EXPECT_GT(instance.gradient(average.rounds(600)).norm(), 1e-4);
}

}  // namespace
}  // namespace driftless::test
