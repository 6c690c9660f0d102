// The guarantees of the papers on whole runs, after every round. The formulas are written down here independently of
// methods/*/theorems.cpp and are the oracle for them: where the catalogue checks a theorem, bound and observed quantity
// of its check must be those computed here. tests/theory/theorem_check_test.cpp looks at verdicts and has no formulas.
#include "driftless/methods/theorem.hpp"

#include "driftless/methods/rate.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// μ R²/((1 + μ/λ)^k − 1)
double geometric(double mu, double lambda, double radius_squared, double rounds) {
  return mu * radius_squared / (std::pow(1 + mu / lambda, rounds) - 1);
}

// A run whose rounds are shown to the theorems of its method.
class CheckedRun {
 public:
  CheckedRun(const Instance& instance, const std::string& method, const Settings& settings, Constants constants,
             std::uint64_t seed = 1)
      : instance_(instance),
        facts_{.constants = constants, .reference = {}, .output = OutputPoint::last},
        bed_(instance, method, settings, {}, 1, seed) {
    if (instance.minimizer.size() > 0) facts_.reference = Reference{instance.minimizer, instance.minimum};
    theorems_ = theorems_of(find_method(method), settings, facts_);
    bed_.start();
    show();
  }
  CheckedRun(const Instance& instance, const std::string& method, const Settings& settings)
      : CheckedRun(instance, method, settings, instance.constants) {}

  Testbed& bed() { return bed_; }
  const Vector& x() const { return bed_.x(); }
  double gap() const { return instance_.value(x()) - instance_.minimum; }
  double distance2() const { return (x() - instance_.minimizer).squaredNorm(); }
  double radius2() const { return (instance_.start - instance_.minimizer).squaredNorm(); }

  void round() {
    bed_.rounds(1);
    show();
  }
  // What theorem t compared in the last round must be this, and the bound must hold.
  void expect(std::size_t t, double bound, double observed) const {
    const CheckedRow& row = rows_.at(t).value();
    EXPECT_NEAR(row.bound, bound, 1e-7 * std::abs(bound) + row.rounding) << theorems_[t].name;
    EXPECT_NEAR(row.observed, observed, 1e-7 * std::abs(observed) + row.rounding) << theorems_[t].name;
    EXPECT_LE(observed, bound + row.rounding) << theorems_[t].name;
  }

 private:
  void show() {
    const Snapshot now(bed_.method(), bed_.federation(), instance_.clients, bed_.x());
    scale_.see(now);
    rows_.clear();
    for (Theorem& theorem : theorems_)
      rows_.push_back(theorem.after_round ? theorem.after_round(now, scale_).row : std::nullopt);
  }

  const Instance& instance_;
  TheoremFacts facts_;
  Testbed bed_;
  TheoremScale scale_{facts_};
  Theorems theorems_;
  std::vector<std::optional<CheckedRow>> rows_;
};

TEST(GdTheorem, DistanceContractsByOneMinusMuOverL) {
  const Instance instance = random_quadratics(21);
  const double L = instance.constants.L_f;
  CheckedRun run(instance, "gd", {{"step", 1 / L}});
  const double radius = run.radius2();
  const double first = run.gap();
  double least_gradient = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= 60; ++k) {
    least_gradient = std::min(least_gradient, instance.gradient(run.x()).squaredNorm());
    run.round();
    run.expect(0, std::pow(1 - instance.constants.mu_f / L, k) * radius, run.distance2());
    run.expect(1, L * radius / (2 * k), run.gap());
    run.expect(2, 2 * L * first / k, least_gradient);
  }
}

TEST(AgdTheorem, GapFallsWithTheRootOfTheConditionNumber) {
  const Instance instance = random_quadratics(22);
  const double L = instance.constants.L_f;
  const double mu = instance.constants.mu_f;
  CheckedRun strong(instance, "agd", {{"step", 1 / L}, {"mu", mu}});
  CheckedRun convex(instance, "agd", {{"step", 1 / L}});
  for (int k = 1; k <= 60; ++k) {
    strong.round();
    strong.expect(0, (L + mu) / 2 * strong.radius2() * std::pow(1 - std::sqrt(mu / L), k), strong.gap());
    convex.round();
    convex.expect(0, 2 * L * convex.radius2() / ((k + 1.0) * (k + 1.0)), convex.gap());
  }
}

// The catalogue checks no theorem of fedlin.
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
    CheckedRun run(instance, "dane", {{"lambda", lambda}});
    for (int r = 1; r <= 12; ++r) {
      const Vector x = run.x();
      run.round();
      run.expect(0, instance.value(x) - instance.value(run.x()), (mu + lambda) / 2 * (run.x() - x).squaredNorm());
      const double bound = geometric(mu, lambda, run.radius2(), r) / 2;
      run.expect(1, bound, run.gap() + mu / 2 * run.distance2());
      EXPECT_LE(bound, lambda * run.radius2() / (2 * r) * (1 + 1e-9));
    }
  }
}

// ‖x^R − x*‖² ≤ ρ^R Φ_0 with α = √(μL): the potential of DANE+ with drift, whose iterate x is, from h_i = 0. The
// catalogue checks that theorem for DANE+ alone.
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
    CheckedRun run(instance, GetParam(), {{"lambda", lambda}, {"eta", instance.constants.L}, {"mu", mu}});
    double best = std::numeric_limits<double>::infinity();
    for (int r = 1; r <= 20; ++r) {
      run.round();
      best = std::min(best, run.gap());
      double spread = 0.0;
      for (std::size_t i = 0; i < 5; ++i)
        spread += (run.bed().client_vector("x_i", i) - instance.minimizer).squaredNorm() / 5;
      run.expect(1, geometric(mu, lambda, run.radius2(), r), best + mu / 2 * spread);
    }
    EXPECT_GT(run.bed().federation().busiest().ends[static_cast<std::size_t>(SolveEnd::relative_met)], 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, DanePlusRelative, testing::Values("dane+-gd", "dane+-fgd"),
                         [](const auto& m) { return m.param == "dane+-gd" ? "Gd"s : "Fgd"s; });

// E[f(weighted average) − f*] + (μ/4) E[‖x̃_K − x*‖² + mean‖x_{i,K} − x*‖²] ≤ (μ/2) R²/((1 + μ/(2η − 2μ))^K − 1), over
// 20 coin seeds. A run ends with a communication, so K varies; the bound is averaged over the same runs. This is the
// printed form; the catalogue checks the potential that it is derived from.
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
    right += geometric(mu, 2 * eta - 2 * mu, radius, K) / 2;
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
    CheckedRun run(instance, "dane+",
                   {{"lambda", lambda},
                    {"averaging", "random"s},
                    {"solver", "prox-gradient"s},
                    {"eta", constants.L},
                    {"stop_rule", "min-gradient"s},
                    {"local_steps", K}},
                   constants);
    const double first = instance.value(run.x());
    double least_gradient = instance.gradient(run.x()).squaredNorm();
    for (int r = 0; r < R; ++r) {
      const Vector x = run.x();
      run.round();
      const double descent = (lambda - delta) / 2 * (run.x() - x).squaredNorm();
      run.expect(0, instance.value(x) - instance.value(run.x()), descent);
      least_gradient = std::min(least_gradient, instance.gradient(run.x()).squaredNorm());
    }
    EXPECT_LE(least_gradient, 72 * delta * (first - instance.value(run.x())) / R);
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
