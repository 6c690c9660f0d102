// Skipping methods on logistic regression whose clients weigh unlike, so that their curvatures differ.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr double l2 = 0.02;

// The loss of client i has weight 1/4^i; start 0, where logistic losses curve most.
Instance unlike_logistic() {
  const Dataset data = generate_classification({.rows = 400, .dim = 15, .nonzeros_per_row = 5.0, .skew = 0.3}, 5);
  Instance instance{.start = Vector::Zero(data.dim)};
  double weight = 0.01;
  for (int i = 0; i < 4; ++i, weight /= 4) {
    std::vector<std::int32_t> rows(100);
    std::iota(rows.begin(), rows.end(), 100 * i);
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = weight, .l2 = l2})));
  }
  return instance;
}

struct Row {
  std::string title;
  std::string method;
  Settings settings;
  std::size_t rounds;
};

class SkippingOnLogistic : public testing::TestWithParam<Row> {};

TEST_P(SkippingOnLogistic, GradientVanishes) {
  const Row& row = GetParam();
  const Instance instance = unlike_logistic();
  Testbed bed(instance, row.method, row.settings);
  const double first = instance.gradient(instance.start).norm();
  EXPECT_LT(instance.gradient(bed.rounds(row.rounds)).norm(), 1e-8 * first);
}

const Settings steps{{"step", 1.0}, {"p", 0.14}};
const Settings few{{"cohort", std::int64_t{2}}};
const Settings inexact{{"solver", "agd"s}, {"eta", 1.0}, {"local_steps", std::int64_t{10}}};

const std::vector<Row> rows{
    {"Scaffnew", "scaffnew", steps, 250},
    {"GradSkip", "gradskip", with(steps, {{"q_rule", "condition"s}}), 250},
    {"Tamuna", "tamuna",
     with({{"step", 1.0}, {"p", 0.2}, {"sparsity", std::int64_t{2}}}, {{"cohort", std::int64_t{3}}}), 600},
    {"FiveGcs", "5gcs", {{"tau", 0.03}, {"mu", l2}}, 200},
    {"FiveGcsFew", "5gcs", with({{"tau", 0.04}, {"mu", l2}}, few), 400},
    {"FiveGcsInexact", "5gcs", with(with({{"tau", 0.04}, {"mu", l2}}, few), inexact), 400},
    {"FedRedDrift", "fedred-gd-drift", {{"lambda", 0.0}, {"eta", 1.0}, {"p", 0.14}}, 250},
};

INSTANTIATE_TEST_SUITE_P(Spec, SkippingOnLogistic, testing::ValuesIn(rows),
                         [](const auto& row) { return row.param.title; });

TEST(GradSkipOnLogistic, ClientsOfSmallWeightRest) {
  const Instance instance = unlike_logistic();
  Testbed bed(instance, "gradskip", with(steps, {{"q_rule", "condition"s}, {"power_steps", std::int64_t{1}}}));
  bed.rounds(200);
  const auto work = [&](std::size_t i) { return static_cast<double>(bed.federation().tally(i).gradients); };
  EXPECT_LT(work(1), 0.8 * work(0));
  EXPECT_LT(work(2), 0.8 * work(1));
  EXPECT_LT(work(3), 2.0 * 200);
}

}  // namespace
}  // namespace driftless::test
