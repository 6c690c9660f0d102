// The paper's guarantees on whole runs: observed against bound, after every round.
#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// μ R² / ((1 + μ/λ)^R − 1), and its limit λ R²/R where μ is nothing.
double geometric_bound(double mu, double lambda, double radius_squared, double rounds) {
  return mu * radius_squared / std::expm1(rounds * std::log1p(mu / lambda));
}

TEST(GdTheorem, DistanceContractsByOneMinusMuOverL) {
  const Instance instance = random_quadratics(21);
  const double L = instance.constants.L_f;
  Testbed bed(instance, "gd", {{"step", 1 / L}});
  const double radius = (instance.start - instance.minimizer).squaredNorm();
  for (int k = 1; k <= 60; ++k) {
    bed.rounds(1);
    EXPECT_LE((bed.x() - instance.minimizer).squaredNorm(),
              std::pow(1 - instance.constants.mu_f / L, k) * radius * (1 + 1e-9));
    EXPECT_LE(instance.value(bed.x()) - instance.minimum, L * radius / (2 * k));
  }
}

TEST(AgdTheorem, GapFallsWithTheRootOfTheConditionNumber) {
  const Instance instance = random_quadratics(22);
  const double L = instance.constants.L_f;
  const double mu = instance.constants.mu_f;
  const double radius = (instance.start - instance.minimizer).squaredNorm();
  Testbed strong(instance, "agd", {{"step", 1 / L}, {"mu", mu}});
  Testbed convex(instance, "agd", {{"step", 1 / L}});
  for (int k = 1; k <= 60; ++k) {
    EXPECT_LE(instance.value(strong.rounds(1)) - instance.minimum,
              (L + mu) / 2 * radius * std::pow(1 - std::sqrt(mu / L), k) + 1e-12);
    EXPECT_LE(instance.value(convex.rounds(1)) - instance.minimum, 2 * L * radius / ((k + 1.0) * (k + 1.0)));
  }
}

TEST(FedLinTheorem, GapFallsByOneSixthOfTheInverseConditionNumber) {
  for (const std::int64_t steps : {1, 3, 10}) {
    const Instance instance = random_quadratics(23);
    const double L = instance.constants.L;
    Testbed bed(instance, "fedlin", {{"step", 1 / (6 * L * static_cast<double>(steps))}, {"local_steps", steps}});
    double gap = instance.value(bed.x()) - instance.minimum;
    for (int r = 0; r < 20; ++r) {
      const double next = instance.value(bed.rounds(1)) - instance.minimum;
      EXPECT_LE(next, (1 - instance.constants.mu / (6 * L)) * gap);
      gap = next;
    }
  }
}

TEST(DaneTheorem, DescendsAndStaysBelowItsRateWithLambdaDeltaA) {
  for (std::uint64_t seed = 31; seed < 36; ++seed) {
    const Instance instance = random_quadratics(seed);
    const double mu = instance.constants.mu;
    const double lambda = instance.constants.delta_A;
    const double radius = (instance.start - instance.minimizer).squaredNorm();
    Testbed bed(instance, "dane", {{"lambda", lambda}});
    for (int r = 1; r <= 12; ++r) {
      const Vector x = bed.x();
      bed.rounds(1);
      EXPECT_LE(instance.value(bed.x()), instance.value(x) - (mu + lambda) / 2 * (bed.x() - x).squaredNorm() + 1e-12);
      const double left =
          instance.value(bed.x()) - instance.minimum + mu / 2 * (bed.x() - instance.minimizer).squaredNorm();
      EXPECT_LE(left, geometric_bound(mu, lambda, radius, r) / 2 + 1e-12);
      EXPECT_LE(geometric_bound(mu, lambda, radius, r) / 2, lambda * radius / (2 * r) * (1 + 1e-9));
    }
  }
}

// ‖x^R − x*‖² ≤ ρ^R Φ_0 with α = √(μL): the potential of DANE+ with drift, whose iterate x is, from h_i = 0.
TEST(FedDynTheorem, DistanceFallsWithTheRootOfTheConditionNumber) {
  const Instance instance = random_quadratics(24);
  const double mu = instance.constants.mu;
  const double L = instance.constants.L;
  const double rho = 1 - 2 * std::sqrt(mu) / (std::sqrt(L) + mu / std::sqrt(L) + 2 * std::sqrt(mu));
  const double w = (mu + L) / (mu * L * (mu + L) + 2 * mu * L * std::sqrt(mu * L));
  double phi = (instance.start - instance.minimizer).squaredNorm();
  for (std::size_t i = 0; i < 5; ++i) phi += w * instance.gradient(i, instance.minimizer).squaredNorm() / 5;
  Testbed bed(instance, "feddyn", {{"alpha", std::sqrt(mu * L)}});
  for (int r = 0; r < 30; ++r) {
    phi *= rho;
    EXPECT_LE((bed.rounds(1) - instance.minimizer).squaredNorm(), phi) << "round " << r;
  }
}

class DanePlusRelative : public testing::TestWithParam<std::string> {};

TEST_P(DanePlusRelative, StaysBelowItsRateWithTheErRule) {
  for (std::uint64_t seed = 41; seed < 44; ++seed) {
    const Instance instance = random_quadratics(seed);
    const double mu = instance.constants.mu;
    const double lambda = 2 * instance.constants.delta_A;
    const double radius = (instance.start - instance.minimizer).squaredNorm();
    Testbed bed(instance, GetParam(), {{"lambda", lambda}, {"eta", instance.constants.L}, {"mu", mu}});
    double best = instance.value(bed.x());
    for (int r = 1; r <= 20; ++r) {
      best = std::min(best, instance.value(bed.rounds(1)));
      double spread = 0.0;
      for (std::size_t i = 0; i < 5; ++i)
        spread += (bed.client_vector("x_i", i) - instance.minimizer).squaredNorm() / 5;
      EXPECT_LE(best - instance.minimum + mu / 2 * spread, geometric_bound(mu, lambda, radius, r) + 1e-12)
          << "round " << r;
    }
    EXPECT_GT(bed.federation().busiest().ends[static_cast<std::size_t>(SolveEnd::relative_met)], 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, DanePlusRelative, testing::Values("dane+-gd", "dane+-fgd"),
                         [](const auto& m) { return m.param == "dane+-gd" ? "Gd"s : "Fgd"s; });

// E[f(weighted average) − f*] + (μ/4) E[‖x̃_K − x*‖² + mean‖x_{i,K} − x*‖²] ≤ (μ/2) R²/((1 + μ/(2η − 2μ))^K − 1), over
// 20 coin seeds. A run ends with a communication, so K varies; the bound is averaged over the same runs.
TEST(FedRedGdTheorem, WeightedAverageStaysBelowItsRateInTheMean) {
  const Instance instance = random_quadratics(51);
  const double mu = instance.constants.mu;
  const double lambda = instance.constants.delta_A;
  const double eta = instance.constants.L;
  const double p = (lambda + mu / 2) / (eta - mu / 2);
  const double radius = (instance.start - instance.minimizer).squaredNorm();
  double left = 0.0;
  double right = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Testbed bed(instance, "fedred-gd", {{"lambda", lambda}, {"eta", eta}, {"p", p}, {"mu", mu}}, {}, 1, seed);
    ASSERT_TRUE(bed.method().keep_for_output(OutputPoint::weighted));
    bed.rounds(6);
    const double K = static_cast<double>(bed.federation().busiest().steps);
    double spread = (bed.x() - instance.minimizer).squaredNorm();
    for (std::size_t i = 0; i < 5; ++i) spread += (bed.client_vector("x_i", i) - instance.minimizer).squaredNorm() / 5;
    left += instance.value(bed.method().output(bed.federation(), bed.x())) - instance.minimum + mu / 4 * spread;
    right += geometric_bound(mu, 2 * eta - 2 * mu, radius, K) / 2;
  }
  EXPECT_LE(left, right);
  EXPECT_GT(left, 1e-4 * right);  // the bound is not empty
}

struct NonConvex {
  Instance instance;
  Constants constants;  // L with the bounded term
};

NonConvex non_convex(std::size_t seed) {
  QuadraticProblem problem = generate_quadratic({.convexity = QuadraticClass::non_convex, .dim = 30, .seed = seed});
  NonConvex result{.instance = {.start = problem.start}, .constants = problem.constants};
  for (DiagonalQuadratic& f : std::get<std::vector<DiagonalQuadratic>>(problem.clients))
    result.instance.clients.push_back(make_client(std::move(f)));
  return result;
}

// f(x^{r+1}) ≤ f(x^r) − ((λ − δ_B)/2)‖x^{r+1} − x^r‖², and min ‖∇f‖² ≤ 72 δ_B F_0/R with K ≥ (L + λ) R/(9 δ_B) local
// steps. The least f seen stands for f*, which makes F_0 smaller and the test stricter.
TEST(DanePlusNonConvexTheorem, DescendsEveryRoundWithOneRandomClient) {
  constexpr int R = 20;
  for (const std::size_t seed : {1U, 2U, 3U}) {
    const auto [instance, constants] = non_convex(seed);
    const double delta = constants.delta_B;
    const double lambda = 2 * delta;
    const auto K = static_cast<std::int64_t>(std::ceil((constants.L + lambda) * R / (9 * delta)));
    Testbed bed(instance, "dane+",
                {{"lambda", lambda},
                 {"averaging", "random"s},
                 {"solver", "prox-gradient"s},
                 {"eta", constants.L},
                 {"stop_rule", "min-gradient"s},
                 {"local_steps", K}});
    const double first = instance.value(bed.x());
    double least_gradient = instance.gradient(bed.x()).squaredNorm();
    for (int r = 0; r < R; ++r) {
      const Vector x = bed.x();
      bed.rounds(1);
      const double descent = (lambda - delta) / 2 * (bed.x() - x).squaredNorm();
      EXPECT_LE(instance.value(bed.x()), instance.value(x) - descent + 1e-8) << "round " << r;
      least_gradient = std::min(least_gradient, instance.gradient(bed.x()).squaredNorm());
    }
    EXPECT_LE(least_gradient, 72 * delta * (first - instance.value(bed.x())) / R);
  }
}

// E‖∇f(x̂)‖² ≤ 96 L F_0/K for x̂ drawn uniformly from all iterates: λ = δ_B, η = 6L, p = δ_B/L, Rand. The bound follows
// the corrected constants; L here is that of the whole objective.
TEST(FedRedGdNonConvexTheorem, UniformIterateHasASmallGradientInTheMean) {
  const auto [instance, constants] = non_convex(4);
  const double L = constants.L;
  const double p = constants.delta_B / L;
  double left = 0.0;
  double right = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Testbed bed(instance, "fedred-gd",
                {{"lambda", constants.delta_B}, {"eta", 6 * L}, {"p", p}, {"averaging", "random"s}}, {}, 1, seed);
    ASSERT_TRUE(bed.method().keep_for_output(OutputPoint::uniform));
    bed.rounds(5);
    const Vector drawn = bed.method().output(bed.federation(), bed.x());
    const double K = static_cast<double>(bed.federation().busiest().steps);
    left += instance.gradient(drawn).squaredNorm();
    right += 96 * L * (instance.value(instance.start) - instance.value(bed.x())) / K;
  }
  EXPECT_LE(left, right);
}

}  // namespace
}  // namespace driftless::test
