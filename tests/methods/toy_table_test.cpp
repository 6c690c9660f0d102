// The instance worked out by hand: f_1 = x²/2, f_2 = 3(x − 2)²/2, start 0. Every number is an exact fraction.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr double tolerance = 1e-12;

struct Row {
  std::string title;
  std::string method;
  Settings settings;
  double from;
  std::deque<bool> coins;
  std::deque<ClientId> clients;
  std::vector<double> x;  // after round 1, 2, …
};

class ToyTable : public testing::TestWithParam<Row> {};

TEST_P(ToyTable, GivesTheServerPointsWorkedOutByHand) {
  const Row& row = GetParam();
  const Instance instance = toy();
  Testbed bed(instance, row.method, row.settings, std::make_unique<ScriptedChance>(row.coins, row.clients));
  bed.from(scalar(row.from));
  for (std::size_t r = 0; r < row.x.size(); ++r)
    EXPECT_NEAR(bed.rounds(1)[0], row.x[r], tolerance) << "round " << r + 1;
}

const std::int64_t two = 2;
const Settings client_2{{"delegate", std::int64_t{1}}};  // client 2 sits with the server
const Settings one_composite_step{
    {"lambda", 1.0}, {"beta", 0.5}, {"p_loc", 1.0}, {"eta", 3.0}, {"cohort", std::int64_t{1}}};
const Settings two_steps{{"step", 0.25}, {"local_steps", two}};

Settings exact_with(double lambda) { return {{"lambda_rule", "fixed"s}, {"lambda", lambda}, {"solver", "exact"s}}; }

const std::vector<Row> rows{
    {"AdaptiveDanePlus",
     "adaptive-dane+",
     {{"solver", "exact"s}, {"lambda_start", 1.0}},
     0,
     {},
     {},
     {9.0 / 8, 83.0 / 56, 83.0 / 56 + 5.0 / 294}},  // λ = 1, then c δ̂ = 1/2
    {"AdaptiveDanePlusLambdaGiven",
     "adaptive-dane+",
     {{"solver", "exact"s}, {"lambda", 1.0}},
     0,
     {},
     {},
     {9.0 / 8, 45.0 / 32}},
    {"AdaptiveFedRedAllGiven",
     "adaptive-fedred",
     {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}},
     0,
     {false, true, false},
     {},
     {15.0 / 16}},
    {"GdHalf", "gd", {{"step", 0.5}}, 0, {}, {}, {1.5}},
    {"GdThird", "gd", {{"step", 1.0 / 3}}, 0, {}, {}, {1.0}},
    {"GdQuarter", "gd", {{"step", 0.25}}, 0, {}, {}, {0.75}},
    {"AgdConvex", "agd", {{"step", 1.0 / 3}}, 0, {}, {}, {1.0, 4.0 / 3, 53.0 / 36}},
    {"FedAvg", "fedavg", two_steps, 0, {}, {}, {15.0 / 16}},
    {"FedAvgLeavesTheMinimizer", "fedavg", two_steps, 1.5, {}, {}, {45.0 / 32}},
    {"FedAvgStaysAtItsBiasedPoint", "fedavg", two_steps, 15.0 / 11, {}, {}, {15.0 / 11}},
    {"FedProx", "fedprox", {{"lambda", 1.0}}, 0, {}, {}, {0.75}},
    {"FedProxLeavesTheMinimizer", "fedprox", {{"lambda", 1.0}}, 1.5, {}, {}, {21.0 / 16}},
    {"FedProxStaysAtItsBiasedPoint", "fedprox", {{"lambda", 1.0}}, 1.2, {}, {}, {1.2}},
    {"ScaffoldExact", "scaffold", with(two_steps, {{"control_variate", "exact"s}}), 0, {}, {}, {9.0 / 8}},
    {"ScaffoldOption1",
     "scaffold",
     with(two_steps, {{"control_variate", "option1"s}}),
     0,
     {},
     {},
     {15.0 / 16, 363.0 / 256}},
    {"ScaffoldOption2",
     "scaffold",
     with(two_steps, {{"control_variate", "option2"s}}),
     0,
     {},
     {},
     {15.0 / 16, 345.0 / 256}},
    {"FedLin", "fedlin", two_steps, 0, {}, {}, {9.0 / 8}},
    {"Dane", "dane", {{"lambda", 1.0}}, 0, {}, {}, {9.0 / 8, 45.0 / 32}},
    {"DaneStronger", "dane", {{"lambda", 2.0}}, 0, {}, {}, {4.0 / 5}},
    {"DanePlusGd",
     "dane+-gd",
     {{"lambda", 1.0}, {"eta", 3.0}, {"stop_rule", "steps"s}, {"local_steps", two}},
     0,
     {},
     {},
     {15.0 / 16}},
    {"DanePlusRandFirst", "dane+", {{"lambda", 1.0}, {"averaging", "random"s}}, 0, {}, {0}, {1.5}},
    {"DanePlusRandSecond", "dane+", {{"lambda", 1.0}, {"averaging", "random"s}}, 0, {}, {1}, {0.75}},
    {"DanePlusDrift",
     "dane+",
     {{"lambda", 1.0}, {"control_variate", "drift"s}},
     0,
     {},
     {},
     {3.0 / 4, 9.0 / 8, 21.0 / 16}},
    {"InexactDaneHalf", "inexact-dane", {{"lambda", 1.0}, {"damping", 0.5}}, 0, {}, {}, {9.0 / 16}},
    {"Aide",
     "aide",
     {{"lambda", 1.0}, {"tau", 3.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{1}}},
     0,
     {},
     {},
     {18.0 / 35, 1152.0 / 1225}},
    {"DaneHb", "dane-hb", with(client_2, {{"lambda", 1.0}, {"beta", 0.25}}), 0, {}, {}, {3.0 / 4, 21.0 / 16}},
    {"Spag",
     "spag",
     with(client_2, {{"lambda", 2.5}, {"mu", 1.0}, {"gain_rule", "fixed"s}}),
     0,
     {},
     {},
     {6.0 / 11, 108.0 / 121}},
    {"AegsEstimatingSequence",
     "aegs",
     with(client_2, {{"lambda", 0.8}, {"mu", 1.0}}),
     0,
     {},
     {},
     {15.0 / 19, 1905.0 / 1444}},
    {"AegsExtragradient",
     "aegs",
     with(client_2, {{"lambda", 1.0}, {"mu", 1.0}, {"form", "extragradient"s}}),
     0,
     {},
     {},
     {3.0 / 5, 57.0 / 50}},
    {"SDane", "s-dane", exact_with(1.0), 0, {}, {}, {9.0 / 8, 45.0 / 32}},
    {"SDaneOneLocalStep",
     "s-dane",
     with(exact_with(1.0),
          {{"solver", "gd"s}, {"eta", 3.0}, {"stop_rule", "steps"s}, {"local_steps", std::int64_t{1}}}),
     0,
     {},
     {},
     {3.0 / 4, 3.0 / 2}},
    {"SDaneSampled",
     "s-dane",
     with(exact_with(1.0), {{"cohort", std::int64_t{1}}}),
     0,
     {},
     {},
     {0.0, 3.0 / 2, 3.0 / 4}},
    {"SDaneSearch",
     "s-dane",
     {{"lambda_rule", "search"s}, {"lambda", 0.5}, {"solver", "exact"s}},
     0,
     {},
     {},
     {10.0 / 7, 9.0 / 8, 83.0 / 56}},
    {"SDaneHybrid", "s-dane", {{"lambda", 0.5}, {"solver", "exact"s}}, 0, {}, {}, {10.0 / 7, 387.0 / 280}},
    {"AccSDane", "acc-s-dane", with(exact_with(3.0), {{"mu", 1.0}}), 0, {}, {}, {5.0 / 8, 95.0 / 96}},
    {"Cgm", "cgm", with(client_2, exact_with(1.0)), 0, {}, {}, {3.0 / 4, 9.0 / 8}},
    {"CgmSearch",
     "cgm",
     {{"lambda_rule", "search"s}, {"lambda", 1.5}, {"solver", "exact"s}},
     0,
     {},
     {},
     {6.0 / 5, 3.0 / 4, 27.0 / 20}},
    {"Giant", "giant", {}, 0, {}, {}, {2.0, 4.0 / 3}},
    {"NewtonCg", "newton-cg", {}, 0, {}, {}, {1.5, 1.5}},
    {"NewtonCgMerged", "newton-cg", {{"directions", std::int64_t{1}}}, 0, {}, {}, {1.5, 1.5}},
    {"Lbfgs", "l-bfgs", {}, 0, {}, {}, {1.0, 1.5}},
    {"LbfgsFromAfar", "l-bfgs", {}, 4, {}, {}, {3.0, 1.5}},
    {"Disco", "disco", with(client_2, {{"lambda", 1.0}}), 0, {}, {}, {1.5}},
    {"Catalyst",
     "catalyst",
     {{"inner", "inexact-dane"s}, {"lambda", 1.0}, {"kappa", 3.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{1}}},
     0,
     {},
     {},
     {18.0 / 35, 1152.0 / 1225}},
    {"Svrs", "svrs", {{"step", 0.5}, {"p", 0.5}}, 0, {false, true}, {}, {1.0, 1.0, 4.0 / 3}},
    {"AccSvrs",
     "acc-svrs",
     {{"step", 0.5}, {"p", 0.5}, {"tau", 0.5}, {"alpha", 1.0}, {"mu", 1.0}},
     0,
     {},
     {},
     {1.0, 31.0 / 24}},
    {"RgSaga", "rg-saga", one_composite_step, 0, {}, {}, {3.0 / 4, 21.0 / 16, 81.0 / 64}},
    {"RgSvrg",
     "rg-svrg",
     with(one_composite_step, {{"p", 0.5}}),
     0,
     {true, false, true, false},
     {},
     {3.0 / 4, 21.0 / 16, 81.0 / 64}},
    {"AccSonata",
     "acc-sonata",
     {{"lambda", 4.0}, {"mu", 1.0}, {"inner_rounds", std::int64_t{1}}},
     0,
     {},
     {},
     {27.0 / 80, 4077.0 / 6400}},
    {"FedDyn", "feddyn", {{"alpha", 1.0}}, 0, {}, {}, {3.0 / 4, 9.0 / 8, 21.0 / 16}},
    {"FedPd", "fedpd", {{"step", 1.0}}, 0, {}, {}, {3.0 / 2, 3.0 / 2, 3.0 / 2}},
    {"Sonata", "sonata", {{"tau", 1.0}}, 0, {}, {}, {9.0 / 8, 45.0 / 32}},
    {"SonataHalfway", "sonata", {{"tau", 1.0}, {"step", 0.5}}, 0, {}, {}, {9.0 / 16}},
    {"CeLgdFirst", "ce-lgd", two_steps, 0, {}, {0}, {21.0 / 16}},
    {"CeLgdSecond", "ce-lgd", two_steps, 0, {}, {1}, {15.0 / 16}},
    {"CeLgdRemembersTheOldGradient",
     "ce-lgd",
     with(two_steps, {{"a", 0.5}, {"cohort", std::int64_t{1}}}),
     0,
     {},
     {1, 0, 1},
     {0.0, 21.0 / 16, 351.0 / 256}},
    {"SvrpFirst", "svrp", {{"step", 0.5}, {"p", 0.5}}, 0, {false}, {0}, {1.0}},
    {"SvrpSecond", "svrp", {{"step", 0.5}, {"p", 0.5}}, 0, {false}, {1}, {3.0 / 5}},
    {"SvrpLongStepFirst", "svrp", {{"step", 1.0}, {"p", 0.5}}, 0, {false}, {0}, {1.5}},
    {"SvrpLongStepSecond", "svrp", {{"step", 1.0}, {"p", 0.5}}, 0, {false}, {1}, {3.0 / 4}},
    {"SvrpKeepsItsAnchor", "svrp", {{"step", 1.0}, {"p", 0.5}}, 0, {false}, {1, 0}, {3.0 / 4, 15.0 / 8}},
    {"SvrpGdKeepsItsAnchor",
     "svrp",
     {{"step", 1.0}, {"p", 0.5}, {"solver", "gd"s}, {"eta", 3.0}, {"local_steps", std::int64_t{1}}},
     0,
     {false},
     {1, 0},
     {3.0 / 4, 21.0 / 16}},
    {"SvrpRenewsItsAnchor", "svrp", {{"step", 1.0}, {"p", 0.5}}, 0, {true}, {1, 0}, {3.0 / 4, 3.0 / 2}},
    {"Mime", "mime", with(two_steps, {{"b", 0.5}}), 0, {}, {}, {21.0 / 32}},
    {"MimeLite", "mimelite", with(two_steps, {{"b", 0.5}}), 0, {}, {}, {39.0 / 64}},
    {"MimeMvr", "mime-mvr", with(two_steps, {{"a", 0.3}}), 0, {}, {}, {9.0 / 8}},
    {"MimeLiteMvr", "mime-mvr", with(two_steps, {{"a", 0.5}, {"correction", false}}), 0, {}, {}, {33.0 / 32}},
    {"MimeMvrLagged", "mime-mvr", with(two_steps, {{"a", 0.5}, {"lagged", true}}), 0, {}, {}, {9.0 / 8, 117.0 / 64}},
    {"Scaffnew", "scaffnew", {{"step", 1.0 / 3}, {"p", 0.5}}, 0, {true, false, true}, {}, {1.0, 25.0 / 18}},
    {"FedRedExact", "fedred", {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}}, 0, {false, true}, {}, {963.0 / 1225}},
    {"FedRedGdRestarts",
     "fedred-gd",
     {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}},
     0,
     {false, true, true},
     {},
     {15.0 / 16, 39.0 / 32}},
    {"FedRedGdContinues",
     "fedred-gd",
     {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}, {"restart", false}},
     0,
     {false, true, true},
     {},
     {15.0 / 16, 81.0 / 64}},
    {"Newton", "newton", {}, 0, {}, {}, {1.5, 1.5}},
    {"FedNl", "fednl", {}, 0, {}, {}, {1.5, 1.5}},
    {"FedNlLearnsHalf",  // H = 1, 3/2, 7/4
     "fednl",
     {{"compressor", "identity"s}, {"alpha", 0.5}, {"h_start", "zero"s}},
     0,
     {},
     {},
     {3.0, 1.0, 11.0 / 7}},
    {"FedNlShift",  // H + l = 2 always
     "fednl",
     {{"compressor", "identity"s}, {"alpha", 0.5}, {"h_start", "zero"s}, {"update", "shift"s}},
     0,
     {},
     {},
     {1.5, 1.5}},
    {"FedNlLsHalvesAStepThatIsTooLong",  // p = 24 from H = 1/8; 24, 12, 6 and 3 are no descent enough, 3/2 is
     "fednl-ls",
     {{"compressor", "identity"s}, {"alpha", 0.0625}, {"h_start", "zero"s}, {"mu", 0.001}},
     0,
     {},
     {},
     {1.5}},
    {"FedNlPp", "fednl-pp", {{"cohort", std::int64_t{1}}}, 0, {}, {1}, {1.5, 1.5}},
};

INSTANTIATE_TEST_SUITE_P(Spec, ToyTable, testing::ValuesIn(rows), [](const auto& row) { return row.param.title; });

void expect_client_values(Testbed& bed, const std::string& name, double first, double second) {
  EXPECT_NEAR(bed.client_vector(name, 0)[0], first, tolerance) << name << " of client 1";
  EXPECT_NEAR(bed.client_vector(name, 1)[0], second, tolerance) << name << " of client 2";
}

TEST(ToyState, ScaffoldOption1KeepsGradientsAtTheServerPoint) {
  const Instance instance = toy();
  Testbed bed(instance, "scaffold", with(two_steps, {{"control_variate", "option1"s}}));
  bed.rounds(1);
  EXPECT_NEAR(bed.vector("c")[0], -3.0, tolerance);
  expect_client_values(bed, "c_i", 0.0, -6.0);
  bed.rounds(1);
  EXPECT_NEAR(bed.vector("c")[0], -9.0 / 8, tolerance);
}

TEST(ToyState, ScaffoldOption2KeepsMeanLocalGradients) {
  const Instance instance = toy();
  Testbed bed(instance, "scaffold", with(two_steps, {{"control_variate", "option2"s}}));
  bed.rounds(1);
  EXPECT_NEAR(bed.vector("c")[0], -15.0 / 8, tolerance);
  expect_client_values(bed, "c_i", 0.0, -15.0 / 4);
  bed.rounds(1);
  EXPECT_NEAR(bed.vector("c")[0], -105.0 / 128, tolerance);
}

TEST(ToyState, DaneClientsReachTheirOwnPoints) {
  const Instance instance = toy();
  Testbed bed(instance, "dane", {{"lambda", 1.0}});
  bed.rounds(1);
  expect_client_values(bed, "x_i", 3.0 / 2, 3.0 / 4);
  bed.rounds(1);
  expect_client_values(bed, "x_i", 3.0 / 2, 21.0 / 16);
}

TEST(ToyState, DanePlusGdClientsTakeTwoSteps) {
  const Instance instance = toy();
  Testbed bed(instance, "dane+-gd", {{"lambda", 1.0}, {"eta", 3.0}, {"stop_rule", "steps"s}, {"local_steps", two}});
  bed.rounds(1);
  expect_client_values(bed, "x_i", 9.0 / 8, 3.0 / 4);
  expect_client_values(bed, "h_i", 3.0, -3.0);
}

TEST(ToyState, DanePlusDriftFollowsTheMean) {
  const Instance instance = toy();
  Testbed bed(instance, "dane+", {{"lambda", 1.0}, {"control_variate", "drift"s}});
  for (const double h : {3.0 / 4, 9.0 / 8, 21.0 / 16}) {
    bed.rounds(1);
    expect_client_values(bed, "h_i", h, -h);
  }
}

TEST(ToyState, FedDynServerModelIsAtTheMinimizerFromTheFirstRoundOn) {
  const Instance instance = toy();
  Testbed bed(instance, "feddyn", {{"alpha", 1.0}});
  for (const double h : {-3.0 / 4, -3.0 / 8, -3.0 / 16}) {
    bed.rounds(1);
    EXPECT_NEAR(bed.vector("theta")[0], 3.0 / 2, tolerance);
    EXPECT_NEAR(bed.vector("h")[0], h, tolerance);
  }
}

// From x* with the multipliers that belong to it: staying needs a communication after every iteration.
TEST(ToyState, FedPdLeavesTheMinimizerWhenItSkips) {
  const Instance instance = toy();
  Testbed bed(instance, "fedpd", {{"step", 0.2}, {"p", 0.5}},
              std::make_unique<ScriptedChance>(std::deque<bool>{true, false, true}));
  bed.from(instance.minimizer).start();
  for (std::size_t i = 0; i < 2; ++i) bed.client_vector("lambda_i", i) = -instance.gradient(i, instance.minimizer);
  EXPECT_NEAR(bed.rounds(1)[0], 3.0 / 2, tolerance);
  expect_client_values(bed, "x_i", 3.0 / 2, 3.0 / 2);
  EXPECT_NEAR(bed.rounds(1)[0], 23.0 / 16, tolerance);
  expect_client_values(bed, "x_i", 5.0 / 4, 27.0 / 16);
}

TEST(ToyState, MimeKeepsAMovingAverageOfGradients) {
  const Instance instance = toy();
  for (const auto& method : {"mime"s, "mimelite"s}) {
    Testbed bed(instance, method, with(two_steps, {{"b", 0.5}}));
    const double x = bed.rounds(1)[0];
    EXPECT_NEAR(bed.vector("m")[0], -3.0 / 2, tolerance) << method;
    bed.rounds(1);
    EXPECT_NEAR(bed.vector("m")[0], (2 * x - 3) / 2 - 3.0 / 4, tolerance) << method;
  }
}

TEST(ToyState, ScaffnewCorrectsOnlyWhenItCommunicates) {
  const Instance instance = toy();
  Testbed bed(instance, "scaffnew", {{"step", 1.0 / 3}, {"p", 0.5}},
              std::make_unique<ScriptedChance>(std::deque<bool>{true, false, true}));
  bed.rounds(1);
  expect_client_values(bed, "h_i", 3.0 / 2, -3.0 / 2);
  bed.rounds(1);
  expect_client_values(bed, "h_i", 5.0 / 3, -5.0 / 3);
}

TEST(ToyState, FedRedExactClientsSolveTwice) {
  const Instance instance = toy();
  Testbed bed(instance, "fedred", {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}},
              std::make_unique<ScriptedChance>(std::deque<bool>{false, true}));
  bed.rounds(1);
  expect_client_values(bed, "x_i", 24.0 / 25, 30.0 / 49);
}

TEST(ToyState, FedRedGdTakesItsThirdStepFromWhereRestartSays) {
  for (const bool restart : {false, true}) {
    const Instance instance = toy();
    Testbed bed(instance, "fedred-gd", {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}, {"restart", restart}},
                std::make_unique<ScriptedChance>(std::deque<bool>{false, true, true}));
    bed.rounds(1);
    expect_client_values(bed, "x_i", 9.0 / 8, 3.0 / 4);
    expect_client_values(bed, "h_i", 33.0 / 16, -33.0 / 16);
    bed.rounds(1);
    expect_client_values(bed, "x_i", restart ? 39.0 / 32 : 21.0 / 16, 39.0 / 32);
  }
}

}  // namespace
}  // namespace driftless::test
