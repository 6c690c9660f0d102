#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/problem_constants.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless {
namespace {

Problem problem_of(const TempFolder& folder, const std::string& tables,
                   const std::vector<std::string>& overrides = {}) {
  const auto file = folder.write("case.toml", tables + "[[method]]\nname = \"gd\"\nstep = 0.01\n[stop]\nrounds = 2\n");
  ThreadPool pool(2);
  return make_problem(read_config(file, overrides), pool);
}

Vector mean_gradient(const Problem& problem, const Vector& x) {
  Vector g(problem.dim());
  Vector sum = Vector::Zero(problem.dim());
  for (const auto& f : problem.clients) {
    f->gradient(x, g);
    sum += g;
  }
  return sum / static_cast<double>(problem.clients.size());
}

TEST(Problem, LogisticMeanOfClientsIsTheRegularisedMeanOverAllRows) {
  const TempFolder folder;
  folder.write("north.svm", "1 1:2 2:0\n");
  folder.write("south.svm", "-1 1:1 2:3\n1 2:-1\n1 1:1\n");
  const Problem problem = problem_of(folder, "[problem]\nkind = \"logistic\"\n[federation]\nfiles = [" +
                                                 toml_string((folder / "north.svm").string()) + ", " +
                                                 toml_string((folder / "south.svm").string()) + "]\n");
  const Vector x{{0.3, -0.2}};
  const auto loss = [](double margin) { return std::log1p(std::exp(-margin)); };
  const double sum = loss(0.6) + loss(-(0.3 - 0.6)) + loss(0.2) + loss(0.3);
  const double f = 0.5 * (problem.clients[0]->value(x) + problem.clients[1]->value(x));
  EXPECT_NEAR(f, sum / 4.0 + 0.5 * 0.25 * x.squaredNorm(), 1e-15);
  EXPECT_NEAR(problem.clients[0]->value(x), 0.5 * loss(0.6) + 0.5 * 0.25 * x.squaredNorm(), 1e-15);
  EXPECT_TRUE(problem.split_manifest.empty());
  EXPECT_EQ(problem.data.size(), 2U);
}

TEST(Problem, ReferenceOfDataIsAMinimizer) {
  const TempFolder folder;
  for (const char* kind : {"logistic", "least-squares"}) {
    const Problem problem = problem_of(
        folder,
        std::string("[problem]\nkind = \"") + kind +
            "\"\ndata = \"generated\"\nrows = 200\ndim = 30\nnonzeros_per_row = 5\n[federation]\nclients = 3\n");
    ASSERT_TRUE(problem.reference.has_value());
    const double scale = 1.0 + mean_gradient(problem, Vector::Zero(problem.dim())).norm();
    EXPECT_LE(mean_gradient(problem, problem.reference->minimizer).norm(), 1e-11 * scale) << kind;
    EXPECT_FALSE(problem.split_manifest.empty());
  }
}

TEST(Problem, QuadraticsHaveStartOptimumAndConstants) {
  const TempFolder folder;
  const std::string tables = "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 4\n";
  const Problem problem = problem_of(folder, tables);
  ASSERT_TRUE(problem.reference && problem.constants);
  EXPECT_NEAR(problem.constants->delta_B, 5.0, 1e-9);
  EXPECT_LE(mean_gradient(problem, problem.reference->minimizer).norm(), 1e-9);
  EXPECT_GT(problem.start.mean(), 25.0);
  EXPECT_FALSE(problem_of(folder, tables, {"problem.reference=none"}).reference.has_value());
  EXPECT_EQ(problem_of(folder, tables, {"problem.x0=-1.5"}).start, Vector::Constant(20, -1.5));
}

TEST(Problem, InterceptAddsAVariable) {
  const TempFolder folder;
  const std::string tables = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 50\ndim = "
                             "9\nnonzeros_per_row = 3\n[federation]\nclients = 2\n";
  EXPECT_EQ(problem_of(folder, tables).dim(), 9);
  EXPECT_EQ(problem_of(folder, tables, {"problem.intercept=true"}).dim(), 10);
}

TEST(Problem, StorageDoesNotChangeTheFunctions) {
  const TempFolder folder;
  const std::string tables = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 50\ndim = "
                             "9\nnonzeros_per_row = 3\n[federation]\nclients = 2\n";
  const Problem sparse = problem_of(folder, tables, {"problem.storage=sparse"});
  const Problem dense = problem_of(folder, tables, {"problem.storage=dense"});
  const Vector x = Vector::LinSpaced(9, -1.0, 1.0);
  EXPECT_NEAR(sparse.clients[1]->value(x), dense.clients[1]->value(x), 1e-14);
}

TEST(Problem, NonConvexLogisticHasNoOptimumAndIsNotTakenForConvexAtTheStart) {
  const TempFolder folder;
  const std::string tables = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 80\ndim = 6\n"
                             "nonzeros_per_row = 3\nl2 = 0.01\n[federation]\nclients = 2\n";
  const Problem convex = problem_of(folder, tables);
  const Problem problem = problem_of(folder, tables, {"problem.beta=0.5"});
  EXPECT_FALSE(problem.reference.has_value());
  EXPECT_EQ(problem.beta, 0.5);
  const Vector x = Vector::Constant(6, 1.0);
  EXPECT_NEAR(problem.clients[1]->value(x) - convex.clients[1]->value(x), 0.5 * 6 * 0.5, 1e-13);
  ThreadPool pool(1);
  const Constants c = problem_constants(problem, pool)->values;
  EXPECT_FALSE(c.convex());
  EXPECT_NEAR(c.mu, 0.01 - 0.25, 1e-15);
  EXPECT_NEAR(c.delta_A, problem_constants(convex, pool)->values.delta_A, 0.1) << "the term is common to all clients";
  EXPECT_EQ(problem_of(folder, tables, {"problem.beta=0"}).summary, convex.summary);
  expect_error<ConfigError>([&] { problem_of(folder, tables, {"problem.beta=-1"}); }, {"beta", "-1"});
}

TEST(Problem, ErrorsNameTheLineOfTheKeyAndNotOfItsTable) {
  const TempFolder folder;
  folder.write("two.svm", "1 1:2\n-1 1:1\n");
  const std::string data = toml_string((folder / "two.svm").string());
  expect_error<ConfigError>(
      [&] {
        problem_of(folder, "[problem]\nkind = \"logistic\"\ndata = " + data +
                               "\n\n[federation]\nsplit = \"iid\"\nclients = 5\n");
      },
      {"case.toml:7: clients = 5"});
  expect_error<DataError>(
      [&] {
        problem_of(folder,
                   "[problem]\nkind = \"logistic\"\n# a comment\ndata = \"absent\"\n[federation]\nclients = 1\n");
      },
      {"the data 'absent' was not found", "case.toml:4: searched"});
}

TEST(Problem, NeedsAStartOfItsDimension) {
  const TempFolder folder;
  const std::string tables = "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 4\n";
  folder.write("x.npy", "nothing");
  expect_error<DataError>([&] { problem_of(folder, tables, {"problem.x0=" + (folder / "x.npy").string()}); },
                          {"x.npy"});
}

}  // namespace
}  // namespace driftless
