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
    {"Dane", "dane", {{"lambda", 1.0}}, {}, {2, 10, 10}},
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
  EXPECT_EQ(scalars_up("aegs", {{"lambda", 1.0}, {"adaptive", true}}), 0U);
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
