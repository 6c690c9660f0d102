// What every kind of problem must do. A new kind is covered by a row in `rows`, a new loss by its entry in the
// catalogue. Two losses and a kind that exist in the tests only go through the same contract, and through a run and an
// inspection.
#include "driftless/experiments/experiment.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/problems/kinds.hpp"
#include "driftless/problems/linear/linear_kind.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/problem_digest.hpp"

#include "tests/objectives/log_cosh_loss.hpp"
#include "tests/problems/toy_kind.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

struct Row {
  std::string kind;
  std::string keys;    // the keys without a default, and some more
  std::string change;  // a key with another value, which makes another problem
  bool makes = true;   // with what every build and machine has
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.kind; }

constexpr const char* generated = "data = \"generated\"\nrows = 60\ndim = 6\nnonzeros_per_row = 3\n";

const std::vector<LossInfo>& all_losses() {
  static const std::vector<LossInfo> losses = [] {
    std::vector<LossInfo> list = loss_catalog();
    list.push_back(loss_info<test::RealLogCosh>());
    list.push_back(loss_info<test::BinaryLogCosh>());
    return list;
  }();
  return losses;
}

std::vector<Row> rows() {
  std::vector<Row> list{
      {"quadratic", "dim = 20\nmu = 2\n", "L=50"},
      {"torch", "model = \"softmax\"\n", "width=3", false},
      {"own", "dim = 6\n", "dim=7", false},
      {"toy", "distance = 2\n", "distance=3"},
      {"glm",
       "schema = \"" DRIFTLESS_SOURCE_FOLDER "/examples/hospitals/schema.toml\"\ndata = \"" DRIFTLESS_SOURCE_FOLDER
       "/examples/hospitals/north.csv\"\nl2 = 0.01\nreference = \"auto\"\n",
       "l2=0.5"}};
  for (const LossInfo& loss : all_losses()) list.push_back({std::string(loss.name), generated, "l2=0.5"});
  list.push_back({"logistic", std::string(generated) + "beta = 0.25\n", "beta=0.5"});
  return list;
}

const std::vector<ProblemKind>& all_kinds() {
  static const std::vector<ProblemKind> kinds = [] {
    std::vector<ProblemKind> list = problem_kinds();
    list.push_back(linear_kind(loss_info<test::RealLogCosh>()));
    list.push_back(linear_kind(loss_info<test::BinaryLogCosh>()));
    list.push_back(test::toy_kind());
    return list;
  }();
  return kinds;
}

RunConfig config_of(const std::string& text) {
  RunConfig config = read_frame(parse_document(text, "case.toml"), "case.toml", all_kinds());
  resolve_paths(config.problem, config.federation);
  return config;
}

std::string tables(const std::string& kind, const std::string& keys) {
  return "[problem]\nkind = \"" + kind + "\"\n" + keys + "[federation]\nclients = 3\n";
}

class KindContract : public testing::TestWithParam<Row> {
 protected:
  RunConfig config() const { return config_of(tables(GetParam().kind, GetParam().keys)); }
  RunConfig changed() const {
    ConfigDocument document = parse_document(tables(GetParam().kind, GetParam().keys), "case.toml");
    const std::string& change = GetParam().change;
    const std::size_t equals = change.find('=');
    document.problem.set({change.substr(0, equals), parse_value(change.substr(equals + 1)), "-c"});
    return read_frame(document, "case.toml", all_kinds());
  }
  ThreadPool pool{2};
};

INSTANTIATE_TEST_SUITE_P(, KindContract, testing::ValuesIn(rows()), [](const auto& tested) {
  std::string name = tested.param.kind + (tested.param.keys.find("beta") != std::string::npos ? "_non_convex" : "");
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(ProblemKinds, AllHaveARow) {
  std::vector<std::string> covered;
  for (const Row& row : rows()) covered.push_back(row.kind);
  for (const ProblemKind& kind : all_kinds()) EXPECT_THAT(covered, testing::Contains(kind.name));
}

TEST(ProblemKinds, HaveUniqueNames) {
  std::vector<std::string> names;
  for (const ProblemKind& kind : all_kinds()) names.push_back(kind.name);
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

TEST_P(KindContract, EchoReadsBackAsItself) {
  const RunConfig first = config();
  EXPECT_EQ(first.problem.kind, GetParam().kind);
  EXPECT_EQ(first.clients(), 3U);
  const RunConfig second = config_of(head_text(first));
  EXPECT_EQ(head_text(second), head_text(first));
  EXPECT_NE(problem_text(changed().problem), problem_text(first.problem));
}

TEST_P(KindContract, RejectsUnknownKeysWithTheirLocation) {
  expect_error<ConfigError>([&] { config_of(tables(GetParam().kind, "colour = 1\n" + GetParam().keys)); },
                            {"colour", "case.toml:3"});
}

TEST_P(KindContract, NeedsTheNumberOfClients) {
  expect_error<ConfigError>([&] { config_of("[problem]\nkind = \"" + GetParam().kind + "\"\n" + GetParam().keys); },
                            {"'clients' is required"});
}

TEST_P(KindContract, MakesClientsOfOneDimensionWithAStart) {
  if (!GetParam().makes) GTEST_SKIP() << "needs LibTorch and images, or clients of sites";
  const Problem problem = make_problem(config(), pool);
  EXPECT_EQ(problem.n, 3U);
  ASSERT_EQ(problem.clients.size(), 3U);
  EXPECT_GT(problem.dim(), 0);
  for (const auto& f : problem.clients) EXPECT_EQ(f->dim(), problem.dim());
  EXPECT_FALSE(problem.summary.empty());
}

TEST_P(KindContract, HasAnOptimumWhereTheConfigurationPromisesOne) {
  if (!GetParam().makes) GTEST_SKIP() << "needs LibTorch and images, or clients of sites";
  const RunConfig setup = config();
  const Problem problem = make_problem(setup, pool);
  ASSERT_EQ(problem.reference.has_value(), setup.problem.may_have_reference());
  if (!problem.reference) return;
  Vector g(problem.dim());
  Vector sum = Vector::Zero(problem.dim());
  for (const auto& f : problem.clients) {
    f->gradient(problem.reference->minimizer, g);
    sum += g;
  }
  EXPECT_LE(sum.norm(), 1e-8);
  RunConfig without = setup;
  without.problem.reference = ReferenceChoice::none;
  EXPECT_FALSE(without.problem.may_have_reference());
  EXPECT_FALSE(make_problem(without, pool).reference.has_value());
}

TEST_P(KindContract, DigestFollowsTheKeys) {
  if (!GetParam().makes) GTEST_SKIP() << "needs LibTorch and images, or clients of sites";
  const RunConfig first = config();
  const RunConfig second = changed();
  const Problem problem = make_problem(first, pool);
  EXPECT_EQ(problem_digest(first.problem, problem), problem_digest(config().problem, problem));
  EXPECT_NE(problem_digest(first.problem, problem), problem_digest(second.problem, make_problem(second, pool)));
}

TEST_P(KindContract, IsInspectedWithBoundsThatHold) {
  if (!GetParam().makes) GTEST_SKIP() << "needs LibTorch and images, or clients of sites";
  const Inspection zero = inspect(config(), {});
  const bool convex = config().problem.may_have_reference();
  const Inspection best = convex ? inspect(config(), {.at = "optimum"}) : zero;
  const double slack = 1e-6 * zero.constants.L;
  const GlobalBounds& b = zero.bounds;
  for (const Inspection* at : {&zero, &best}) {
    const Constants& c = at->constants;
    EXPECT_TRUE(!b.L_upper || c.L <= *b.L_upper + slack);
    EXPECT_TRUE(!b.L_f_upper || c.L_f <= *b.L_f_upper + slack);
    EXPECT_TRUE(!b.mu_lower || c.mu >= *b.mu_lower - slack);
    EXPECT_TRUE(!b.delta_A_upper || c.delta_A <= *b.delta_A_upper + slack);
    EXPECT_TRUE(!b.delta_B_upper || c.delta_B <= *b.delta_B_upper + slack);
  }
}

TEST(ProblemKinds, AllAreNamedWhereTheKindIsMissingOrUnknown) {
  const std::string list = "quadratic | logistic | least-squares | glm | torch | own";
  const auto read = [](const std::string& text) { read_frame(parse_document(text, "case.toml"), "case.toml"); };
  expect_error<ConfigError>([&] { read("[problem]\ndim = 3\n"); }, {"no 'kind'", list});
  expect_error<ConfigError>([&] { read("[problem]\nkind = \"cubic\"\n"); }, {"case.toml:2", "\"cubic\"", list});
  expect_error<ConfigError>([&] { read("[problem]\nkind = 3\n"); }, {"case.toml:2", "kind = 3", list});
}

TEST(ToyLoss, BoundsOfInspectionFollowFromItsCurvatures) {
  EXPECT_FALSE(inspect(config_of(tables("log-cosh", generated)), {}).bounds.L_upper.has_value());
  const Inspection found = inspect(config_of(tables("binary-log-cosh", generated)), {});
  const double l2 = 1.0 / 60.0;
  EXPECT_NEAR(*found.bounds.L_upper - l2, (found.constants.L - l2) / test::BinaryLogCosh::curvature_at_zero, 1e-6);
  EXPECT_NEAR(*found.bounds.mu_lower, l2, 1e-15);
}

TEST(ToyKind, RunsToItsOptimum) {
  const TempFolder folder;
  RunConfig config = config_of(tables("toy", "distance = 2\n") + "[stop]\nrounds = 3\ngap = 1e-12\n");
  config.methods.push_back({.name = "gd", .label = "gd", .settings = {{"step", 1.0}}});
  const Experiment done = run_experiment(config, {.out = (folder / "out").string()});
  ASSERT_EQ(done.record.outcomes.size(), 1U);
  EXPECT_EQ(done.record.outcomes[0].reason, StopReason::gap);
  EXPECT_EQ(done.problem.facts.kind, "toy");
  EXPECT_EQ(done.problem.reference->minimizer, Vector::Constant(3, 4.0));
  EXPECT_THAT(TempFolder::read(folder / "out/config.toml"), testing::HasSubstr("dim = 3\ndistance = 2\n"));
}

}  // namespace
}  // namespace driftless
