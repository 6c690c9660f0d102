// The methods around DANE where Hessians change from point to point: logistic regression.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/small_logistic.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Row {
  std::string title;
  std::string method;
  Settings settings;
  std::size_t rounds;
};

class OnLogistic : public testing::TestWithParam<Row> {};

TEST_P(OnLogistic, GradientVanishes) {
  const Row& row = GetParam();
  const Instance instance = logistic(5, 0.3);
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
    {"NewtonCgMerged", "newton-cg", {{"directions", std::int64_t{3}}}, 20},
    {"Lbfgs", "l-bfgs", {}, 60},
    {"Disco", "disco", {{"lambda", 0.1}}, 12},
    {"DiscoDamped", "disco", {{"lambda", 0.1}, {"step", "damped"s}}, 12},
};

INSTANTIATE_TEST_SUITE_P(Spec, OnLogistic, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

// Fewer rows per client than variables, all entries near 480: the mean of the local Newton directions is useless.
Instance unscaled_logistic() {
  constexpr std::int32_t clients = 2;
  constexpr std::int32_t rows_each = 20;
  Dataset data;
  data.dim = 30;
  Stream random(5, Purpose::generator, 0);
  data.row_start.push_back(0);
  for (std::int32_t row = 0; row < clients * rows_each; ++row) {
    data.label.push_back(random.normal() > 0.0 ? 1.0 : -1.0);
    for (std::int32_t column = 0; column < 30; ++column) {
      data.column.push_back(column);
      data.value.push_back(480.0 + 100.0 * random.normal());
    }
    data.row_start.push_back(static_cast<std::int64_t>(data.column.size()));
  }
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::int32_t i = 0; i < clients; ++i) {
    std::vector<std::int32_t> rows(rows_each);
    std::iota(rows.begin(), rows.end(), i * rows_each);
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 1.0 / rows_each, .l2 = 0.025})));
  }
  return instance;
}

TEST(LineSearch, NeverLetsFRiseOnUnscaledData) {
  const std::vector<std::pair<std::string, Settings>> methods{{"giant", {}}, {"disco", {{"lambda", 0.1}}}};
  for (const auto& [name, settings] : methods) {
    const Instance instance = unscaled_logistic();
    Testbed bed(instance, name, settings);
    double value = instance.value(bed.x());
    const double first = value;
    for (int r = 0; r < 15; ++r) {
      const double next = instance.value(bed.rounds(1));
      EXPECT_LE(next, value * (1.0 + 1e-14)) << name << ", round " << r + 1;
      value = next;
    }
    EXPECT_LT(value, first) << name;
  }
}

// Newton's method with exact directions: the error is squared in every round near x*.
TEST(GiantReduction, ConvergesQuadraticallyForOneClient) {
  const Instance instance = logistic(1, 0.3);
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
