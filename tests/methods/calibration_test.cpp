// Rounds to a relative gap on the exact generator, against numbers found independently: within ten per cent.
#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct Row {
  std::string title;
  QuadraticClass convexity;
  double relative_gap;
  std::string method;
  Settings settings;
  double least;
  double most;
};

class Calibration : public testing::TestWithParam<Row> {};

TEST_P(Calibration, TakesTheExpectedNumberOfRounds) {
  const Row& row = GetParam();
  const Instance instance = demo_quadratics(300, row.convexity);
  Testbed bed(instance, row.method, row.settings);
  const double enough = row.relative_gap * (instance.value(instance.start) - instance.minimum);
  std::size_t rounds = 0;
  while (instance.value(bed.x()) - instance.minimum > enough && rounds < 10000) {
    bed.rounds(1);
    ++rounds;
  }
  EXPECT_GE(static_cast<double>(rounds), row.least);
  EXPECT_LE(static_cast<double>(rounds), row.most);
}

constexpr auto strong = QuadraticClass::strongly_convex;
constexpr auto convex = QuadraticClass::convex;

Settings dane_plus_gd(double lambda, double mu) { return {{"lambda", lambda}, {"eta", 100.0}, {"mu", mu}}; }
const Settings fedred{{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}};

const std::vector<Row> rows{
    {"Gd", strong, 1e-10, "gd", {{"step", 0.01}}, 0.9 * 669, 1.1 * 669},
    {"DanePlusGdLambdaDelta", strong, 1e-10, "dane+-gd", dane_plus_gd(5.0, 1.0), 0.9 * 40, 1.1 * 40},
    {"DanePlusGdLambdaTwoDelta", strong, 1e-10, "dane+-gd", dane_plus_gd(10.0, 1.0), 0.9 * 73, 1.1 * 73},
    {"FedRedGd", strong, 1e-10, "fedred-gd", fedred, 0.9 * 73, 1.1 * 86},
    {"GdConvex", convex, 1e-6, "gd", {{"step", 0.01}}, 0.9 * 4882, 1.1 * 4882},
    {"DanePlusGdConvex", convex, 1e-6, "dane+-gd", dane_plus_gd(5.0, 0.0), 0.9 * 248, 1.1 * 248},
};

INSTANTIATE_TEST_SUITE_P(Spec, Calibration, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

}  // namespace
}  // namespace driftless::test
