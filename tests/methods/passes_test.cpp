// How many passes over the data Newton's method takes, over the federation and inside a client. Numbers of a generated
// problem are exact; those of public data sets are bounds, and skipped on machines that do not have the files.
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/synthetic.hpp"

#include "tests/support/available_data.hpp"
#include "tests/support/logistic_instance.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

struct Passes {
  std::size_t rounds = 0;
  std::size_t products = 0;
  std::size_t points = 0;  // at which f and ∇f were asked for

  std::size_t all() const { return products + points; }
  bool operator==(const Passes&) const = default;
};

void PrintTo(const Passes& p, std::ostream* out) {
  *out << p.rounds << " rounds, " << p.products << " products, " << p.points << " points";
}

// Until ‖∇f‖ ≤ 1e-9.
Passes passes(const Instance& instance, const Settings& settings, std::size_t threads = 1) {
  Testbed bed(instance, "newton-cg", settings, {}, threads);
  bed.start();
  Passes found;
  while (found.rounds < 100 && bed.vector("g").norm() > 1e-9) {
    bed.rounds(1);
    ++found.rounds;
  }
  const Tally work = bed.federation().busiest();
  found.products = work.steps;
  found.points = bed.federation().ledger().scalars_up / instance.clients.size();
  EXPECT_EQ(bed.federation().ledger().exchanges, found.all());
  EXPECT_EQ(work.gradients, found.all());
  EXPECT_LE(instance.gradient(bed.x()).norm(), 1.1e-9);
  return found;
}

const Settings goal{{"gradient_goal", 1e-9}};

Dataset generated() { return generate_classification({.rows = 600, .dim = 40, .nonzeros_per_row = 8.0}, 5); }

TEST(Passes, OfTheFederationOnAGeneratedProblem) {
  const Instance instance = logistic_instance(generated(), 7, 1e-3);
  EXPECT_EQ(passes(instance, goal), (Passes{7, 24, 8}));
  EXPECT_EQ(passes(instance, with(goal, {{"pairs", std::int64_t{0}}})), (Passes{7, 31, 8})) << "without preconditioner";
}

TEST(Passes, AreTheSameForEveryNumberOfThreadsAndOfClients) {
  const Dataset data = generated();
  const Passes one = passes(logistic_instance(data, 1, 1e-3), goal);
  for (const std::size_t clients : {3U, 20U})
    for (const std::size_t threads : {1U, 4U})
      EXPECT_EQ(passes(logistic_instance(data, clients, 1e-3), goal, threads), one);
}

TEST(Passes, OfALocalSolveAreThoseOfAFederationOfOneClient) {
  const Instance instance = logistic_instance(generated(), 1, 1e-3);
  const NewtonCg solver{.stop = {.kind = StopRule::Kind::absolute, .max_steps = 100, .tolerance = 1e-9}};
  Workspace scratch(instance.start.size());
  BatchSampler batches(1, 0);
  SolveContext context{scratch, batches};
  Vector y = instance.start;
  const SolveReport report = instance.clients[0]->minimize({}, y, solver, context);
  const Passes federation = passes(instance, with(goal, {{"pairs", static_cast<std::int64_t>(solver.pairs)}}));
  EXPECT_EQ(report.steps, federation.rounds);
  EXPECT_EQ(report.gradients, federation.all());
  EXPECT_EQ(report.end, SolveEnd::absolute_met);
}

struct Set {
  std::string name;
  std::size_t most;  // passes
};

class PassesOnPublicData : public testing::TestWithParam<Set> {};

TEST_P(PassesOnPublicData, AreFew) {
  const auto& [name, most] = GetParam();
  const auto path = available_data(name);
  if (!path) GTEST_SKIP() << name << " is not on this machine; name its folder in DRIFTLESS_DATA";
  const Passes found = passes(logistic_instance(read_libsvm(*path), 142, 1e-3), goal);
  EXPECT_LE(found.all(), most) << testing::PrintToString(found);
}

INSTANTIATE_TEST_SUITE_P(Sets, PassesOnPublicData,
                         testing::Values(Set{"w8a", 42}, Set{"a9a", 60}, Set{"phishing", 28}, Set{"mushrooms", 50}),
                         [](const auto& set) { return set.param.name; });

}  // namespace
}  // namespace driftless::test
