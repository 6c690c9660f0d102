// What the theory's settings of skipping methods and FedRed give on the demo quadratics, in rounds, exchanges and local
// steps.
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Cost {
  double rounds = 0.0;
  double exchanges = 0.0;
  double steps = 0.0;
};

// Mean over five seeds until the gap is 1e-10 of the first.
Cost cost(const Instance& instance, const std::string& method, const Settings& settings) {
  Cost mean;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Testbed bed(instance, method, settings, {}, 1, seed);
    const double first = instance.value(instance.start) - instance.minimum;
    while (instance.value(bed.rounds(1)) - instance.minimum > 1e-10 * first)
      if (bed.federation().ledger().rounds > 3000) break;
    mean.rounds += static_cast<double>(bed.federation().ledger().rounds) / 5;
    mean.exchanges += static_cast<double>(bed.federation().ledger().exchanges) / 5;
    mean.steps += static_cast<double>(bed.federation().busiest().steps) / 5;
  }
  return mean;
}

class TheorySettings : public testing::TestWithParam<std::string> {};

TEST_P(TheorySettings, ReachTheMinimizerOfTheDemo) {
  const Instance instance = demo_quadratics();
  const MethodEntry& entry = find_method(GetParam());
  ASSERT_FALSE(entry.theory.empty());
  EXPECT_LT(cost(instance, entry.name, theory_settings(entry, instance.constants)).rounds, 250);
}

INSTANTIATE_TEST_SUITE_P(Skipping, TheorySettings,
                         testing::Values("scaffnew", "gradskip", "tamuna", "5gcs", "fedred", "fedred-gd",
                                         "fedred-gd-drift"),
                         [](const auto& name) {
                           std::string title = "M" + name.param;
                           std::replace(title.begin(), title.end(), '-', '_');
                           return title;
                         });

// E V_t ≤ (1 − μ/L)^t V_0 and p t rounds in t iterations: rounds ≤ p (L/μ) log(V_0/V_t).
TEST(ScaffnewTheory, RoundsAreThoseOfThePotential) {
  const Instance instance = demo_quadratics();
  const double gamma = 0.01, p = 0.1;
  double v = 5 * (instance.start - instance.minimizer).squaredNorm();
  for (std::size_t i = 0; i < 5; ++i)
    v += gamma * gamma / (p * p) * instance.gradient(i, instance.minimizer).squaredNorm();
  const double first = instance.value(instance.start) - instance.minimum;
  const double reached = 1e-10 * first / (instance.constants.L_f / 2);  // ‖x − x*‖² at which the gap is small enough
  const double rounds = cost(instance, "scaffnew", {{"step", gamma}, {"p", p}}).rounds;
  EXPECT_LT(rounds, p * 100 * std::log(5 * v / reached));
  EXPECT_GT(rounds, 0.1 * p * 100 * std::log(5 * v / reached));
}

// The tighter analysis: with γ and p going to zero together an iteration contracts by O(p) and not O(p²), so rounds
// stay what they are. The classic rate 1 − min(γμ, p²) would have them grow like 1/p.
TEST(ScaffnewTheory, RoundsStayWhenStepAndPShrinkTogether) {
  const Instance instance = demo_quadratics();
  const Cost classic = cost(instance, "scaffnew", {{"step", 0.01}, {"p", 0.1}});
  for (const double shrink : {4.0, 16.0}) {
    const Cost tight = cost(instance, "scaffnew", {{"step", 0.01 / shrink}, {"p", 0.1 / shrink}});
    EXPECT_NEAR(tight.rounds, classic.rounds, 0.15 * classic.rounds) << "γ and p by " << shrink;
    EXPECT_NEAR(tight.steps, shrink * classic.steps, 0.25 * shrink * classic.steps) << "γ and p by " << shrink;
  }
}

// p alone decides rounds against local steps; p/γ = √(μL) is about the best for rounds, whatever γ is.
TEST(ScaffnewTheory, RoundsGrowOnBothSidesOfTheRoot) {
  const Instance instance = demo_quadratics();
  for (const double gamma : {0.01, 0.0025}) {
    const double root = gamma * 10;
    const double best = cost(instance, "scaffnew", {{"step", gamma}, {"p", root}}).rounds;
    EXPECT_GT(cost(instance, "scaffnew", {{"step", gamma}, {"p", 4 * root}}).rounds, 2.5 * best);
    EXPECT_GT(cost(instance, "scaffnew", {{"step", gamma}, {"p", root / 8}}).rounds, 2.5 * best);
  }
}

// Where it helps: noise of batches falls with γ, and with p/γ kept the rounds to get there do not grow.
TEST(ScaffnewTheory, SmallerStepsAndPLowerTheNoiseOfBatchesInTheSameRounds) {
  const Instance instance = demo_quadratics();
  const double first = instance.value(instance.start) - instance.minimum;
  const auto noise = [&](double shrink) {
    const Settings settings{{"step", 0.005 / shrink}, {"p", 0.05 / shrink}, {"batch", std::int64_t{5}}};
    Testbed bed(instance, "scaffnew", settings);
    bed.rounds(150);
    double sum = 0.0;
    for (int r = 0; r < 50; ++r) sum += instance.value(bed.rounds(1)) - instance.minimum;
    return sum / 50 / first;
  };
  const double coarse = noise(1);
  EXPECT_LT(noise(8), coarse / 3);
  EXPECT_GT(coarse, 1e-9);
}

// h_i ← h_i + m (x̃ − x_i) with x_i from before the restart. Toy, η = 3, λ = 1, p = 1/2: m = p η = 3/2, coins 0, 1, 1.
// Round 1: x_1 = 0, x_2 = 3/2, then 3/2 − (−3/2 + 3/2)/4 = 3/2; x̃ = 3/4, h = (9/8, −9/8).
// Round 2, restarted: x_1 = 3/4 − (3/4 − 9/8)/4 = 27/32, x_2 = 3/4 − (−15/4 + 9/8)/4 = 45/32; x̃ = 9/8.
TEST(FedRedDriftToy, GivesTheRoundsWorkedOutByHand) {
  const Instance instance = toy();
  Testbed bed(instance, "fedred-gd-drift", {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}},
              std::make_unique<ScriptedChance>(std::deque<bool>{false, true, true}));
  EXPECT_NEAR(bed.rounds(1)[0], 3.0 / 4, 1e-12);
  EXPECT_NEAR(bed.client_vector("h_i", 0)[0], 9.0 / 8, 1e-12);
  EXPECT_NEAR(bed.client_vector("h_i", 1)[0], -9.0 / 8, 1e-12);
  EXPECT_NEAR(bed.rounds(1)[0], 9.0 / 8, 1e-12);
  EXPECT_NEAR(bed.client_vector("h_i", 0)[0], 9.0 / 8 + 3.0 / 2 * 9 / 32, 1e-12);
}

TEST(FedRedDrift, WithLambdaZeroIsScaffnew) {
  const Instance instance = random_quadratics(2);
  Testbed red(instance, "fedred-gd-drift", {{"lambda", 0.0}, {"eta", 20.0}, {"p", 0.3}, {"m", 6.0}});
  Testbed usual(instance, "fedred-gd-drift", {{"lambda", 0.0}, {"eta", 20.0}, {"p", 0.3}});
  Testbed scaffnew(instance, "scaffnew", {{"step", 0.05}, {"p", 0.3}});
  for (int r = 1; r <= 10; ++r) {
    const Vector& x = scaffnew.rounds(1);
    EXPECT_LE((red.rounds(1) - x).norm(), 1e-9 * x.norm()) << "round " << r;
    EXPECT_LE((usual.rounds(1) - x).norm(), 1e-9 * x.norm()) << "round " << r;
  }
}

TEST(FedRedDrift, KeepsTheSumOfCorrectionsAtZeroAndCostsOneExchange) {
  const Instance instance = random_quadratics(3);
  Testbed bed(instance, "fedred-gd-drift", {{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.3}, {"restart", false}});
  for (int r = 1; r <= 20; ++r) {
    bed.rounds(1);
    Vector sum = Vector::Zero(12);
    for (std::size_t i = 0; i < 5; ++i) sum += bed.client_vector("h_i", i);
    EXPECT_LT(sum.norm(), 1e-10) << "round " << r;
  }
  EXPECT_EQ(bed.federation().ledger().exchanges, 20U);
  EXPECT_EQ(bed.federation().ledger().vectors_up, 100U);
  EXPECT_EQ(bed.federation().ledger().vectors_down, 100U);
}

// Demo quadratics, similarity δ = 5 = L/20: no more rounds than with exact corrections, and one exchange in each.
TEST(FedRedDrift, NeedsFewerExchangesThanExactCorrectionsOnTheDemo) {
  const Instance instance = demo_quadratics();
  const Cost exact = cost(instance, "fedred-gd", find_method("fedred-gd").demo);
  const Cost drift = cost(instance, "fedred-gd-drift", find_method("fedred-gd-drift").demo);
  EXPECT_LT(drift.exchanges, 0.6 * exact.exchanges);
  EXPECT_LT(drift.rounds, 1.2 * exact.rounds);
}

}  // namespace
}  // namespace driftless::test
