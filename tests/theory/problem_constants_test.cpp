#include "driftless/experiments/experiment.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/tuning/tuning.hpp"

#include "tests/support/dense_constants.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using test::dense_constants;
using test::expect_close;

const std::string quadratic =
    "[problem]\nkind = \"quadratic\"\ndim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 200\n";
const std::string logistic = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 400\ndim = 50\n"
                             "nonzeros_per_row = 6\nl2 = 0.01\n[federation]\nclients = 4\nsplit = \"dirichlet\"\n"
                             "[stop]\nrounds = 20\n";

Problem problem_of(const std::string& text, ThreadPool& pool) {
  const TempFolder folder;
  return make_problem(read_config(folder.write("problem.toml", text), {}, MethodTables::optional), pool);
}

TEST(ProblemConstants, AreThoseOfTheClosedFormAndMeasuringFindsThem) {
  ThreadPool pool(2);
  Problem problem = problem_of(quadratic, pool);
  const ProblemConstants exact = problem_constants(problem, pool).value();
  EXPECT_TRUE(exact.exact);
  EXPECT_THAT(constants_line(exact), testing::EndsWith("(exact)"));
  problem.constants.reset();
  const ProblemConstants measured = problem_constants(problem, pool).value();
  EXPECT_FALSE(measured.exact);
  EXPECT_EQ(measured.values.clients, 5U);
  expect_close(measured.values, exact.values, 1e-9, "quadratic");
}

TEST(ProblemConstants, AreTheWorstOfTheHessiansAtStartAndOptimum) {
  ThreadPool pool(2);
  Problem problem = problem_of(logistic, pool);
  problem.start = Vector::Constant(problem.dim(), 1.5);
  const ProblemConstants found = problem_constants(problem, pool).value();
  const Constants start = dense_constants(problem.clients, problem.start);
  const Constants optimum = dense_constants(problem.clients, problem.reference->minimizer);
  const Constants worst{.clients = 4,
                        .L = std::max(start.L, optimum.L),
                        .L_f = std::max(start.L_f, optimum.L_f),
                        .mu = std::min(start.mu, optimum.mu),
                        .mu_f = std::min(start.mu_f, optimum.mu_f),
                        .delta_A = std::max(start.delta_A, optimum.delta_A),
                        .delta_A_up = std::max(start.delta_A_up, optimum.delta_A_up),
                        .delta_B = std::max(start.delta_B, optimum.delta_B),
                        .delta_1 = std::max(start.delta_1, optimum.delta_1)};
  EXPECT_EQ(found.at, "start and optimum");
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.errors.L, 1e-8 * found.values.L);
  expect_close(found.values, worst, 1e-6, "logistic");
}

TEST(ProblemConstants, SayHowTheyWereMeasured) {
  ThreadPool pool(2);
  Problem problem = problem_of(logistic, pool);
  EXPECT_THAT(constants_line(problem_constants(problem, pool).value()),
              testing::HasSubstr("(measured by Lanczos at the start and at the optimum, to "));
  problem.reference.reset();
  const ProblemConstants found = problem_constants(problem, pool).value();
  EXPECT_THAT(origin_of(found), testing::StartsWith("measured by Lanczos at the start, to "));
  const auto file = constants_document(found);
  EXPECT_EQ(file.at("method"), "lanczos");
  EXPECT_EQ(file.at("at"), "start");
  EXPECT_EQ(file.at("tolerance"), 1e-8);
  EXPECT_EQ(file.at("converged"), true);
  EXPECT_EQ(file.at("errors").at("delta_A").get<double>(), found.errors.delta_A);
  EXPECT_EQ(file.at("delta_A").get<double>(), found.values.delta_A);
}

TEST(ProblemConstants, AreNoneWhereMeasuringWasInterrupted) {
  ThreadPool pool(2);
  const Problem problem = problem_of(logistic, pool);
  EXPECT_FALSE(problem_constants(problem, pool, {.stop_token = [] { return StopSignal::interrupted; }}).has_value());
  ThreadPool one(1);
  int asked = 0;
  EXPECT_FALSE(
      problem_constants(problem, one,
                        {.stop_token = [&] { return ++asked > 100 ? StopSignal::interrupted : StopSignal::none; }})
          .has_value());
}

const std::string from_theory = "[[method]]\nname = \"gd\"\nstep = \"theory\"\n";

StopSignal stop_at_once() { return StopSignal::interrupted; }

TEST(ProblemConstants, InterruptedEndARunInOrderWithTheConfigurationAsItWasGiven) {
  const TempFolder folder;
  const RunConfig config = read_config(folder.write("run.toml", logistic + from_theory));
  const Experiment ended = run_experiment(config, {.out = (folder / "out").string(), .stop_token = stop_at_once});
  EXPECT_EQ(ended.failure, ErrorKind::interrupted);
  EXPECT_TRUE(ended.record.outcomes.empty());
  EXPECT_THAT(TempFolder::read(folder / "out/config.toml"), testing::HasSubstr("step = \"theory\""));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/constants.json"));
}

TuneConfig search_with_theory(const TempFolder& folder) {
  return read_tune_config(folder.write(
      "tune.toml", logistic.substr(0, logistic.find("[stop]")) +
                       "[[method]]\nname = \"fedred-gd\"\nlambda = \"theory\"\neta = \"theory\"\n"
                       "[method.search]\np = [0.1, 0.2]\n[tune]\ntargets = [1e-2]\n[tune.budget]\nrounds = 5\n"));
}

TEST(ProblemConstants, GiveASearchItsValuesFromTheory) {
  const TempFolder folder;
  const TuningResult found = tune(search_with_theory(folder), {.files = false});
  EXPECT_EQ(found.trials.size(), 2U);
  EXPECT_THAT(canonical_text(found.config), testing::HasSubstr("# theory: L; constants measured by Lanczos"));
}

TEST(ProblemConstants, InterruptedEndASearchBeforeItsFirstTrial) {
  const TempFolder folder;
  const TuningResult ended =
      tune(search_with_theory(folder), {.out = (folder / "out").string(), .stop_token = stop_at_once});
  EXPECT_EQ(ended.stopped, StopSignal::interrupted);
  EXPECT_EQ(ended.planned, 0U);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace driftless
