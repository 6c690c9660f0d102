#include "driftless/run/certificate.hpp"

#include "driftless/objectives/dense_quadratic.hpp"
#include "driftless/objectives/quadratic_generator.hpp"
#include "driftless/run/driver.hpp"
#include "driftless/run/run_config.hpp"

#include "tests/data/temp_folder.hpp"
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// What a certificate is checked on.
struct Ground {
  const ClientObjectives& clients;
  Vector start;
  ProblemConstants constants;
  std::optional<Reference> reference;
};

Ground ground_of(const Instance& i) {
  return {i.clients, i.start, {i.constants, true, "everywhere"}, Reference{i.minimizer, i.minimum}};
}
Ground ground_of(const Problem& p, ThreadPool& pool) {
  return {p.clients, p.start, problem_constants(p, pool), p.reference};
}

struct Trial {
  std::size_t rounds = 40;
  Assumptions assumptions = Assumptions::respected;
  Method* in_place = nullptr;  // runs under the name of the configured method
};

CertificateReport certify(const Ground& ground, const MethodConfig& config, const Trial& trial = {}) {
  Solo transport(ground.clients.size());
  ThreadPool pool(1);
  Federation fed(ground.clients, transport, pool, config.seed, std::make_unique<SeededChance>(config.seed));
  Certificate certificate(config, ground.clients, ground.constants, ground.reference, trial.assumptions);
  DriveOptions options;
  options.stop.rounds = trial.rounds;
  options.output = config.output;
  options.watch = [&](Method& m, Federation& f, const Vector& x) { certificate.watch(m, f, x); };
  const std::unique_ptr<Method> made = find_method(config.name).make(config.settings);
  Method& method = trial.in_place != nullptr ? *trial.in_place : *made;
  Trace trace(ground.reference);
  const DriveResult result = drive(method, fed, ground.start, options, trace);
  certificate.finish(method, fed, result.x, result.output);
  return certificate.report();
}

// The mean over so many seeds; the report of the first.
CertificateReport certify_seeds(const Ground& ground, MethodConfig config, std::size_t seeds, const Trial& trial = {}) {
  std::vector<CertificateReport> reports;
  std::vector<std::string> labels;
  for (config.seed = 1; config.seed <= seeds; ++config.seed) {
    reports.push_back(certify(ground, config, trial));
    labels.push_back(std::to_string(config.seed));
  }
  std::vector<CertificateReport*> pointers;
  for (CertificateReport& report : reports) pointers.push_back(&report);
  judge_over_seeds(labels, pointers);
  return reports.front();
}

MethodConfig method_of(const std::string& name, const Settings& settings, OutputPoint output = OutputPoint::last) {
  return {.name = name,
          .label = name,
          .seed = 1,
          .output = output,
          .certificate = true,
          .settings = settings,
          .theory = {}};
}

struct Known {
  std::string title;
  std::string method;
  std::function<Settings(const Constants&)> settings;
  std::vector<std::string> theorems;
};

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
       {"DANE+, inexact, absolute errors", "DANE+, inexact, relative errors"}},
      {"DanePlusFgd",
       "dane+-fgd",
       [](C c) { return Settings{{"lambda", 2 * c.delta_A}, {"eta", c.L}, {"mu", c.mu}}; },
       {"DANE+, inexact, absolute errors", "DANE+, inexact, relative errors"}},
      {"DanePlusOneClient",
       "dane+",
       [](C c) { return Settings{{"lambda", 2 * c.delta_B}, {"averaging", "random"s}}; },
       {"DANE+, any f, descent", "DANE+, any f, gradient"}},
      {"DanePlusDrift",
       "dane+",
       [](C c) { return Settings{{"lambda", std::sqrt(c.mu * c.L)}, {"control_variate", "drift"s}}; },
       {"DANE+ with drift, contraction"}},
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
  };
}

std::vector<std::string> names_of(const CertificateReport& report) {
  std::vector<std::string> names;
  for (const TheoremReport& t : report.theorems) names.push_back(t.theorem.name);
  return names;
}

void expect_holds(const CertificateReport& report, const Known& known, std::size_t rounds) {
  EXPECT_EQ(names_of(report), known.theorems);
  for (const TheoremReport& t : report.theorems) {
    EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name << ": ratio " << t.worst_ratio()
                                         << (t.failed() != nullptr ? ", not " + t.failed()->statement : "");
    EXPECT_EQ(t.rows.size(), rounds) << t.theorem.name;
  }
}

class Deterministic : public testing::TestWithParam<Known> {};

TEST_P(Deterministic, HoldsOnQuadraticsInEveryRound) {
  for (const Instance& instance : {demo_quadratics(), random_quadratics(61)}) {
    const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
    expect_holds(certify(ground_of(instance), method), GetParam(), 40);
  }
}

TEST_P(Deterministic, IsNotViolatedByRoundingLongAfterConvergence) {
  const Instance instance = random_quadratics(62);
  const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
  const CertificateReport report = certify(ground_of(instance), method, {.rounds = 600});
  for (const TheoremReport& t : report.theorems) EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name;
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
  const CertificateReport report = certify(ground, method, {.rounds = 30});
  for (const TheoremReport& t : report.theorems) EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name;
}

const auto titled = [](const auto& known) { return known.param.title; };
INSTANTIATE_TEST_SUITE_P(Certificates, Deterministic, testing::ValuesIn(deterministic()), titled);

class InExpectation : public testing::TestWithParam<Known> {};

TEST_P(InExpectation, HoldsOnQuadraticsInTheMeanOverSeeds) {
  for (const Instance& instance : {demo_quadratics(), random_quadratics(63)}) {
    const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
    const CertificateReport report = certify_seeds(ground_of(instance), method, 10, {.rounds = 15});
    expect_holds(report, GetParam(), 15);
    EXPECT_EQ(report.theorems.front().over_seeds->labels.size(), 10U);
    EXPECT_GT(report.theorems.front().worst_ratio(), 1e-6);  // the bound is not empty
  }
}

TEST_P(InExpectation, IsOnlyObservedWithOneSeed) {
  const Instance instance = random_quadratics(64);
  const MethodConfig method = method_of(GetParam().method, GetParam().settings(instance.constants));
  EXPECT_EQ(certify_seeds(ground_of(instance), method, 1, {.rounds = 3}).verdict(), Verdict::observed);
}

INSTANTIATE_TEST_SUITE_P(Certificates, InExpectation, testing::ValuesIn(expected()), titled);

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

TEST(CertificateOfAnyFunction, HoldsForOneClientOfDanePlusAndForFedRed) {
  const NonConvex n = non_convex();
  const Constants& c = n.problem.constants;
  const Ground ground{n.clients, n.problem.start, {c, true, "everywhere"}, {}};
  const Settings one_client{{"lambda", 2 * c.delta_B},         {"averaging", "random"s},
                            {"solver", "prox-gradient"s},      {"eta", c.L},
                            {"local_steps", std::int64_t{60}}, {"stop_rule", "min-gradient"s}};
  const CertificateReport dane = certify(ground, method_of("dane+", one_client), {.rounds = 15});
  for (const TheoremReport& t : dane.theorems) EXPECT_EQ(t.verdict, Verdict::holds) << t.theorem.name;
  const CertificateReport gd = certify(ground, method_of("gd", {{"step", 1 / c.L_f}}), {.rounds = 15});
  EXPECT_EQ(gd.theorems[0].verdict, Verdict::not_applicable);
  EXPECT_EQ(gd.theorems[2].verdict, Verdict::holds);

  const Settings steps{{"lambda", c.delta_B}, {"eta", 6 * c.L}, {"p", c.delta_B / c.L}, {"averaging", "random"s}};
  EXPECT_EQ(certify_seeds(ground, method_of("fedred-gd", steps, OutputPoint::uniform), 5, {.rounds = 5}).verdict(),
            Verdict::holds);
  const CertificateReport last = certify(ground, method_of("fedred-gd", steps), {.rounds = 5});
  ASSERT_NE(last.theorems.front().failed(), nullptr);
  EXPECT_THAT(last.theorems.front().failed()->seen, testing::HasSubstr("output = \"last\""));
}

TEST(CertificateOfAnyFunction, WantsTwiceThePrintedProbabilityForExactSteps) {
  const Instance instance = demo_quadratics();
  const double delta = instance.constants.delta_B;
  const auto verdict = [&](double p) {
    const Settings settings{{"lambda", delta}, {"eta", 8 * delta}, {"p", p}, {"averaging", "random"s}};
    return certify_seeds(ground_of(instance), method_of("fedred", settings, OutputPoint::uniform), 5, {.rounds = 8})
        .verdict();
  };
  EXPECT_EQ(verdict(1.0 / 8), Verdict::not_applicable);  // λ/η as printed
  EXPECT_EQ(verdict(2.0 / 8), Verdict::holds);
}

// DANE whose corrections have the wrong sign.
class WrongSign final : public Method {
 public:
  explicit WrongSign(double lambda) : lambda_(lambda) {}
  void start(Federation& fed, Vector& x) override { x_i_ = h_i_ = fed.per_client<Vector>(x); }
  void round(Federation& fed, Vector& x) override {
    const Vector g = fed.mean([&](Client& i, VecOut row) {
      i.gradient(x, h_i_[i]);
      row = h_i_[i];
    });
    fed.for_each_client([&](Client& i) {
      h_i_[i] = g - h_i_[i];
      x_i_[i] = x;
      i.minimize({.shift = &h_i_[i], .center = &x, .lambda = lambda_}, x_i_[i], Exact{});
    });
    x = fed.mean(x_i_);
  }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("h_i", h_i_);
  }

 private:
  double lambda_;
  PerClient<Vector> x_i_, h_i_;
};

TEST(BrokenMethod, WithTheWrongSignOfTheCorrectionIsCaught) {
  const Instance instance = random_quadratics(65);
  const double lambda = instance.constants.delta_A;
  WrongSign broken(lambda);
  const CertificateReport report =
      certify(ground_of(instance), method_of("dane", {{"lambda", lambda}}), {.in_place = &broken});
  EXPECT_EQ(report.verdict(), Verdict::violated);
  for (const TheoremReport& t : report.theorems) {
    EXPECT_EQ(t.verdict, Verdict::violated) << t.theorem.name;
    ASSERT_NE(t.first_violation(), nullptr);
    EXPECT_GE(t.first_violation()->round, 1U);
  }
}

// Scaffnew whose corrections move away from where they should go.
class WrongUpdate final : public Method {
 public:
  WrongUpdate(double step, double p) : step_(step), p_(p) {}
  void start(Federation& fed, Vector& x) override {
    x_i_ = fed.per_client<Vector>(x);
    h_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
  }
  void round(Federation& fed, Vector& x) override {
    const std::size_t steps = fed.geometric(p_);
    fed.for_each_client([&](Client& i) {
      x_i_[i] = x;
      i.minimize({.shift = &h_i_[i]}, x_i_[i], GradientDescent{.step = step_, .stop = {.max_steps = steps}});
    });
    x = fed.mean(x_i_);
    fed.for_each_client([&](Client& i) { h_i_[i] -= p_ / step_ * (x - x_i_[i]); });
  }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("h_i", h_i_);
  }

 private:
  double step_, p_;
  PerClient<Vector> x_i_, h_i_;
};

TEST(BrokenMethod, IsCaughtInTheMeanOverSeeds) {
  const Instance instance = random_quadratics(66);
  const double step = 1 / instance.constants.L;
  const double p = std::sqrt(instance.constants.mu * step);
  WrongUpdate broken(step, p);
  const CertificateReport report =
      certify_seeds(ground_of(instance), method_of("scaffnew", {{"step", step}, {"p", p}}), 5, {.in_place = &broken});
  EXPECT_EQ(report.verdict(), Verdict::violated);
}

// Two clients of curvature 1 and 199: δ_A = 99.
Instance unlike() {
  Instance instance{.start = Vector::Constant(2, 1.0), .minimizer = Vector::Zero(2), .minimum = 0.0};
  for (const double curvature : {1.0, 199.0}) {
    instance.hessians.push_back(Matrix::Identity(2, 2) * curvature);
    instance.clients.push_back(make_client(DenseQuadratic(instance.hessians.back(), Vector::Zero(2))));
  }
  instance.constants = constants_of_hessians(instance.hessians);
  return instance;
}

TEST(Assumptions, NameTheOneThatFailsAndShowTheViolationWhereIgnored) {
  const Instance instance = unlike();
  const MethodConfig method = method_of("dane", {{"lambda", 1.0}});
  const CertificateReport respected = certify(ground_of(instance), method, {.rounds = 5});
  EXPECT_EQ(respected.verdict(), Verdict::not_applicable);
  ASSERT_NE(respected.theorems.front().failed(), nullptr);
  EXPECT_EQ(respected.theorems.front().failed()->statement, "λ ≥ δ_A");
  EXPECT_EQ(respected.theorems.front().failed()->seen, "λ = 1, δ_A = 99");
  EXPECT_TRUE(respected.theorems.front().rows.empty());
  EXPECT_EQ(certify(ground_of(instance), method, {.rounds = 5, .assumptions = Assumptions::ignored}).verdict(),
            Verdict::violated);
}

TEST(Assumptions, AreCheckedForEveryMethod) {
  const Instance instance = demo_quadratics();
  const auto failed = [&](const std::string& name, const Settings& settings) {
    const CertificateReport report = certify(ground_of(instance), method_of(name, settings), {.rounds = 2});
    EXPECT_EQ(report.theorems.front().verdict, Verdict::not_applicable) << name;
    const Assumption* first = report.theorems.front().failed();
    return first != nullptr ? first->statement : "";
  };
  EXPECT_EQ(failed("gd", {{"step", 0.02}}), "γ ≤ 1/L_f");
  EXPECT_EQ(failed("gd", {{"step", 0.01}, {"compressor", "natural"s}}), "gradients are sent as they are");
  EXPECT_EQ(failed("agd", {{"step", 0.01}, {"mu", 2.0}}), "μ ≤ μ_f");
  EXPECT_EQ(failed("dane+-gd", {{"lambda", 5.0}, {"eta", 100.0}}), "λ ≥ 2 δ_A");
  EXPECT_EQ(failed("dane+", {{"lambda", 5.0}, {"averaging", "random"s}}), "λ > δ_B");
  EXPECT_EQ(failed("dane+", {{"lambda", 10.0}, {"m", 3.0}, {"control_variate", "drift"s}}), "m = λ");
  EXPECT_EQ(failed("fedred-gd", {{"lambda", 5.0}, {"eta", 50.0}, {"p", 0.1}}), "η ≥ L");
  EXPECT_EQ(failed("fedred-gd", {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.01}}), "p ≥ λ/η");
  EXPECT_EQ(failed("fedred-sgd", {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.05}}), "local steps use full gradients");
  EXPECT_EQ(failed("scaffnew", {{"step", 0.01}, {"p", 0.1}, {"batch", std::int64_t{2}}}),
            "local steps use full gradients");
  EXPECT_EQ(failed("svrp", {{"step", 1.0}, {"p", 0.2}}), "η ≤ μ/(2δ_A²)");
}

TEST(Assumptions, NeedTheOptimumEvenWhereTheOthersAreIgnored) {
  const Instance instance = demo_quadratics();
  Ground ground = ground_of(instance);
  ground.reference.reset();
  const CertificateReport report =
      certify(ground, method_of("agd", {{"step", 0.01}}), {.rounds = 2, .assumptions = Assumptions::ignored});
  EXPECT_EQ(report.verdict(), Verdict::not_applicable);
  EXPECT_EQ(report.theorems.front().failed()->statement, "the optimum is known");
}

TEST(Assumptions, ThatAreLostOnTheWayEndTheCheckThere) {
  const Instance instance = demo_quadratics();
  const Constants& c = instance.constants;
  // Ten steps are enough for the errors of the first rounds, not for those of later ones.
  const Settings settings{
      {"lambda", 2 * c.delta_A}, {"eta", c.L}, {"stop_rule", "steps"s}, {"local_steps", std::int64_t{12}}};
  const CertificateReport report = certify(ground_of(instance), method_of("dane+-gd", settings), {.rounds = 60});
  const TheoremReport& relative = report.theorems[1];
  ASSERT_NE(relative.failed(), nullptr);
  EXPECT_THAT(relative.failed()->statement, testing::StartsWith("Σ e_r² ≤ λ(μ + λ)/8, in round "));
  EXPECT_LT(relative.rows.size(), 60U);
  EXPECT_EQ(report.theorems[0].verdict, Verdict::holds);  // the measured errors are part of its bound
  EXPECT_EQ(report.theorems[0].rows.size(), 60U);
}

TEST(Certificate, ChangesNeitherTheRunNorItsCounts) {
  const Instance instance = demo_quadratics();
  for (const Known& known : deterministic()) {
    const Settings settings = known.settings(instance.constants);
    Testbed plain(instance, known.method, settings);
    Testbed watched(instance, known.method, settings);
    const Ground ground = ground_of(instance);
    Certificate certificate(method_of(known.method, settings), instance.clients, ground.constants, ground.reference);
    watched.start();
    certificate.watch(watched.method(), watched.federation(), watched.x());
    for (int r = 0; r < 5; ++r) {
      plain.rounds(1);
      certificate.watch(watched.method(), watched.federation(), watched.rounds(1));
    }
    EXPECT_EQ(plain.x(), watched.x()) << known.title;
    EXPECT_EQ(plain.federation().ledger().exchanges, watched.federation().ledger().exchanges);
    EXPECT_EQ(plain.federation().ledger().scalars_up, watched.federation().ledger().scalars_up);
    EXPECT_EQ(plain.federation().busiest().gradients, watched.federation().busiest().gradients);
  }
}

TEST(Certificate, HasNothingToSayOfMethodsWithoutATheorem) {
  const Instance instance = demo_quadratics();
  const CertificateReport report = certify(ground_of(instance), method_of("fedavg", {{"step", 0.001}}), {.rounds = 2});
  EXPECT_TRUE(report.theorems.empty());
  EXPECT_EQ(report.verdict(), Verdict::not_applicable);
}

}  // namespace
}  // namespace driftless::test
