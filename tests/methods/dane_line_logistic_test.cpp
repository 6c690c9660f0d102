// The methods around DANE where Hessians change from point to point: logistic regression.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Instance logistic(std::size_t clients) {
  const Dataset data = generate_classification({.rows = 600, .dim = 20, .nonzeros_per_row = 5.0, .skew = 0.3}, 3);
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

struct Row {
  std::string title;
  std::string method;
  Settings settings;
  std::size_t rounds;
};

class OnLogistic : public testing::TestWithParam<Row> {};

TEST_P(OnLogistic, GradientVanishes) {
  const Row& row = GetParam();
  const Instance instance = logistic(5);
  Testbed bed(instance, row.method, row.settings);
  const double first = instance.gradient(instance.start).norm();
  EXPECT_LT(instance.gradient(bed.rounds(row.rounds)).norm(), 1e-8 * first);
}

const Settings inexact{{"solver", "agd"s}, {"eta", 2.0}, {"stop_rule", "relative"s}, {"tolerance", 0.02}};
const Settings lambda{{"lambda", 0.1}, {"mu", 0.01}};

const std::vector<Row> rows{
    {"InexactDane", "inexact-dane", with(lambda, inexact), 100},
    {"Aide", "aide", with(lambda, {{"tau", 0.05}}), 100},
    {"AccSonata", "acc-sonata", lambda, 100},
    {"DaneHb", "dane-hb", with(lambda, {{"beta", 0.5}}), 150},
    {"Spag", "spag", lambda, 150},
    {"SpagInexact", "spag", with(lambda, inexact), 150},
    {"SpagSmallPull", "spag", {{"lambda", 0.003}, {"mu", 0.01}}, 150},
    {"Aegs", "aegs", lambda, 150},
    {"AegsAdaptive", "aegs", {{"lambda", 1e-3}, {"mu", 0.01}, {"adaptive", true}}, 150},
    {"Giant", "giant", {}, 60},
    {"NewtonCg", "newton-cg", {}, 12},
    {"NewtonCgJacobi", "newton-cg", {{"preconditioner", "jacobi"s}}, 12},
    {"Disco", "disco", {{"lambda", 0.1}}, 12},
    {"DiscoDamped", "disco", {{"lambda", 0.1}, {"step", "damped"s}}, 12},
};

INSTANTIATE_TEST_SUITE_P(Spec, OnLogistic, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

// Newton's method with exact directions: the error is squared in every round near x*.
TEST(GiantReduction, ConvergesQuadraticallyForOneClient) {
  const Instance instance = logistic(1);
  Testbed bed(instance, "giant", {{"cg_tolerance", 1e-14}});
  double before = instance.gradient(bed.rounds(4)).norm();
  for (int r = 0; r < 2 && before > 1e-12; ++r) {
    const double after = instance.gradient(bed.rounds(1)).norm();
    EXPECT_LE(after, std::max(1e-14, 100.0 * before * before));
    before = after;
  }
  EXPECT_LT(before, 1e-11);
}

}  // namespace
}  // namespace driftless::test
