// Constants through the federation against dense eigenvalues and closed forms.
#include "driftless/theory/federated_constants.hpp"

#include "driftless/experiments/run_config.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/theory/secants.hpp"

#include "tests/support/available_data.hpp"
#include "tests/support/dense_constants.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/testbed.hpp"

#include <array>
#include <bit>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using test::dense_constants;
using test::expect_close;

FederatedConstants inspected(const ClientObjectives& clients, const Vector& x, std::size_t threads = 2) {
  InProcessTransport transport(clients.size());
  ThreadPool pool(threads);
  Federation fed(clients, transport, pool, 1);
  return federated_constants(fed, x, {});
}

TEST(FederatedConstants, ThreeMatrixExampleOfThePaper) {
  ClientObjectives clients;
  for (const auto& [a, b] : {std::pair{3.0, 2.0}, {-1.0, 1.0}, {-2.0, -3.0}})
    clients.push_back(make_client(DiagonalQuadratic(Matrix{{a}, {b}}, Matrix::Zero(2, 1))));
  const FederatedConstants found = inspected(clients, Vector::Zero(2));
  EXPECT_NEAR(found.delta_A.value * found.delta_A.value, 14.0 / 3.0, 1e-13);
  EXPECT_NEAR(found.delta_A_up().value * found.delta_A_up().value, 19.0 / 3.0, 1e-13);
  EXPECT_NEAR(found.delta_B().value, 3.0, 1e-14);
  EXPECT_NEAR(found.mu().value, -3.0, 1e-14);
  EXPECT_NEAR(found.L_f.value, 0.0, 1e-14);
}

TEST(FederatedConstants, AgreeWithClosedFormsOfTheGenerators) {
  for (const QuadraticRecipe recipe : {QuadraticRecipe::r1, QuadraticRecipe::r2})
    for (const QuadraticClass convexity :
         {QuadraticClass::strongly_convex, QuadraticClass::convex, QuadraticClass::non_convex}) {
      QuadraticSpec spec{.recipe = recipe, .convexity = convexity, .dim = 120};
      if (convexity == QuadraticClass::non_convex) spec.beta = 0.0;
      const QuadraticProblem problem = generate_quadratic(spec);
      ClientObjectives clients;
      for (const DiagonalQuadratic& f : std::get<0>(problem.clients)) clients.push_back(make_client(f));
      const FederatedConstants found = inspected(clients, problem.start);
      EXPECT_TRUE(found.converged);
      expect_close(found.values(), problem.constants, 1e-9,
                   std::string(enum_name(recipe)) + " " + std::string(enum_name(convexity)));
    }
}

// A set of data as a configuration.
struct Case {
  std::string name;
  std::string tables;
};

Problem problem_of(const TempFolder& folder, const Case& c) {
  const auto file = folder.write("case.toml", c.tables + "[stop]\nrounds = 1\n");
  ThreadPool pool(2);
  return make_problem(read_config(file, {"problem.reference=none"}, MethodTables::optional), pool);
}

void expect_dense_agrees(const TempFolder& folder, const Case& c) {
  const Problem problem = problem_of(folder, c);
  const std::array<Vector, 2> points{Vector::Zero(problem.dim()), Vector::LinSpaced(problem.dim(), -0.3, 0.4)};
  for (const Vector& x : points) {
    const FederatedConstants found = inspected(problem.clients, x);
    EXPECT_TRUE(found.converged) << c.name;
    const Constants dense = dense_constants(problem.clients, x);
    expect_close(found.values(), dense, 1e-6, c.name);
    EXPECT_LE(std::abs(found.delta_A.value - dense.delta_A), found.delta_A.error + 1e-13 * dense.L) << c.name;
    EXPECT_LE(std::abs(found.mu().value - dense.mu), found.mu().error + 1e-13 * dense.L) << c.name;
  }
}

TEST(FederatedConstants, AgreeWithDenseEigenvaluesOnFiveSets) {
  const TempFolder folder;
  const std::string generated = "data = \"generated\"\n";
  const std::vector<Case> cases{
      {"iid", "[problem]\nkind = \"logistic\"\n" + generated +
                  "rows = 600\ndim = 60\nnonzeros_per_row = 8\n[federation]\nclients = 4\n"},
      {"dirichlet", "[problem]\nkind = \"logistic\"\n" + generated +
                        "rows = 500\ndim = 90\nnonzeros_per_row = 6\nvalues = \"normal\"\n[federation]\nclients = 5\n"
                        "split = \"dirichlet\"\nalpha = 0.3\n"},
      {"label, intercept", "[problem]\nkind = \"logistic\"\nintercept = true\nl2 = 1e-6\n" + generated +
                               "rows = 400\ndim = 30\nnonzeros_per_row = 10\n[federation]\nclients = 2\n"
                               "split = \"label\"\n"},
      {"more columns than rows", "[problem]\nkind = \"logistic\"\n" + generated +
                                     "rows = 80\ndim = 300\nnonzeros_per_row = 12\n[federation]\nclients = 3\n"
                                     "split = \"contiguous\"\n"},
      {"least squares, ill-conditioned", "[problem]\nkind = \"least-squares\"\nl2 = 1e-7\n" + generated +
                                             "rows = 500\ndim = 40\nnonzeros_per_row = 5\npopularity = 2\n"
                                             "[federation]\nclients = 6\n"}};
  for (const Case& c : cases) expect_dense_agrees(folder, c);
}

TEST(FederatedConstants, AgreeWithDenseEigenvaluesOnRealSets) {
  const TempFolder folder;
  std::size_t tried = 0;
  for (const std::string name : {"heart_scale", "australian", "sonar_scale", "a1a", "w1a"}) {
    const auto file = available_data(name);
    if (!file) continue;
    ++tried;
    expect_dense_agrees(folder, {name, "[problem]\nkind = \"logistic\"\ndata = " + toml_string(file->string()) +
                                           "\n[federation]\nclients = 4\nsplit = \"dirichlet\"\nalpha = 0.5\n"});
  }
  if (tried == 0) GTEST_SKIP() << "there are no data sets in DRIFTLESS_DATA";
}

TEST(FederatedConstants, MuIsTheRegularizersWhereTheDataLeaveADirectionFlat) {
  const TempFolder folder;
  const std::string rest = "nonzeros_per_row = 3\npopularity = 2\nl2 = 0.003\n[federation]\nclients = 4\n";
  const std::string head = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\n";
  for (const std::string size : {"rows = 200\ndim = 600\n", "rows = 900\ndim = 400\n"}) {
    const Problem problem = problem_of(folder, {size, head + size + rest});
    const Vector x = Vector::Constant(problem.dim(), 0.1);
    const FederatedConstants found = inspected(problem.clients, x);
    const Constants dense = dense_constants(problem.clients, x);
    EXPECT_TRUE(found.converged) << size;
    EXPECT_NEAR(found.mu().value, 0.003, 1e-18) << size;
    EXPECT_LE(found.mu().error, 1e-18) << size;  // no search, no residual
    expect_close(found.values(), dense, 1e-6, size);
  }
}

TEST(FederatedConstants, IdenticalClientsHaveNoDissimilarityBeyondRounding) {
  ClientObjectives clients;
  for (int i = 0; i < 3; ++i)
    clients.push_back(make_client(DiagonalQuadratic(Matrix(Vector::LinSpaced(20, 1.0, 9.0)), Matrix::Zero(20, 1))));
  const FederatedConstants found = inspected(clients, Vector::Zero(20));
  EXPECT_LE(found.delta_B().value, 1e-14 * 9.0);
  EXPECT_LE(found.delta_A.value, 1e-7 * 9.0);
  EXPECT_LE(found.delta_A.value, found.delta_A.error + 1e-14);
}

TEST(FederatedConstants, AreTheSameBitsForAnyNumberOfThreads) {
  const TempFolder folder;
  const Problem problem =
      problem_of(folder, {"", "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 500\ndim = 400\n"
                              "nonzeros_per_row = 9\n[federation]\nclients = 7\nsplit = \"dirichlet\"\n"});
  const auto bits = [&](std::size_t threads) {
    const FederatedConstants found = inspected(problem.clients, Vector::Zero(400), threads);
    const Constants c = found.values();
    std::vector<std::uint64_t> words;
    for (const double v : {c.L, c.L_f, c.mu, c.mu_f, c.delta_A, c.delta_A_up, c.delta_B, c.delta_1,
                           found.clients[3].delta.value, found.clients[5].mu.error})
      words.push_back(std::bit_cast<std::uint64_t>(v));
    return words;
  };
  const auto one = bits(1);
  EXPECT_EQ(one, bits(2));
  EXPECT_EQ(one, bits(7));
}

TEST(FederatedConstants, SixtyThousandColumnsNeedAFewVectors) {
  const TempFolder folder;
  const Problem problem =
      problem_of(folder, {"", "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 400\ndim = 60000\n"
                              "nonzeros_per_row = 30\n[federation]\nclients = 3\n"});
  // A dense Hessian would take 29 GB; a basis has this many columns.
  EXPECT_LE(lanczos_columns(problem.dim()), 40);
  const FederatedConstants found = inspected(problem.clients, Vector::Zero(60000));
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.mu().value, 1.0 / 400, 1e-9);  // l2: there are more columns than rows
  EXPECT_GT(found.delta_A.value, 0.0);
  EXPECT_LE(found.delta_A.value, found.delta_A_up().value);
  EXPECT_LE(found.delta_A_up().value, found.delta_B().value * (1.0 + 1e-12));
  EXPECT_LE(found.delta_B().value, std::sqrt(3.0) * found.delta_A.value * (1.0 + 1e-9));
}

TEST(FederatedConstants, OnlyMeansTravel) {
  const test::Instance instance = test::random_quadratics(3);
  InProcessTransport transport(5);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1);
  const FederatedConstants found = federated_constants(fed, instance.start, {});
  EXPECT_EQ(fed.ledger().exchanges, found.exchanges);
  // One exchange for the numbers of the clients; d products at most for the mean and for each client, two for δ_A.
  EXPECT_LE(found.exchanges, 1U + 12U * (1U + 5U + 2U));
  EXPECT_EQ(fed.ledger().vectors_up, 5 * (found.exchanges - 1));
  expect_close(found.values(), instance.constants, 1e-10, "random quadratics");
}

TEST(FederatedConstants, EndWhenAsked) {
  const test::Instance instance = test::random_quadratics(3);
  InProcessTransport transport(5);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1);
  const InspectOptions options{.stop_token = [] { return StopSignal::interrupted; }};
  EXPECT_TRUE(federated_constants(fed, instance.start, options).interrupted);
}

TEST(Secants, BoundTheConstantsOfQuadraticsFromTheRightSides) {
  const test::Instance instance = test::random_quadratics(4);
  test::Testbed bed(instance, "gd", {{"step", 0.1}});
  SecantSampler sampler(bed.federation());
  sampler.add(bed.federation(), bed.rounds(1));
  for (int r = 0; r < 20; ++r) sampler.add(bed.federation(), bed.rounds(1));
  const SecantBounds& s = sampler.bounds();
  const Constants& c = instance.constants;
  EXPECT_EQ(s.steps, 20U);
  EXPECT_LE(s.L, c.L * (1.0 + 1e-9));
  EXPECT_GE(s.L, 0.2 * c.L);
  EXPECT_GE(s.mu, c.mu * (1.0 - 1e-9));
  EXPECT_LE(s.delta_A, c.delta_A * (1.0 + 1e-9));
  EXPECT_GT(s.delta_A, 0.0);
  EXPECT_LE(s.delta_B, c.delta_B * (1.0 + 1e-9));
  EXPECT_LE(s.last_delta_A, s.delta_A);
}

TEST(Secants, AreWorkedOutByHandOnTheToy) {
  // f_1 = x²/2, f_2 = 3(x − 2)²/2: D = (s, 3 s), D̄ = 2 s.
  const test::Instance toy = test::toy();
  test::Testbed bed(toy, "gd", {{"step", 0.5}});
  SecantSampler sampler(bed.federation());
  for (const double x : {0.0, 1.5, 1.5}) sampler.add(bed.federation(), test::scalar(x));
  const SecantBounds& s = sampler.bounds();
  EXPECT_EQ(s.steps, 1U);  // standing still tells nothing
  EXPECT_NEAR(s.L, 3.0, 1e-14);
  EXPECT_NEAR(s.mu, 1.0, 1e-14);
  EXPECT_NEAR(s.delta_A, 1.0, 1e-14);
  EXPECT_NEAR(s.delta_B, 1.0, 1e-14);
}

}  // namespace
}  // namespace driftless
