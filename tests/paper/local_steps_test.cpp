// The corollary on local steps of DANE+: with κ = L/(δ_A + μ) a round takes κ ln(κ(r + 1)) steps of gradient descent,
// and √κ ln(κ(r + 1)) of the fast gradient method, both up to a constant.
#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct Generated {
  ClientObjectives clients;
  QuadraticProblem problem;
};

Generated with_smoothness(double L) {
  Generated made{{}, generate_quadratic({.dim = 60, .L = L, .seed = 4})};
  for (DiagonalQuadratic& f : std::get<std::vector<DiagonalQuadratic>>(made.problem.clients))
    made.clients.push_back(make_client(std::move(f)));
  return made;
}

// Steps of the busiest client in rounds 0 … 9 under the e_r rule, divided by the mean of ln(κ(r + 1)).
double steps_without_logarithm(const std::string& method, double L) {
  const Generated made = with_smoothness(L);
  const Constants& c = made.problem.constants;
  InProcessTransport transport(made.clients.size());
  ThreadPool pool(1);
  Federation fed(made.clients, transport, pool, 1);
  const std::unique_ptr<Method> dane =
      find_method(method).make({{"lambda", 2 * c.delta_A}, {"eta", c.L}, {"mu", c.mu}});
  Vector x = made.problem.start;
  dane->start(fed, x);
  double logarithms = 0.0;
  for (int r = 0; r < 10; ++r) {
    fed.begin_round();
    dane->round(fed, x);
    logarithms += std::log(c.L / (c.delta_A + c.mu) * (r + 1));
  }
  return static_cast<double>(fed.busiest().steps) / logarithms;
}

// How much the steps grow where L, and so κ, is four times as large.
double growth(const std::string& method, double L) {
  return steps_without_logarithm(method, 4 * L) / steps_without_logarithm(method, L);
}

TEST(LocalSteps, OfGradientDescentGrowWithLOverDelta) {
  for (const double L : {400.0, 1600.0}) EXPECT_NEAR(growth("dane+-gd", L), 4.0, 0.8) << L;
}

TEST(LocalSteps, OfTheFastGradientMethodGrowWithItsSquareRoot) {
  for (const double L : {400.0, 1600.0}) EXPECT_NEAR(growth("dane+-fgd", L), 2.0, 0.4) << L;
}

TEST(LocalSteps, OfTheFastGradientMethodAreFewerForLargeLOverDelta) {
  EXPECT_LT(steps_without_logarithm("dane+-fgd", 6400), steps_without_logarithm("dane+-gd", 6400) / 5);
}

}  // namespace
}  // namespace driftless::test
