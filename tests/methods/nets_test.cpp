// The methods for nets: rounds by hand, what they are for certain parameters, what they cost.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/methods/nets_settings.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// Both for each of the ten rounds, to 1e-9.
void expect_same_path(const Instance& instance, const std::pair<std::string, Settings>& left,
                      const std::pair<std::string, Settings>& right, double tolerance = 1e-9) {
  Testbed a(instance, left.first, left.second);
  Testbed b(instance, right.first, right.second);
  for (int r = 1; r <= 10; ++r)
    EXPECT_LE((a.rounds(1) - b.rounds(1)).norm(), tolerance * b.x().norm()) << left.first << ", round " << r;
  EXPECT_GT((a.x() - instance.start).norm(), 1e-3) << "a method that does not move proves nothing";
}

// f_1 = x²/2, f_2 = 3(x − 2)²/2, start 0: Δ = 15/16 − (11/16) x for two steps of 1/4.
struct Row {
  std::string title;
  std::string method;
  Settings settings;
  std::vector<double> x;  // after round 1, 2, …
};

class NetsToy : public testing::TestWithParam<Row> {};

TEST_P(NetsToy, GivesTheServerPointsWorkedOutByHand) {
  const Row& row = GetParam();
  const Instance instance = toy();
  Testbed bed(instance, row.method, with(two_steps, row.settings), std::make_unique<ScriptedChance>());
  for (std::size_t r = 0; r < row.x.size(); ++r) EXPECT_NEAR(bed.rounds(1)[0], row.x[r], 1e-12) << "round " << r + 1;
}

// η = 1, τ = 1/2 and no momentum
const Settings half{{"server_step", 1.0}, {"tau", 0.5}, {"beta1", 0.0}};

const std::vector<Row> toy_rows{
    {"FedOptSgdIsFedAvg", "fedopt", with(half, {{"server_optimizer", "sgd"s}}), {15.0 / 16, 315.0 / 256}},
    {"FedOptSgdWithMomentum",
     "fedopt",
     {{"server_optimizer", "sgd"s}, {"server_step", 1.0}, {"beta1", 0.5}},
     {15.0 / 32, 1035.0 / 1024}},
    {"FedAdagrad", "fedadagrad", half, {3.0 / 5}},                           // √v = 17/16
    {"FedAdam", "fedadam", with(half, {{"beta2", 81.0 / 161}}), {3.0 / 4}},  // √v = 3/4
    {"FedAdamWithMomentum", "fedadam", with(half, {{"beta2", 81.0 / 161}, {"beta1", 0.5}}), {3.0 / 8}},
    {"FedYogiUp", "fedyogi", with(half, {{"beta2", 21.0 / 25}}), {5.0 / 6}},                  // √v = 5/8
    {"FedYogiDown", "fedyogi", with(half, {{"beta2", 0.4}, {"v_start", 9.0}}), {15.0 / 29}},  // √v = 21/16
    {"FedDc", "feddc", {{"alpha", 0.5}}, {27.0 / 16, 2133.0 / 1024, 115803.0 / 65536}},
    {"FedDcOneClientAtATime", "feddc", with(one_client, {{"alpha", 0.5}}), {0.0, 81.0 / 32, 5859.0 / 2048}},
    {"AdaBest", "adabest", {{"mu", 1.0}, {"beta", 0.5}}, {15.0 / 16, 315.0 / 256, 20775.0 / 16384}},
    {"AdaBestOneClientAtATime",
     "adabest",
     with(one_client, {{"mu", 1.0}, {"beta", 0.5}}),
     {0.0, 15.0 / 8, 405.0 / 256}},
    {"FedPvrOfNothing", "fedpvr", {{"corrected", 0.0}}, {15.0 / 16, 315.0 / 256}},
    {"FedPvrOfEverything", "fedpvr", {{"corrected", 1.0}}, {15.0 / 16, 345.0 / 256}},
};

INSTANTIATE_TEST_SUITE_P(Spec, NetsToy, testing::ValuesIn(toy_rows), [](const auto& row) { return row.param.title; });

// The same toy twice over, side by side: the first entry goes as in FedAvg, the second as in Scaffold.
TEST(FedPvrParts, GoTheirOwnWays) {
  Instance instance{.start = Vector::Zero(2)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Identity(2, 2), Vector(Vector::Zero(2)))));
  instance.clients.push_back(make_client(DenseQuadratic(3.0 * Matrix::Identity(2, 2), Vector::Constant(2, 2.0))));
  Testbed bed(instance, "fedpvr", with(two_steps, {{"corrected", 0.5}}));
  const Vector x = bed.rounds(2);
  EXPECT_NEAR(x[0], 315.0 / 256, 1e-12);
  EXPECT_NEAR(x[1], 345.0 / 256, 1e-12);
  EXPECT_EQ(bed.vector("c").size(), 1) << "the uncorrected entry has no control variate";
}

TEST(NetsEquivalences, FedOptWithPlainStepsIsFedAvg) {
  const Settings plain{{"server_optimizer", "sgd"s}, {"server_step", 1.0}, {"beta1", 0.0}};
  expect_same_path(random_quadratics(1), {"fedopt", with(four_steps, plain)}, {"fedavg", four_steps});
  expect_same_path(demo_quadratics(), {"fedopt", with(sampled, plain)}, {"fedavg", sampled});
}

TEST(NetsEquivalences, NamesSettleTheOptimizerOfFedOpt) {
  for (const auto& [name, rule] : {std::pair{"fedadam"s, "adam"s}, {"fedyogi"s, "yogi"s}})
    expect_same_path(demo_quadratics(), {name, sampled}, {"fedopt", with(sampled, {{"server_optimizer", rule}})}, 0.0);
  expect_same_path(demo_quadratics(), {"fedadagrad", sampled},
                   {"fedopt", with(sampled, {{"server_optimizer", "adagrad"s}, {"beta1", 0.0}})}, 0.0);
}

TEST(NetsEquivalences, AdaptiveServersTendToFedAvgForLargeTau) {
  for (const std::string& name : adaptive) {
    const Settings large{{"server_step", 1e9}, {"tau", 1e9}, {"beta1", 0.0}, {"v_start", 0.0}};
    expect_same_path(demo_quadratics(), {name, with(sampled, large)}, {"fedavg", sampled}, 1e-6);
  }
  // v_0 = τ² stays beside τ in Adagrad's root: half the step.
  const Settings twice{{"server_step", 2e9}, {"tau", 1e9}, {"v_start", 1.0}};
  expect_same_path(demo_quadratics(), {"fedadagrad", with(sampled, twice)}, {"fedavg", sampled}, 1e-6);
}

TEST(NetsEquivalences, AdaBestWithoutBetaAndMuIsFedAvg) {
  const Settings off{{"beta", 0.0}, {"mu", 0.0}};
  expect_same_path(random_quadratics(2), {"adabest", with(four_steps, off)}, {"fedavg", four_steps});
  expect_same_path(demo_quadratics(), {"adabest", with(sampled, off)}, {"fedavg", sampled});
}

// θ̄_{t+1} is a round of FedAvg from w = θ̄_t + β (θ̄_t − θ̄_{t−1}).
TEST(NetsEquivalences, AdaBestWithoutMuExtrapolatesAtTheServer) {
  const Instance instance = random_quadratics(3);
  Testbed bed(instance, "adabest", with(four_steps, {{"mu", 0.0}, {"beta", 0.7}}));
  Vector before = instance.start;
  Vector now = instance.start;
  for (int t = 1; t <= 8; ++t) {
    Testbed average(instance, "fedavg", four_steps);
    const Vector next = average.from(now + 0.7 * (now - before)).rounds(1);
    EXPECT_LT((bed.rounds(1) - next).norm(), 1e-12) << "round " << t;
    before = now;
    now = next;
  }
}

TEST(NetsEquivalences, FedPvrIsScaffoldOrFedAvgAtTheEnds) {
  for (const auto& [instance, settings] : {std::pair{random_quadratics(4), four_steps}, {demo_quadratics(), sampled}}) {
    expect_same_path(instance, {"fedpvr", with(settings, {{"corrected", 1.0}})}, {"scaffold", settings}, 1e-12);
    expect_same_path(instance, {"fedpvr", with(settings, {{"corrected", 0.0}})}, {"fedavg", settings}, 1e-12);
  }
  const Settings far{{"server_step", 1.3}};
  expect_same_path(demo_quadratics(), {"fedpvr", with(sampled, with(far, {{"corrected", 1.0}}))},
                   {"scaffold", with(sampled, far)}, 1e-12);
}

// Dense quadratics have one sample: a batch of one is all there is. FedDC's steps keep their length beside its pull.
TEST(NetsEquivalences, StepsWithFullBatchesAreGradientSteps) {
  const std::vector<std::pair<std::string, Settings>> cases{
      {"fedadam", {}}, {"feddc", {{"alpha", 2.0}}}, {"adabest", {}}, {"fedpvr", {{"corrected", 0.5}}}, {"fedexp", {}}};
  for (const auto& [method, more] : cases) {
    const Settings plain = with(four_steps, more);
    expect_same_path(random_quadratics(7), {method, with(plain, {{"batch", std::int64_t{1}}})}, {method, plain});
  }
}

// With its gradient term taken away, w is the server model of FedDyn, and −α h_i its g_i.
TEST(NetsEquivalences, FedDcWithoutItsGradientTermIsFedDyn) {
  const Instance instance = random_quadratics(5);
  const double alpha = 2.0;
  const Settings same_steps{{"solver", "gd"s}, {"eta", 1.0 / 0.04 - alpha}, {"local_steps", std::int64_t{4}}};
  Testbed dc(instance, "feddc", with(four_steps, {{"alpha", alpha}, {"cohort", std::int64_t{3}}}));
  Testbed dyn(instance, "feddyn", with(same_steps, {{"alpha", alpha}, {"cohort", std::int64_t{3}}}));
  for (int t = 1; t <= 10; ++t) {
    dc.rounds(1);
    dyn.rounds(1);
    EXPECT_LT((dc.x() - dyn.vector("theta")).norm(), 1e-10) << "round " << t;
    EXPECT_LT((alpha * dc.vector("h") + dyn.vector("h")).norm(), 1e-10) << "round " << t;
    dc.vector("g").setZero();
    for (std::size_t i = 0; i < 5; ++i) dc.client_vector("g_i", i).setZero();
  }
}

// From Scaffold's point with h_i = 0, ḡ = c, g_i = c_i, α = 0: w = 2 θ̄ − w, and θ̄, g_i are those of Scaffold.
TEST(NetsEquivalences, FedDcWithoutDriftHasTheCorrectionsOfScaffold) {
  const Instance instance = random_quadratics(6);
  Testbed scaffold(instance, "scaffold", four_steps);
  scaffold.start();
  for (int r = 1; r <= 10; ++r) {
    const Vector w = scaffold.x();
    Testbed dc(instance, "feddc", with(four_steps, {{"alpha", 0.0}}));
    dc.from(w).start();
    dc.vector("g") = scaffold.vector("c");
    for (std::size_t i = 0; i < 5; ++i) dc.client_vector("g_i", i) = scaffold.client_vector("c_i", i);
    dc.rounds(1);
    scaffold.rounds(1);
    EXPECT_LT(((dc.x() + w) / 2 - scaffold.x()).norm(), 1e-12) << "round " << r;
    EXPECT_LT((dc.vector("g") - scaffold.vector("c")).norm(), 1e-11) << "round " << r;
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_LT((dc.client_vector("g_i", i) - scaffold.client_vector("c_i", i)).norm(), 1e-11) << "round " << r;
  }
}
// Entries and vectors for n = 5 and d = 12.
struct Cost {
  std::string title;
  std::string method;
  Settings settings;
  Traffic round;
  std::uint64_t up;  // entries in a round
  std::uint64_t down;
};

class NetsCosts : public testing::TestWithParam<Cost> {};

TEST_P(NetsCosts, AreAsWrittenDown) {
  const Cost& cost = GetParam();
  const Instance instance = random_quadratics(20);
  Testbed bed(instance, cost.method, with(four_steps, cost.settings));
  bed.rounds(3);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(bed.method().round_traffic(5), cost.round);
  EXPECT_EQ(ledger.exchanges, 3 * cost.round.exchanges);
  EXPECT_EQ(ledger.vectors_up, 3 * cost.round.up);
  EXPECT_EQ(ledger.vectors_down, 3 * cost.round.down);
  EXPECT_EQ(ledger.bytes_up, 3 * 8 * cost.up);
  EXPECT_EQ(ledger.bytes_down, 3 * 8 * cost.down);
  EXPECT_EQ(ledger.scalars_up, 0U);
  EXPECT_EQ(bed.federation().busiest().gradients, bed.federation().busiest().steps) << "a pass for each local step";
}

const Settings cohort{{"cohort", std::int64_t{2}}};
const std::vector<Cost> costs{
    {"FedAdam", "fedadam", {}, {1, 5, 5}, 60, 60},
    {"FedAdamSampled", "fedadam", cohort, {1, 2, 2}, 24, 24},
    {"FedDc", "feddc", {}, {1, 5, 10}, 60, 120},
    {"FedDcSampled", "feddc", cohort, {1, 2, 4}, 24, 48},
    {"AdaBest", "adabest", {}, {1, 5, 5}, 60, 60},
    {"AdaBestSampled", "adabest", cohort, {1, 2, 2}, 24, 24},
    {"FedPvrNothing", "fedpvr", {{"corrected", 0.0}}, {1, 5, 5}, 60, 60},
    {"FedPvrQuarter", "fedpvr", {{"corrected", 0.25}}, {1, 10, 10}, 75, 75},
    {"FedPvrQuarterSampled", "fedpvr", with(cohort, {{"corrected", 0.25}}), {1, 4, 4}, 30, 30},
    {"FedPvrAtLeastOneEntry", "fedpvr", {{"corrected", 1e-6}}, {1, 10, 10}, 65, 65},
    {"FedPvrEverything", "fedpvr", {{"corrected", 1.0}}, {1, 10, 10}, 120, 120},
};

INSTANTIATE_TEST_SUITE_P(Spec, NetsCosts, testing::ValuesIn(costs), [](const auto& row) { return row.param.title; });

}  // namespace
}  // namespace driftless::test
