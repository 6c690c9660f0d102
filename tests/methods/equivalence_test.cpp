// Methods that are the same method for certain parameters: ten rounds on random quadratics, to 1e-9 relative.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Side {
  std::string method;
  Settings settings;
  std::function<std::unique_ptr<Chance>()> chance = {};
};

struct Row {
  std::string title;
  Side left;
  Side right;
};

class Equivalence : public testing::TestWithParam<Row> {};

TEST_P(Equivalence, HoldsRoundByRound) {
  const auto& [title, left, right] = GetParam();
  for (const std::uint64_t seed : {1U, 2U}) {
    const Instance instance = random_quadratics(seed);
    Testbed a(instance, left.method, left.settings, left.chance ? left.chance() : nullptr);
    Testbed b(instance, right.method, right.settings, right.chance ? right.chance() : nullptr);
    for (int r = 1; r <= 10; ++r) {
      const Vector& x = a.rounds(1);
      const Vector& y = b.rounds(1);
      EXPECT_LE((x - y).norm(), 1e-9 * x.norm()) << title << ", round " << r;
      ASSERT_GT((x - instance.start).norm(), 1e-3) << "a method that does not move proves nothing";
    }
  }
}

Settings steps(double step, std::int64_t k) { return {{"step", step}, {"local_steps", k}}; }

// K gradient steps of size 1/(eta + lambda) inside DANE+.
Settings dane_gd(double lambda, double eta, std::int64_t k) {
  return {{"lambda", lambda}, {"eta", eta}, {"stop_rule", "steps"s}, {"local_steps", k}};
}

const Side gd{"gd", {{"step", 0.05}}};
const Settings drift{{"control_variate", "drift"s}};
const Settings exact{{"control_variate", "exact"s}};
const Settings random_client{{"averaging", "random"s}};
const Settings e_r{{"stop_rule", "e_r"s}};
const Settings fedred_gd{{"lambda", 2.0}, {"eta", 16.0}, {"p", 0.3}};
const auto every_fourth = [] { return std::unique_ptr<Chance>(ScriptedChance::periodic(4)); };

const auto client_2_always = [] {
  return std::unique_ptr<Chance>(std::make_unique<ScriptedChance>(std::deque<bool>{}, std::deque<ClientId>(10, 2)));
};

const std::vector<Row> rows{
    {"GdIsFedAvgWithOneStep", gd, {"fedavg", steps(0.05, 1)}},
    {"GdIsFedLinWithOneStep", gd, {"fedlin", steps(0.05, 1)}},
    {"GdIsScaffoldExactWithOneStep", gd, {"scaffold", with(steps(0.05, 1), exact)}},
    {"GdIsScaffnewWithPOne", gd, {"scaffnew", {{"step", 0.05}, {"p", 1.0}}}},
    {"GdIsFedRedGdWithPOne", gd, {"fedred-gd", {{"lambda", 4.0}, {"eta", 16.0}, {"p", 1.0}}}},
    {"DanePlusIsAdaptiveWithLambdaGiven",
     {"dane+", with({{"lambda", 1.0}, {"solver", "gd"s}, {"eta", 20.0}}, e_r)},
     {"adaptive-dane+", with({{"lambda", 1.0}, {"solver", "gd"s}, {"eta", 20.0}}, e_r)}},
    {"DanePlusRandIsAdaptiveWithLambdaGiven",
     {"dane+", with({{"lambda", 1.0}}, random_client)},
     {"adaptive-dane+", with({{"lambda", 1.0}, {"solver", "exact"s}}, random_client)}},
    {"FedRedGdIsAdaptiveWithAllGiven", {"fedred-gd", fedred_gd}, {"adaptive-fedred", fedred_gd}},
    {"FedRedGdRandIsAdaptiveWithAllGiven",
     {"fedred-gd", with(fedred_gd, random_client)},
     {"adaptive-fedred", with(fedred_gd, random_client)}},
    {"DaneIsDanePlus", {"dane", {{"lambda", 1.0}}}, {"dane+", {{"lambda", 1.0}}}},
    {"DaneIsFedRedExactWithPOneEtaZero",
     {"dane", {{"lambda", 1.0}}},
     {"fedred", {{"lambda", 1.0}, {"eta", 0.0}, {"p", 1.0}}}},
    {"FedLinIsScaffoldExact", {"fedlin", steps(0.05, 4)}, {"scaffold", with(steps(0.05, 4), exact)}},
    {"FedLinIsDanePlusGdWithLambdaZero", {"fedlin", steps(0.05, 4)}, {"dane+-gd", dane_gd(0.0, 20.0, 4)}},
    {"DaneIsSonata", {"dane", {{"lambda", 1.0}}}, {"sonata", {{"tau", 1.0}}}},
    {"CeLgdIsDanePlusGdWithLambdaZeroAndRand",
     {"ce-lgd", steps(0.05, 4)},
     {"dane+-gd", with(dane_gd(0.0, 20.0, 4), random_client)}},
    {"CeLgdWithEveryoneDoesNotDependOnA", {"ce-lgd", steps(0.05, 4)}, {"ce-lgd", with(steps(0.05, 4), {{"a", 0.3}})}},
    {"SvrpWithPOneIsDanePlusRand",
     {"svrp", {{"step", 0.5}, {"p", 1.0}}},
     {"dane+", with({{"lambda", 2.0}}, random_client)}},
    {"SvrpGdWithPOneIsDanePlusGdRand",
     {"svrp",
      {{"step", 0.5}, {"p", 1.0}, {"solver", "prox-gradient"s}, {"eta", 20.0}, {"local_steps", std::int64_t{4}}}},
     {"dane+-gd", with(dane_gd(2.0, 20.0, 4), random_client)}},
    {"GdIsMimeMvrWithOneStep", gd, {"mime-mvr", with(steps(0.05, 1), {{"a", 0.3}})}},
    {"FedLinIsMimeMvr", {"fedlin", steps(0.05, 4)}, {"mime-mvr", with(steps(0.05, 4), {{"a", 0.3}})}},
    {"FedLinIsMimeMvrWithSmallA", {"fedlin", steps(0.05, 4)}, {"mime-mvr", with(steps(0.05, 4), {{"a", 0.01}})}},
    {"FedLinIsMimeWithoutMomentum", {"fedlin", steps(0.05, 4)}, {"mime", with(steps(0.05, 4), {{"b", 0.0}})}},
    {"FedAvgIsMimeLiteWithoutMomentum", {"fedavg", steps(0.05, 4)}, {"mimelite", with(steps(0.05, 4), {{"b", 0.0}})}},
    {"MimeIsMimeLiteWithOneStep",
     {"mime", with(steps(0.05, 1), {{"b", 0.6}})},
     {"mimelite", with(steps(0.05, 1), {{"b", 0.6}})}},
    {"FedDynIsDanePlusWithDrift", {"feddyn", {{"alpha", 2.0}}}, {"dane+", with({{"lambda", 2.0}}, drift)}},
    {"FedProxIsDanePlusWithoutCorrection",
     {"fedprox", {{"lambda", 2.0}}},
     {"dane+", {{"lambda", 2.0}, {"control_variate", "none"s}}}},
    {"FedAvgIsFedProxWithLambdaZero",
     {"fedavg", steps(0.05, 4)},
     {"fedprox", with(dane_gd(0.0, 20.0, 4), {{"solver", "prox-gradient"s}})}},
    {"GdAndProxGradientInsideAreOne",
     {"dane+", with(dane_gd(2.0, 20.0, 4), {{"solver", "gd"s}})},
     {"dane+-gd", dane_gd(2.0, 20.0, 4)}},
    {"DanePlusGdIsFedRedGdWithPeriodicCoin",
     {"dane+-gd", dane_gd(2.0, 20.0, 4)},
     {"fedred-gd", {{"lambda", 2.0}, {"eta", 20.0}, {"p", 0.25}}, every_fourth}},
    {"ScaffnewIsFedRedGdWithDriftAndLambdaZero",
     {"scaffnew", {{"step", 0.05}, {"p", 0.3}}},
     {"fedred-gd", with({{"lambda", 0.0}, {"eta", 20.0}, {"p", 0.3}}, drift)}},
    {"FedLinIsFedRedGdWithLambdaZeroAndPeriodicCoin",
     {"fedlin", steps(0.05, 4)},
     {"fedred-gd", {{"lambda", 0.0}, {"eta", 20.0}, {"p", 0.25}}, every_fourth}},
    {"FedProxGdIsFedRedGdWithoutCorrection",
     {"fedprox", with(dane_gd(2.0, 20.0, 4), {{"solver", "prox-gradient"s}})},
     {"fedred-gd", {{"lambda", 2.0}, {"eta", 20.0}, {"p", 0.25}, {"control_variate", "none"s}}, every_fourth}},
    {"InexactDaneIsDanePlus", {"inexact-dane", {{"lambda", 1.0}}}, {"dane+", {{"lambda", 1.0}}}},
    {"InexactDaneGdIsDanePlusGd",
     {"inexact-dane", with(dane_gd(2.0, 20.0, 4), {{"solver", "prox-gradient"s}})},
     {"dane+-gd", dane_gd(2.0, 20.0, 4)}},
    {"AideWithoutPullIsInexactDane",
     {"aide", {{"lambda", 1.0}, {"damping", 0.7}, {"tau", 0.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{1}}}},
     {"inexact-dane", {{"lambda", 1.0}, {"damping", 0.7}}}},
    {"DaneHbWithoutBallIsDaneWithOneClientsPoint",
     {"dane-hb", {{"lambda", 2.0}, {"beta", 0.0}, {"delegate", std::int64_t{2}}}},
     {"dane+", {{"lambda", 2.0}, {"averaging", "random"s}}, client_2_always}},
    {"NewtonCgSolvedExactlyIsDiscoSolvedExactly",
     {"newton-cg", {{"forcing", "fixed"s}, {"cg_tolerance", 1e-12}}},
     {"disco", {{"lambda", 1.0}, {"pcg_tolerance", 1e-12}}}},
    {"AccSonataWithBetaMuIsDane",
     {"acc-sonata", {{"lambda", 1.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{1}}}},
     {"dane", {{"lambda", 1.0}}}},
    {"AccSonataIsAide",
     {"acc-sonata", {{"lambda", 3.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{2}}}},
     {"aide", {{"lambda", 3.0}, {"tau", 2.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{2}}}}},
    {"FullBatchSgdIsGdInsideDanePlus",
     {"dane+-sgd", {{"lambda", 2.0}, {"eta", 20.0}, {"local_steps", std::int64_t{4}}, {"batch", std::int64_t{1}}}},
     {"dane+-gd", dane_gd(2.0, 20.0, 4)}},
};

INSTANTIATE_TEST_SUITE_P(Spec, Equivalence, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

// FedPD hands out its server point; its client points are those of FedDyn, and its server point FedDyn's server model.
TEST(Equivalences, FedPdWithoutSkippingIsFedDyn) {
  const Instance instance = random_quadratics(4);
  Testbed pd(instance, "fedpd", {{"step", 0.5}});
  Testbed dyn(instance, "feddyn", {{"alpha", 2.0}});
  for (int r = 1; r <= 10; ++r) {
    pd.rounds(1);
    dyn.rounds(1);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_LE((pd.client_vector("x_i", i) - dyn.client_vector("theta_i", i)).norm(), 1e-9) << "round " << r;
    EXPECT_LE((pd.x() - dyn.vector("theta")).norm(), 1e-9) << "round " << r;
  }
}

// With batches of three of ten samples and three of five clients: the same batches and cohorts are drawn on both sides.
TEST(Equivalences, MimeMvrWithAOneIsMimeWithoutMomentumAlsoForBatches) {
  const Instance instance = demo_quadratics();
  const Settings sampled{{"step", 0.001}, {"batch", std::int64_t{3}}, {"cohort", std::int64_t{3}}};
  Testbed mvr(instance, "mime-mvr", with(sampled, {{"a", 1.0}}));
  Testbed mime(instance, "mime", with(sampled, {{"b", 0.0}}));
  Testbed lite_mvr(instance, "mime-mvr", with(sampled, {{"a", 1.0}, {"correction", false}}));
  Testbed fedavg(instance, "fedavg", sampled);
  for (int r = 1; r <= 10; ++r) {
    EXPECT_LE((mvr.rounds(1) - mime.rounds(1)).norm(), 1e-9 * mime.x().norm()) << "round " << r;
    EXPECT_LE((lite_mvr.rounds(1) - fedavg.rounds(1)).norm(), 1e-9 * fedavg.x().norm()) << "round " << r;
  }
  EXPECT_GT((mime.x() - fedavg.x()).norm(), 1e-3);
}

// The batch of a first step is evaluated twice at x and cancels: only its full gradient c is left.
TEST(Equivalences, MimeWithOneStepIsGdAlsoForBatches) {
  const Instance instance = demo_quadratics();
  const Settings one_step{{"step", 0.01}, {"local_steps", std::int64_t{1}}, {"batch", std::int64_t{3}}};
  Testbed descent(instance, "gd", {{"step", 0.01}});
  Testbed mime(instance, "mime", with(one_step, {{"b", 0.0}}));
  Testbed mvr(instance, "mime-mvr", with(one_step, {{"a", 0.3}}));
  for (int r = 1; r <= 10; ++r) {
    const Vector& x = descent.rounds(1);
    EXPECT_LE((mime.rounds(1) - x).norm(), 1e-9 * x.norm()) << "round " << r;
    EXPECT_LE((mvr.rounds(1) - x).norm(), 1e-9 * x.norm()) << "round " << r;
  }
}

// Identical clients: one DANE round with λ = 0 solves the problem.
TEST(Equivalences, DaneWithIdenticalClientsSolvesInOneRound) {
  Instance one = random_quadratics(3, 1);
  Testbed bed(one, "dane", {{"lambda", 0.0}});
  EXPECT_LT((bed.rounds(1) - one.minimizer).norm(), 1e-10);
}

}  // namespace
}  // namespace driftless::test
