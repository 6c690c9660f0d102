// Rounds, exchanges, vectors, bytes and local work of every method, against the formulas written down for it.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Row {
  std::string title;
  std::string method;
  Settings settings;
  Traffic start;  // vectors over all n = 5 clients
  Traffic round;
};

class Traffics : public testing::TestWithParam<Row> {};

TEST_P(Traffics, ArePerRoundAsWrittenDown) {
  const Row& row = GetParam();
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, row.method, row.settings);
  bed.start();
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ((Traffic{ledger.exchanges, ledger.vectors_up, ledger.vectors_down}), row.start);
  bed.rounds(3);
  EXPECT_EQ(ledger.rounds, 3U);
  EXPECT_EQ(ledger.exchanges, row.start.exchanges + 3 * row.round.exchanges);
  EXPECT_EQ(ledger.vectors_up, row.start.up + 3 * row.round.up);
  EXPECT_EQ(ledger.vectors_down, row.start.down + 3 * row.round.down);
  EXPECT_EQ(ledger.bytes_up, ledger.vectors_up * 12 * 8);
  EXPECT_EQ(ledger.bytes_down, ledger.vectors_down * 12 * 8);
}

const Settings drift{{"lambda", 1.0}, {"control_variate", "drift"s}};
const Settings fedred{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.5}};

const std::vector<Row> rows{
    {"Gd", "gd", {{"step", 0.1}}, {}, {1, 5, 5}},
    {"Agd", "agd", {{"step", 0.1}}, {}, {1, 5, 5}},
    {"FedAvg", "fedavg", {{"step", 0.05}}, {}, {1, 5, 5}},
    {"FedAvgSampled", "fedavg", {{"step", 0.05}, {"cohort", std::int64_t{2}}}, {}, {1, 2, 2}},
    {"FedProx", "fedprox", {{"lambda", 1.0}}, {}, {1, 5, 5}},
    {"ScaffoldOption1", "scaffold", {{"step", 0.05}, {"control_variate", "option1"s}}, {}, {1, 10, 10}},
    {"ScaffoldOption2Sampled", "scaffold", {{"step", 0.05}, {"cohort", std::int64_t{2}}}, {}, {1, 4, 4}},
    {"ScaffoldExact", "scaffold", {{"step", 0.05}, {"control_variate", "exact"s}}, {}, {2, 10, 10}},
    {"FedLin", "fedlin", {{"step", 0.05}}, {}, {2, 10, 10}},
    {"Scaffnew", "scaffnew", {{"step", 0.08}, {"p", 0.5}}, {}, {1, 5, 5}},
    {"ScaffnewExactStart", "scaffnew", {{"step", 0.08}, {"p", 0.5}, {"h_start", "exact"s}}, {1, 5, 5}, {1, 5, 5}},
    {"FedDyn", "feddyn", {{"alpha", 2.0}}, {}, {1, 5, 5}},
    {"FedDynSampled", "feddyn", {{"alpha", 2.0}, {"cohort", std::int64_t{2}}}, {}, {1, 2, 2}},
    {"FedPd", "fedpd", {{"step", 0.2}, {"p", 0.5}}, {}, {1, 5, 5}},
    {"Dane", "dane", {{"lambda", 1.0}}, {}, {2, 10, 10}},
    {"Sonata", "sonata", {{"tau", 1.0}}, {}, {2, 10, 10}},
    {"CeLgd", "ce-lgd", {{"step", 0.05}, {"a", 0.5}}, {}, {2, 6, 6}},
    {"CeLgdSampled", "ce-lgd", {{"step", 0.05}, {"cohort", std::int64_t{2}}}, {}, {2, 3, 2 + 2}},
    {"CeLgdSampledMixed", "ce-lgd", {{"step", 0.05}, {"a", 0.5}, {"cohort", std::int64_t{2}}}, {}, {2, 3, 4 + 2}},
    {"SvrpAlwaysRenewing", "svrp", {{"step", 0.5}, {"p", 1.0}}, {1, 5, 5}, {2, 1 + 5, 2 + 5}},
    {"Mime", "mime", {{"step", 0.05}}, {}, {2, 10, 15}},
    {"MimeSampled", "mime", {{"step", 0.05}, {"cohort", std::int64_t{2}}}, {}, {2, 4, 6}},
    {"MimeLite", "mimelite", {{"step", 0.05}}, {}, {1, 10, 10}},
    {"MimeMvr", "mime-mvr", {{"step", 0.05}, {"a", 0.3}}, {}, {2, 15, 15}},
    {"MimeMvrSampled", "mime-mvr", {{"step", 0.05}, {"a", 0.3}, {"cohort", std::int64_t{2}}}, {}, {2, 6, 8}},
    {"DanePlusRand", "dane+", {{"lambda", 1.0}, {"averaging", "random"s}}, {}, {2, 6, 6}},
    {"DanePlusDrift", "dane+", drift, {}, {1, 5, 5}},
    {"InexactDane", "inexact-dane", {{"lambda", 1.0}}, {}, {2, 10, 10}},
    {"Aide", "aide", {{"lambda", 1.0}, {"tau", 1.0}, {"inner_rounds", std::int64_t{3}}}, {}, {6, 30, 30}},
    {"DaneHb", "dane-hb", {{"lambda", 1.0}, {"beta", 0.2}}, {}, {1, 5, 5}},
    {"SpagFixed", "spag", {{"lambda", 1.0}, {"gain_rule", "fixed"s}}, {}, {1, 5, 5}},
    {"SpagSearch", "spag", {{"lambda", 1.0}, {"gain_rule", "search"s}}, {}, {1, 5, 5}},
    {"SpagMerged", "spag", {{"lambda", 1.0}, {"gain", 100.0}}, {}, {1, 5, 5}},
    {"Aegs", "aegs", {{"lambda", 1.0}}, {}, {2, 10, 10}},
    {"AegsAdaptive", "aegs", {{"lambda", 0.01}, {"adaptive", true}}, {}, {2, 10, 10}},
    {"Giant", "giant", {}, {}, {3, 10, 10}},
    {"GiantWithFullSteps", "giant", {{"halvings", std::int64_t{0}}}, {}, {2, 10, 10}},
    {"NewtonCgWithOneProduct", "newton-cg", {{"cg_steps", std::int64_t{1}}}, {1, 5, 5}, {2, 10, 10}},
    {"NewtonCgJacobiWithOneProduct",
     "newton-cg",
     {{"cg_steps", std::int64_t{1}}, {"preconditioner", "jacobi"s}},
     {1, 10, 10},
     {2, 15, 15}},
    {"NewtonCgMerged", "newton-cg", {{"directions", std::int64_t{4}}}, {1, 25, 5}, {1, 25, 10}},
    {"Lbfgs", "l-bfgs", {}, {1, 5, 5}, {1, 5, 5}},
    {"DiscoWithTwoPcgSteps",
     "disco",
     {{"lambda", 1.0}, {"pcg_steps", std::int64_t{2}}, {"pcg_tolerance", 1e-12}, {"step", "damped"s}},
     {},
     {3, 15, 15}},
    {"AccSonata",
     "acc-sonata",
     {{"lambda", 2.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{2}}},
     {1, 5, 5},
     {4, 20, 20}},
    {"FedRed", "fedred", fedred, {1, 5, 5}, {2, 10, 10}},
    {"FedRedGdRand", "fedred-gd", with(fedred, {{"averaging", "random"s}}), {1, 5, 5}, {2, 6, 10}},
    {"AdaptiveDanePlus", "adaptive-dane+", {}, {1, 5, 5}, {2, 10, 10}},
    {"AdaptiveFedRedRand", "adaptive-fedred", {{"averaging", "random"s}}, {1, 5, 5}, {2, 6, 10}},
    {"FedRedGdDrift", "fedred-gd", with(fedred, {{"control_variate", "drift"s}}), {}, {1, 5, 5}},
};

INSTANTIATE_TEST_SUITE_P(Spec, Traffics, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

std::uint64_t scalars_up(const std::string& method, const Settings& settings) {
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, method, settings);
  bed.rounds(3);
  return bed.federation().ledger().scalars_up;
}

TEST(Scalars, AreCountedApart) {
  EXPECT_EQ(scalars_up("giant", {{"halvings", std::int64_t{7}}}), 3U * 5 * (1 + 8)) << "f(x), then 8 values";
  EXPECT_EQ(scalars_up("spag", {{"lambda", 1.0}, {"gain", 100.0}}), 3U * 5 * 2) << "f(y) and f(x)";
  EXPECT_EQ(scalars_up("spag", {{"lambda", 1.0}, {"gain_rule", "search"s}}), 0U) << "the delegate sits with the server";
  EXPECT_EQ(scalars_up("newton-cg", {{"cg_steps", std::int64_t{1}}}), 4U * 5) << "f(x) at the start and in every round";
  EXPECT_EQ(scalars_up("aegs", {{"lambda", 1.0}, {"adaptive", true}}), 0U);
}

TEST(CoinTraffic, IsAddedInRoundsWithATrueCoinOnly) {
  const Instance instance = random_quadratics(4);
  const std::deque<bool> coins{false, true, false};
  Testbed bed(instance, "svrp", {{"step", 0.5}, {"p", 0.3}}, std::make_unique<ScriptedChance>(coins));
  bed.rounds(3);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(ledger.exchanges, 1U + 3U + 1U);
  EXPECT_EQ(ledger.vectors_up, 5U + 3U + 5U);
  EXPECT_EQ(ledger.vectors_down, 5U + 3U * 2U + 5U);
}

std::uint64_t gradients(const std::string& method, const Settings& settings, std::size_t rounds,
                        std::deque<bool> coins = {}) {
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, method, settings, std::make_unique<ScriptedChance>(std::move(coins)));
  bed.rounds(rounds);
  return bed.federation().busiest().gradients;
}

TEST(LocalWork, GradientOfTheControlVariateIsTheFirstLocalOne) {
  const Settings four_steps{{"lambda", 1.0}, {"eta", 12.0}, {"stop_rule", "steps"s}, {"local_steps", std::int64_t{4}}};
  EXPECT_EQ(gradients("dane+-gd", four_steps, 3), 12U);
  EXPECT_EQ(gradients("fedlin", {{"step", 0.05}, {"local_steps", std::int64_t{4}}}, 3), 12U);
  EXPECT_EQ(gradients("scaffold", {{"step", 0.05}, {"local_steps", std::int64_t{4}}, {"control_variate", "exact"s}}, 3),
            12U);
}

TEST(LocalWork, ValuesAndHessianProductsCount) {
  const Settings short_cg{{"cg_steps", std::int64_t{4}}, {"halvings", std::int64_t{2}}};
  EXPECT_EQ(gradients("giant", short_cg, 3), 3U * (1 + 4 + 3)) << "value with gradient, products, line search";
}

// The chosen client of CE-LGD takes K gradients, the others one; with a < 1 also one at the previous point from round 2
// on.
TEST(LocalWork, CeLgdChosenClientTakesOneGradientPerStep) {
  const Settings four_steps{{"step", 0.05}, {"local_steps", std::int64_t{4}}};
  const auto always_first = [] {
    return std::make_unique<ScriptedChance>(std::deque<bool>{}, std::deque<ClientId>{0, 0, 0});
  };
  const Instance instance = random_quadratics(4);
  Testbed plain(instance, "ce-lgd", four_steps, always_first());
  plain.rounds(3);
  EXPECT_EQ(plain.federation().tally(0).gradients, 3U * 4U);
  EXPECT_EQ(plain.federation().tally(1).gradients, 3U);
  Testbed mixed(instance, "ce-lgd", with(four_steps, {{"a", 0.5}}), always_first());
  mixed.rounds(3);
  EXPECT_EQ(mixed.federation().tally(0).gradients, 3U * 4U + 2U);
}

// Full batches: the gradient at x, sent to the server, is the first local one. Mime's batches are evaluated twice.
TEST(LocalWork, MimeEvaluatesBatchesAtTwoPoints) {
  const Settings four_steps{{"step", 0.05}, {"local_steps", std::int64_t{4}}};
  const Settings one_sample{{"batch", std::int64_t{1}}};
  EXPECT_EQ(gradients("mime", four_steps, 3), 3U * 4U);
  EXPECT_EQ(gradients("mimelite", four_steps, 3), 3U * 4U);
  EXPECT_EQ(gradients("mime-mvr", with(four_steps, {{"a", 0.3}}), 3), 3U * 4U + 2U);  // and those at the previous x
  EXPECT_EQ(gradients("mime", with(four_steps, one_sample), 3), 3U * (1U + 2U * 4U));
  EXPECT_EQ(gradients("mimelite", with(four_steps, one_sample), 3), 3U * (1U + 4U));
}

TEST(LocalWork, TestingTheReturnedPointCostsOneGradient) {
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, "dane+-gd", {{"lambda", 1.0}, {"eta", 12.0}, {"mu", 1.0}});
  bed.rounds(1);
  EXPECT_EQ(bed.federation().busiest().gradients, bed.federation().busiest().steps + 1);
}

// Coins 0 1 | 0 0 1 | 1: K = 6 iterations, 3 communications. The gradient of the last renewal waits for the next
// iteration.
TEST(LocalWork, FedRedGdReusesTheRenewalsGradientOnlyWithRestart) {
  const std::deque<bool> coins{false, true, false, false, true, true};
  const Settings settings{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.5}};
  EXPECT_EQ(gradients("fedred-gd", settings, 3, coins), 6U + 1U);
  EXPECT_EQ(gradients("fedred-gd", with(settings, {{"restart", false}}), 3, coins), 6U + 3U);
  EXPECT_EQ(gradients("fedred-gd", with(settings, {{"control_variate", "drift"s}}), 3, coins), 6U);
}

// p = 0.8 is the chance to skip: five iterations per communication, in the mean of 200.
TEST(LocalWork, FedPdSkipsWithProbabilityP) {
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, "fedpd", {{"step", 0.2}, {"p", 0.8}});
  bed.rounds(200);
  EXPECT_NEAR(static_cast<double>(bed.federation().busiest().steps), 200 * 5, 0.15 * 200 * 5);
}

TEST(LocalWork, LocalStepsAreTheIterationsOfThePaper) {
  const Instance instance = random_quadratics(4);
  const std::deque<bool> coins{false, true, false, false, true};
  Testbed bed(instance, "fedred-gd", {{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.5}},
              std::make_unique<ScriptedChance>(coins));
  bed.rounds(2);
  EXPECT_EQ(bed.federation().busiest().steps, 5U);
}

}  // namespace
}  // namespace driftless::test
