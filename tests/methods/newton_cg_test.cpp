// What Newton-CG over the federation promises on whole runs. How many passes it takes is in passes_test.cpp.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

const Settings exactly{{"forcing", "fixed"s}, {"cg_tolerance", 1e-13}};

TEST(NewtonCg, SolvesQuadraticsInOneRoundOfAtMostDimProducts) {
  for (const std::size_t clients : {1U, 5U})
    for (const std::string base : {"none", "jacobi"}) {
      const Instance instance = random_quadratics(81, clients);
      Testbed bed(instance, "newton-cg", with(exactly, {{"preconditioner", base}}));
      EXPECT_LT((bed.rounds(1) - instance.minimizer).norm(), 1e-10);
      EXPECT_LE(bed.federation().ledger().exchanges, 1U + 13U + 1U) << "the start, products, the new point";
    }
}

// Where ∇²f is diagonal, its diagonal is all of it.
TEST(NewtonCg, NeedsOneProductWhereTheDiagonalIsTheHessian) {
  Instance instance;
  const Vector curvature = Vector::LinSpaced(6, 1.0, 1000.0);
  for (int i = 0; i < 3; ++i)
    instance.clients.push_back(
        make_client(DenseQuadratic(Matrix(curvature.asDiagonal()), Vector::Constant(6, static_cast<double>(i)))));
  instance.start = Vector::LinSpaced(6, 4.0, 9.0);
  Testbed bed(instance, "newton-cg", with(exactly, {{"preconditioner", "jacobi"s}, {"cg_tolerance", 1e-10}}));
  EXPECT_LT((bed.rounds(1) - Vector::Ones(6)).norm(), 1e-9);
  EXPECT_EQ(bed.federation().ledger().exchanges, 3U);
}

// The second round solves with the Hessian of the first: its pairs are the whole of it.
TEST(NewtonCg, LearnsAQuadraticInOneRound) {
  const Instance instance = random_quadratics(82);
  Testbed bed(instance, "newton-cg", with(exactly, {{"cg_tolerance", 1e-6}}));
  bed.rounds(1);
  const std::uint64_t before = bed.federation().ledger().exchanges;
  const double gap = instance.gradient(bed.x()).norm();
  EXPECT_LT(instance.gradient(bed.rounds(1)).norm(), 1e-5 * gap);
  EXPECT_LE(bed.federation().ledger().exchanges - before, 3U);
}

TEST(NewtonCg, NeverRaisesFAlsoWhereItIsNotConvex) {
  for (const double beta : {2.0, 20.0})
    for (const std::string base : {"none", "jacobi"}) {
      const Instance instance = non_convex_quadratics(beta);
      Testbed bed(instance, "newton-cg", {{"preconditioner", base}});
      double value = instance.value(bed.x());
      for (int r = 0; r < 60; ++r) {
        const double next = instance.value(bed.rounds(1));
        EXPECT_LE(next, value + 1e-12 * (1.0 + std::abs(value))) << "round " << r + 1;
        value = next;
      }
      EXPECT_LT(instance.gradient(bed.x()).norm(), 1e-6 * instance.gradient(instance.start).norm());
    }
}

Instance one_logistic_client() {
  const Dataset data = generate_classification({.rows = 300, .dim = 15, .nonzeros_per_row = 5.0}, 6);
  std::vector<std::int32_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  Instance instance{.start = Vector::Zero(data.dim)};
  instance.clients.push_back(
      make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 1.0 / 300.0, .l2 = 0.01})));
  return instance;
}

TEST(NewtonCg, SolvedExactlyIsGiantForOneClient) {
  const Instance instance = one_logistic_client();
  Testbed newton(instance, "newton-cg", exactly);
  Testbed giant(instance, "giant", {{"cg_tolerance", 1e-13}});
  for (int r = 0; r < 4; ++r)  // then differences of f are rounding, which the two line searches judge differently
    EXPECT_LT((newton.rounds(1) - giant.rounds(1)).norm(), 1e-10 * (1.0 + giant.x().norm())) << "round " << r + 1;
}

TEST(NewtonCg, OfOneClientTakesTheStepsOfTheLocalSolver) {
  const Instance instance = one_logistic_client();
  const NewtonCg local{.stop = {.kind = StopRule::Kind::steps, .max_steps = 4}};
  Workspace scratch(instance.start.size());
  BatchSampler batches(1, 0);
  SolveContext context{scratch, batches};
  Vector y = instance.start;
  instance.clients[0]->minimize({}, y, local, context);
  Testbed bed(instance, "newton-cg", {{"pairs", static_cast<std::int64_t>(local.pairs)}});
  EXPECT_EQ(bed.rounds(4), y);
}

// ½x² without a Hessian's diagonal.
struct NoDiagonal {
  Index dim() const { return 1; }
  double value(VecIn x) const { return 0.5 * x.squaredNorm(); }
  void gradient(VecIn x, VecOut g) const { g = x; }
  double value_gradient(VecIn x, VecOut g) const {
    g = x;
    return value(x);
  }
  void hessian_vector(VecIn, VecIn v, VecOut hv) const { hv = v; }
};

TEST(NewtonCg, SaysWhatToDoWithoutADiagonal) {
  Instance instance{.start = scalar(2.0)};
  instance.clients.push_back(make_client(NoDiagonal{}));
  Testbed plain(instance, "newton-cg", {});
  EXPECT_EQ(plain.rounds(1)[0], 0.0);
  Testbed jacobi(instance, "newton-cg", {{"preconditioner", "jacobi"s}});
  try {
    jacobi.rounds(1);
    FAIL() << "there was a diagonal";
  } catch (const ConfigError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("the diagonal of its Hessian"));
    EXPECT_THAT(e.what(), testing::HasSubstr("preconditioner = \"none\""));
  }
}

}  // namespace
}  // namespace driftless::test
