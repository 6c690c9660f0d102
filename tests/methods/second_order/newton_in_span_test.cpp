// Newton's method in the span of the rows is Newton's method, at the cost of the span; and Halley's direction by hand.
#include "driftless/methods/second_order/newton_in_span.hpp"

#include "driftless/components/curvature/halley_direction.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr std::size_t rows_of_client = 6;

Instance wide(double entry_of_start) {
  const Dataset data = generate_classification({.rows = 18, .dim = 50, .nonzeros_per_row = 15.0}, 9);
  Instance instance{.start = Vector::Constant(data.dim, entry_of_start)};
  for (std::int32_t i = 0; i < 3; ++i) {
    std::vector<std::int32_t> rows(rows_of_client);
    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(rows_of_client) * i);
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 1.0 / 6.0, .l2 = 1e-3})));
  }
  return instance;
}

TEST(NewtonInSpan, TakesTheStepsOfNewtonsMethod) {
  for (const double start : {0.0, 0.3})
    for (const auto& steps : {"newton"s, "halley"s}) {
      const Instance instance = wide(start);
      Testbed span(instance, "newton-in-span", {{"steps", steps}});
      Testbed whole(instance, "newton", {{"steps", steps}});
      for (int r = 0; r < 6; ++r) {
        const Vector difference = span.rounds(1) - whole.rounds(1);
        EXPECT_LE(difference.norm(), 1e-8 * (1.0 + whole.x().norm())) << steps << ", round " << r;
      }
    }
}

// R = 18: 22 vectors of the sketch, and a reduced matrix of 19 or fewer columns in 4 vectors of 50 numbers.
TEST(NewtonInSpan, CostsTheSpanOnceAndASmallMatrixInEveryRound) {
  const Instance instance = wide(0.0);
  Testbed bed(instance, "newton-in-span", {});
  bed.start();
  const Ledger start = bed.federation().ledger();
  EXPECT_EQ(start.exchanges, 2U);
  EXPECT_EQ(start.vectors_up, 3U * (1U + 22U));
  EXPECT_EQ(start.vectors_down, 3U);
  bed.rounds(1);
  EXPECT_EQ(bed.federation().ledger().exchanges, 3U);
  EXPECT_EQ(bed.federation().ledger().vectors_up - start.vectors_up, 3U * (1U + 4U));
}

TEST(NewtonInSpan, ReachesTheMinimizerToTheLastDigits) {
  const Instance instance = wide(0.0);
  Testbed bed(instance, "newton-in-span", {});
  EXPECT_LE(bed.federation().measure(bed.rounds(12)).gradient.norm(), 1e-12);
}

TEST(NewtonInSpan, RejectsASpanThatIsTooLarge) {
  const Instance instance = wide(0.0);
  Testbed bed(instance, "newton-in-span", {{"max_rank", std::int64_t{10}}});
  expect_error<ConfigError>([&] { bed.start(); }, {"too many dimensions", "dimension 18, max_rank = 10"});
}

// f(z) = e^z − 2z in one dimension, from z' = 1 to z = 1/2.
TEST(HalleyDirection, UsesTheThirdDerivativeOfTheLastStep) {
  const auto point = [](double z) {
    return SecondOrderPoint{.z = scalar(z),
                            .f = std::exp(z) - 2.0 * z,
                            .g = scalar(std::exp(z) - 2.0),
                            .H = Matrix::Constant(1, 1, std::exp(z))};
  };
  const SecondOrderPoint before = point(1.0);
  const SecondOrderPoint at = point(0.5);
  const double s = -0.5;
  const double change = s * s * (at.H(0, 0) - before.H(0, 0));
  const double third = 6.0 * s * (before.g[0] - at.g[0] + at.H(0, 0) * s) - 2.0 * change;
  EXPECT_NEAR(third, s * s * s * std::exp(0.5), 0.01);  // the Hermite interpolation is that good
  const double newton = -at.g[0] / at.H(0, 0);
  const double K = at.H(0, 0) + 0.5 * (newton / s) * third / change * (at.H(0, 0) - before.H(0, 0));
  const double p = halley_direction(before, at).p[0];
  EXPECT_NEAR(p, -at.g[0] / K, 1e-14);
  EXPECT_LT(std::abs(0.5 + p - std::log(2.0)), 0.1 * std::abs(0.5 + newton - std::log(2.0)));
}

TEST(HalleyDirection, IsNewtonsOnQuadratics) {
  const Matrix H{{2.0, 0.5}, {0.5, 1.0}};
  const SecondOrderPoint before{.z = Vector::Ones(2), .f = 2.0, .g = H * Vector::Ones(2), .H = H};
  const SecondOrderPoint at{.z = Vector::Unit(2, 0), .f = 1.0, .g = H * Vector::Unit(2, 0), .H = H};
  EXPECT_LE((halley_direction(before, at).p + Vector::Unit(2, 0)).norm(), 1e-15);
}

// Along s the correction takes a quarter of the curvature; across it the whole of it, a half and even a quarter may
// leave nothing of the curvature there.
TEST(HalleyDirection, TakesAsMuchOfTheCorrectionAsLeavesTheMatrixPositiveDefinite) {
  SecondOrderPoint before{
      .z = Vector::Unit(2, 0), .f = 2.0, .g = 2.0 * Vector::Unit(2, 0), .H = Matrix{{2.0, 0.0}, {0.0, 2.0}}};
  const SecondOrderPoint at{.z = Vector::Zero(2), .f = 1.0, .g = 0.5 * Vector::Unit(2, 0), .H = Matrix::Identity(2, 2)};
  const auto step_across = [&](double curvature_before) {
    before.H(1, 1) = curvature_before;
    return halley_direction(before, at).p[0];
  };
  EXPECT_DOUBLE_EQ(step_across(2.0), -0.5 / 0.75);
  EXPECT_DOUBLE_EQ(step_across(6.0), -0.5 / 0.875);
  EXPECT_DOUBLE_EQ(step_across(10.0), -0.5 / 0.9375);
  EXPECT_DOUBLE_EQ(step_across(100.0), -0.5);
}

// Where f has no third derivative to speak of in common with the last step, Newton's direction is as good as any.
TEST(HalleyDirection, ChangesNoStepByMoreThanItsOwnLength) {
  const SecondOrderPoint before{.z = scalar(1.0), .f = 1.0, .g = scalar(40.0), .H = Matrix::Constant(1, 1, 50.0)};
  const SecondOrderPoint at{.z = scalar(0.0), .f = 0.5, .g = scalar(1.0), .H = Matrix::Constant(1, 1, 0.01)};
  EXPECT_DOUBLE_EQ(halley_direction(before, at).p[0], -100.0);
}

}  // namespace
}  // namespace driftless::test
