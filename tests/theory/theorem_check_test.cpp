#include "driftless/experiments/run_config.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/problems/make_problem.hpp"

#include "tests/support/temp_folder.hpp"
#include "tests/theory/check_theorems.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Known {
  std::string title;
  std::string method;
  std::function<Settings(const Constants&)> settings;
  std::vector<std::string> theorems;
};

// Its bound adds the errors of the local solves, which are measured, so it cannot fail where these decide.
constexpr const char* with_measured_errors = "DANE+, inexact, absolute errors";

Verdict expected_verdict(const Theorem& theorem) {
  return theorem.name == with_measured_errors ? Verdict::undecided : Verdict::holds;
}

std::vector<Known> deterministic() {
  using C = const Constants&;
  return {
      {"Gd",
       "gd",
       [](C c) { return Settings{{"step", 1 / c.L_f}}; },
       {"GD, strongly convex", "GD, convex", "GD, any f"}},
      {"AgdStrong", "agd", [](C c) { return Settings{{"step", 1 / c.L_f}, {"mu", c.mu_f}}; }, {"AGD, strongly convex"}},
      {"AgdConvex", "agd", [](C c) { return Settings{{"step", 1 / c.L_f}}; }, {"AGD, convex"}},
      {"Dane", "dane", [](C c) { return Settings{{"lambda", c.delta_A}}; }, {"DANE, descent", "DANE, rate"}},
      {"DanePlusGd",
       "dane+-gd",
       [](C c) { return Settings{{"lambda", 2 * c.delta_A}, {"eta", c.L}, {"mu", c.mu}}; },
       {with_measured_errors, "DANE+, inexact, relative errors"}},
      {"DanePlusFgd",
       "dane+-fgd",
       [](C c) { return Settings{{"lambda", 2 * c.delta_A}, {"eta", c.L}, {"mu", c.mu}}; },
       {with_measured_errors, "DANE+, inexact, relative errors"}},
      {"DanePlusOneClient",
       "dane+",
       [](C c) { return Settings{{"lambda", 2 * c.delta_B}, {"averaging", "random"s}}; },
       {"DANE+, any f, descent", "DANE+, any f, gradient"}},
      {"DanePlusDrift",
       "dane+",
       [](C c) { return Settings{{"lambda", std::sqrt(c.mu * c.L)}, {"control_variate", "drift"s}}; },
       {"DANE+ with drift, contraction"}},
      {"FedDyn",
       "feddyn",
       [](C c) { return Settings{{"alpha", std::sqrt(c.mu * c.L)}}; },
       {"FedDyn as DANE+ with drift, contraction"}},
      {"Sonata",
       "sonata",
       [](C c) { return Settings{{"tau", c.delta_B}}; },
       {"SONATA as DANE, descent", "SONATA as DANE, rate"}},
      {"FiveGcs",
       "5gcs",
       [](C c) {
         const double n = static_cast<double>(c.clients);
         return Settings{{"mu", c.mu}, {"tau", std::max(c.mu, std::sqrt(c.mu * (c.L - c.mu) / 2)) / n}};
       },
       {"5GCS, potential"}},
  };
}

std::vector<Known> expected() {
  using C = const Constants&;
  return {
      {"FedRed",
       "fedred",
       [](C c) {
         return Settings{{"lambda", c.delta_A}, {"eta", c.L}, {"p", (c.delta_A + c.mu / 2) / (c.L + c.mu / 2)}};
       },
       {"FedRed, exact steps, convex"}},
      {"FedRedGd",
       "fedred-gd",
       [](C c) {
         return Settings{{"lambda", c.delta_A}, {"eta", c.L}, {"p", (c.delta_A + c.mu / 2) / (c.L - c.mu / 2)}};
       },
       {"FedRed-GD, convex"}},
      {"FedRedGdBox",
       "fedred-gd",
       [](C c) { return Settings{{"lambda", c.delta_A}, {"eta", c.L}, {"p", c.delta_A / c.L}, {"restart", false}}; },
       {"FedRed-GD, convex"}},
      {"Scaffnew",
       "scaffnew",
       [](C c) { return Settings{{"step", 1 / c.L}, {"p", std::sqrt(c.mu / c.L)}}; },
       {"Scaffnew, potential"}},
      {"Svrp",
       "svrp",
       [](C c) { return Settings{{"step", c.mu / (2 * c.delta_A * c.delta_A)}, {"p", 0.2}}; },
       {"SVRP, potential"}},
      {"GradSkip",
       "gradskip",
       [](C c) { return Settings{{"step", 1 / c.L}, {"p", std::sqrt(c.mu / c.L)}, {"q_rule", "condition"s}}; },
       {"GradSkip, potential"}},
      {"Tamuna",
       "tamuna",
       [](C c) {
         return Settings{{"step", 1 / c.L},
                         {"p", std::min(1.0, std::sqrt(5 * c.mu / (2 * c.L)))},
                         {"cohort", std::int64_t{3}},
                         {"sparsity", std::int64_t{2}}};
       },
       {"TAMUNA, potential"}},
      {"FiveGcsCohort",
       "5gcs",
       [](C c) {
         const double n = static_cast<double>(c.clients);
         return Settings{{"mu", c.mu}, {"tau", std::sqrt(c.mu * (c.L - c.mu) / (4 * n))}, {"cohort", std::int64_t{2}}};
       },
       {"5GCS, potential"}},
      {"RandProx",
       "randprox",
       [](C c) { return Settings{{"step", 1 / c.L}, {"p", std::min(1.0, 2 * std::sqrt(c.mu / c.L))}, {"keep", 0.5}}; },
       {"RandProx, potential"}},
  };
}

std::vector<std::string> names_of(const TheoremCheckReport& report) {
  std::vector<std::string> names;
  for (const TheoremReport& t : report.theorems) names.push_back(t.theorem.name);
  return names;
}

void expect_holds(const TheoremCheckReport& report, const Known& known, std::size_t rounds) {
  EXPECT_EQ(names_of(report), known.theorems);
  for (const TheoremReport& t : report.theorems) {
    EXPECT_EQ(t.verdict, expected_verdict(t.theorem))
        << t.theorem.name << ": ratio " << t.worst_ratio()
        << (t.failed() != nullptr ? ", not " + t.failed()->statement : "");
    EXPECT_EQ(t.rows.size(), rounds) << t.theorem.name;
  }
}

class Deterministic : public testing::TestWithParam<Known> {};

TEST_P(Deterministic, HoldsOnQuadraticsInEveryRound) {
  for (const Instance& instance : {demo_quadratics(), random_quadratics(61)}) {
    const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
    expect_holds(check_theorems(ground_of(instance), method), GetParam(), 40);
  }
}

TEST_P(Deterministic, IsNotViolatedByRoundingLongAfterConvergence) {
  const Instance instance = random_quadratics(62);
  const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
  const TheoremCheckReport report = check_theorems(ground_of(instance), method, {.rounds = 600});
  for (const TheoremReport& t : report.theorems) EXPECT_EQ(t.verdict, expected_verdict(t.theorem)) << t.theorem.name;
}

// Between the points where they are measured the constants of the logistic loss are no worse here.
TEST_P(Deterministic, HoldsOnLogisticRegression) {
  const TempFolder folder;
  ThreadPool pool(1);
  const RunConfig config = read_config(
      folder.write("p.toml", "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 200\ndim = 8\n"
                             "nonzeros_per_row = 4\nl2 = 0.01\n[federation]\nclients = 4\n[stop]\nrounds = 2\n"),
      {}, MethodTables::optional);
  const Problem problem = make_problem(config, pool);
  const Ground ground = ground_of(problem, pool);
  const MethodConfig method = method_of(GetParam().method, GetParam().settings(ground.constants.values));
  const TheoremCheckReport report = check_theorems(ground, method, {.rounds = 30});
  for (const TheoremReport& t : report.theorems) EXPECT_EQ(t.verdict, expected_verdict(t.theorem)) << t.theorem.name;
}

const auto titled = [](const auto& known) { return known.param.title; };
INSTANTIATE_TEST_SUITE_P(TheoremChecks, Deterministic, testing::ValuesIn(deterministic()), titled);

class InExpectation : public testing::TestWithParam<Known> {};

TEST_P(InExpectation, HoldsOnQuadraticsInTheMeanOverSeeds) {
  for (const Instance& instance : {demo_quadratics(), random_quadratics(63)}) {
    const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
    const TheoremCheckReport report =
        check_over_seeds(ground_of(instance), method, SeedMean::seeds_needed, {.rounds = 15});
    expect_holds(report, GetParam(), 15);
    EXPECT_EQ(report.theorems.front().over_seeds->labels.size(), SeedMean::seeds_needed);
    EXPECT_GT(report.theorems.front().worst_ratio(), 1e-6);  // the bound is not empty
  }
}

TEST_P(InExpectation, IsOnlyObservedWithOneSeed) {
  const Instance instance = random_quadratics(64);
  const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
  EXPECT_EQ(check_over_seeds(ground_of(instance), method, 1, {.rounds = 3}).verdict(), Verdict::observed);
}

INSTANTIATE_TEST_SUITE_P(TheoremChecks, InExpectation, testing::ValuesIn(expected()), titled);

struct NonConvex {
  ClientObjectives clients;
  QuadraticProblem problem;
};

NonConvex non_convex() {
  NonConvex made{{}, generate_quadratic({.convexity = QuadraticClass::non_convex, .dim = 30, .seed = 3})};
  for (DiagonalQuadratic& f : std::get<std::vector<DiagonalQuadratic>>(made.problem.clients))
    made.clients.push_back(make_client(std::move(f)));
  return made;
}

TEST(TheoremOfAnyFunction, HoldsForOneClientOfDanePlusAndForFedRed) {
  const NonConvex n = non_convex();
  const Constants& c = n.problem.constants;
  const Ground ground{n.clients, n.problem.start, {c, true, "everywhere"}, {}};
  const Settings one_client{{"lambda", 2 * c.delta_B},         {"averaging", "random"s},
                            {"solver", "prox-gradient"s},      {"eta", c.L},
                            {"local_steps", std::int64_t{60}}, {"stop_rule", "min-gradient"s}};
  const TheoremCheckReport dane = check_theorems(ground, method_of("dane+", one_client), {.rounds = 15});
  ASSERT_EQ(dane.theorems.size(), 3U);
  EXPECT_EQ(dane.theorems[2].theorem.name, "DANE+-GD, any f, local steps");
  EXPECT_LT(dane.theorems[2].rows.size(), 15U) << "60 steps are too few for 15 rounds";
  for (const TheoremReport& t : dane.theorems) EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name;
  const TheoremCheckReport gd = check_theorems(ground, method_of("gd", {{"step", 1 / c.L_f}}), {.rounds = 15});
  EXPECT_EQ(gd.theorems[0].verdict, Verdict::not_applicable);
  EXPECT_EQ(gd.theorems[2].verdict, Verdict::holds);

  const Settings steps{{"lambda", c.delta_B}, {"eta", 6 * c.L}, {"p", c.delta_B / c.L}, {"averaging", "random"s}};
  EXPECT_EQ(check_over_seeds(ground, method_of("fedred-gd", steps, OutputPoint::uniform), SeedMean::seeds_needed,
                             {.rounds = 5})
                .verdict(),
            Verdict::holds);
  const TheoremCheckReport last = check_theorems(ground, method_of("fedred-gd", steps), {.rounds = 5});
  ASSERT_NE(last.theorems.front().failed(), nullptr);
  EXPECT_THAT(last.theorems.front().failed()->seen, testing::HasSubstr("output = \"last\""));
}

// K = Θ(L R/δ_B) steps, which E-12 makes 1 + (L + λ)R/(9 δ_B).
TEST(TheoremOfAnyFunction, GivesTheNumberOfLocalStepsForRRounds) {
  const NonConvex n = non_convex();
  const Constants& c = n.problem.constants;
  const Ground ground{n.clients, n.problem.start, {c, true, "everywhere"}, {}};
  const double rounds = 12;
  const auto steps = static_cast<std::int64_t>(std::ceil(1 + (c.L + 2 * c.delta_B) * rounds / (9 * c.delta_B)));
  Settings settings{{"lambda", 2 * c.delta_B},    {"averaging", "random"s},
                    {"solver", "prox-gradient"s}, {"eta", c.L},
                    {"local_steps", steps},       {"stop_rule", "min-gradient"s}};
  const auto report = [&](const Trial& trial) { return check_theorems(ground, method_of("dane+", settings), trial); };
  const TheoremReport enough = report({.rounds = 20}).theorems[2];
  EXPECT_EQ(enough.verdict, Verdict::holds) << enough.worst_ratio();
  EXPECT_EQ(enough.rows.size(), 12U) << "the steps are enough for 12 rounds and no more";
  // Steps fifty times too long: the gradient grows.
  settings[3].second = c.L / 50;
  const TheoremReport wrong = report({.rounds = 8, .assumptions = Assumptions::ignored}).theorems[2];
  EXPECT_NE(wrong.verdict, Verdict::holds) << wrong.worst_ratio();
}

TEST(TheoremOfAnyFunction, WantsTwiceThePrintedProbabilityForExactSteps) {
  const Instance instance = demo_quadratics();
  const double delta = instance.constants.delta_B;
  const auto verdict = [&](double p) {
    const Settings settings{{"lambda", delta}, {"eta", 8 * delta}, {"p", p}, {"averaging", "random"s}};
    return check_over_seeds(ground_of(instance), method_of("fedred", settings, OutputPoint::uniform),
                            SeedMean::seeds_needed, {.rounds = 8})
        .verdict();
  };
  EXPECT_EQ(verdict(1.0 / 8), Verdict::not_applicable);  // λ/η as printed
  EXPECT_EQ(verdict(2.0 / 8), Verdict::holds);
}

// e_{r+1} = c/(r + 1) promises Σ e_r², so that the bound is known before the run and can fail.
TEST(TheoremCheck, BoundsErrorsByTheScheduleOfTheAbsoluteRule) {
  const Instance instance = demo_quadratics();
  const Constants& c = instance.constants;
  Settings settings{{"lambda", 2 * c.delta_A},          {"solver", "prox-gradient"s}, {"eta", c.L},
                    {"stop_rule", "absolute"s},         {"tolerance", 40.0},          {"decay", 1.0},
                    {"max_steps", std::int64_t{100000}}};
  const auto absolute = [&] { return check_theorems(ground_of(instance), method_of("dane+", settings)).theorems[0]; };
  const TheoremReport kept = absolute();
  EXPECT_EQ(kept.verdict, Verdict::holds) << kept.reason;
  EXPECT_THAT(kept.theorem.statement, testing::HasSubstr("e_r = 40/r^1 by the stop rule"));
  EXPECT_EQ(kept.rows.back().measured, 0.0);
  settings.back().second = std::int64_t{1};
  const TheoremReport broken = absolute();
  EXPECT_NE(broken.verdict, Verdict::holds);
  ASSERT_NE(broken.failed(), nullptr);
  EXPECT_THAT(broken.failed()->statement, testing::HasSubstr("‖∇F_i(x_i)‖ of the local solves ≤ e_r"));
  settings[5].second = 0.0;
  settings.back().second = std::int64_t{100000};
  const TheoremReport constant = absolute();
  EXPECT_GT(constant.rows.back().bound, 2 * kept.rows.back().bound) << "Σ e_r² grows without a decay";
}

TEST(TheoremCheck, ChangesNeitherTheRunNorItsCounts) {
  const Instance instance = demo_quadratics();
  for (const Known& known : deterministic()) {
    const Settings settings = known.settings(instance.constants);
    Testbed plain(instance, known.method, settings);
    Testbed watched(instance, known.method, settings);
    const Ground ground = ground_of(instance);
    TheoremCheck check(find_method(known.method), settings, ground.facts(), instance.clients);
    watched.start();
    check.watch(watched.method(), watched.federation(), watched.x());
    for (int r = 0; r < 5; ++r) {
      plain.rounds(1);
      check.watch(watched.method(), watched.federation(), watched.rounds(1));
    }
    EXPECT_EQ(plain.x(), watched.x()) << known.title;
    EXPECT_EQ(plain.federation().ledger().exchanges, watched.federation().ledger().exchanges);
    EXPECT_EQ(plain.federation().ledger().scalars_up, watched.federation().ledger().scalars_up);
    EXPECT_EQ(plain.federation().busiest().gradients, watched.federation().busiest().gradients);
  }
}

}  // namespace
}  // namespace driftless::test
