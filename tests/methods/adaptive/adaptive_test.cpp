// DANE+ and FedRed-GD that find their constants: what their tests of steps promise, and that they need no constant.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

const std::vector<std::string> both{"adaptive-dane+", "adaptive-fedred"};

std::uint64_t rejected(Testbed& bed) {
  struct Find final : StateVisitor {
    void vector(std::string_view, Vector&) override {}
    void number(std::string_view, double&) override {}
    void count(std::string_view name, std::uint64_t& v) override {
      if (name == "rejected") found = v;
    }
    void per_client(std::string_view, PerClient<Vector>&) override {}
    void per_client(std::string_view, PerClient<double>&) override {}
    void per_client(std::string_view, PerClient<std::uint64_t>&) override {}
    std::uint64_t found = 0;
  } find;
  bed.method().visit_state(find);
  return find.found;
}

// ½·¼(x − 8)² and ½·(15/4)x²: ∇f = 2x − 1, x* = ½, δ_A = 7/4; with a small λ the mean of the clients' steps is too
// long.
Instance unlike_pair() {
  Instance instance{.start = scalar(0)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, 0.25), scalar(8))));
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, 3.75), scalar(0))));
  return instance;
}

// Clients of different weights and different shares of the classes.
Instance unlike_logistic(double scale = 1.0, double l2 = 0.001) {
  const Dataset data = generate_classification({.rows = 400, .dim = 15, .nonzeros_per_row = 5.0, .skew = 0.8}, 5);
  Instance instance{.start = Vector::Zero(data.dim)};
  double weight = 0.02 * scale;
  for (int i = 0; i < 4; ++i, weight /= 2) {
    std::vector<std::int32_t> rows(100);
    std::iota(rows.begin(), rows.end(), 100 * i);
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = weight, .l2 = l2 * scale})));
  }
  return instance;
}

// Convex quadratics with a bounded term that bends down as much as β/2.
Instance non_convex_quadratics(double beta) {
  Instance instance{.start = Vector::LinSpaced(8, -1.5, 1.5)};
  for (int i = 0; i < 3; ++i)
    instance.clients.push_back(make_client(DenseQuadratic(Matrix(Vector::LinSpaced(8, 0.1, 1.0 + i).asDiagonal()),
                                                          Vector::LinSpaced(8, -3.0, 2.0 + i), beta)));
  return instance;
}

TEST(AdaptiveDanePlus, RejectsAStepThatIsTooLongAndRepeatsItWithALargerLambda) {
  const Instance instance = unlike_pair();
  Testbed bed(instance, "adaptive-dane+", {{"solver", "exact"s}, {"lambda_start", 0.25}});
  // λ = ¼: the steps are 2 and ¼ for ∇f = −1, their mean 9/8; f falls by 9/8 − 81/64 < 0.
  EXPECT_EQ(bed.rounds(1)[0], 0.0);
  EXPECT_EQ(rejected(bed), 1U);
  EXPECT_DOUBLE_EQ(bed.number("lambda"), 0.875) << "c δ̂ = 7/8 is more than 2 λ = 1/2";
  EXPECT_EQ(bed.federation().ledger().exchanges, 3U);
  EXPECT_NEAR(bed.rounds(1)[0], 184.0 / 333.0, 1e-14) << "the mean of 8/9 and 8/37";
  EXPECT_EQ(rejected(bed), 1U);
  EXPECT_EQ(bed.federation().ledger().exchanges, 5U);
  EXPECT_EQ(bed.federation().ledger().scalars_up, 3U * 2U * 4U) << "four numbers with every gradient";
}

TEST(AdaptiveDanePlus, DoublesLambdaWhereTheEstimateIsSmall) {
  const Instance instance = unlike_pair();
  Testbed bed(instance, "adaptive-dane+", {{"solver", "exact"s}, {"lambda_start", 0.25}, {"factor", 0.01}});
  bed.rounds(1);
  EXPECT_DOUBLE_EQ(bed.number("lambda"), 0.5);
}

// A round of dane+ at the same point with the same λ gives the same trial.
TEST(AdaptiveDanePlus, TakesTheStepsOfDanePlusWithTheLambdaItFinds) {
  const Instance instance = unlike_logistic();
  const Settings local{{"solver", "newton-cg"s}, {"stop_rule", "absolute"s}, {"tolerance", 1e-12}};
  Testbed bed(instance, "adaptive-dane+", local);
  bed.start();
  int accepted = 0;
  for (int r = 0; r < 15; ++r) {
    const Vector before = bed.x();
    Testbed plain(instance, "dane+", with(local, {{"lambda", bed.number("lambda")}}));
    plain.from(before);
    if (bed.rounds(1) == before) continue;
    ++accepted;
    EXPECT_LE((bed.x() - plain.rounds(1)).norm(), 1e-9 * bed.x().norm()) << "round " << r;
  }
  EXPECT_GE(accepted, 8);
}

// f(x⁺) − f* + ((μ + λ)/2)‖x⁺ − x*‖² ≤ (λ/2)‖x − x*‖², the step of DANE's theorem, for λ ≥ δ_A and exact solves.
TEST(AdaptiveDanePlus, KeepsTheBoundOfTheTheoremWhereLambdaIsLargeEnough) {
  int checked = 0;
  for (const std::uint64_t seed : {11U, 12U, 13U}) {
    const Instance instance = random_quadratics(seed);
    Testbed bed(instance, "adaptive-dane+", {{"solver", "exact"s}, {"factor", 3.0}});
    bed.start();
    for (int r = 0; r < 12; ++r) {
      const double lambda = bed.number("lambda");
      const double before = (bed.x() - instance.minimizer).squaredNorm();
      const Vector x = bed.x();
      if (bed.rounds(1) == x || lambda < instance.constants.delta_A) continue;
      ++checked;
      const double after = (bed.x() - instance.minimizer).squaredNorm();
      const double gap = instance.value(bed.x()) - instance.minimum;
      EXPECT_LE(gap + 0.5 * (instance.constants.mu + lambda) * after,
                0.5 * lambda * before * (1 + 1e-9) + 1e-12 * (1.0 + std::abs(instance.minimum)));
    }
  }
  EXPECT_GE(checked, 15);
}

// The claim of guarded_point.hpp: λ ≥ √2 δ_A with R1 is never rejected; far below δ_A some are.
TEST(AdaptiveDanePlus, AcceptsEveryLambdaThatTheTheoryAllows) {
  for (const double multiple : {std::sqrt(2.0), 4.0, 100.0})
    for (std::uint64_t seed = 20; seed < 30; ++seed) {
      const Instance instance = random_quadratics(seed, 4, 10);
      Testbed bed(instance, "adaptive-dane+", {});
      bed.start();
      for (int r = 0; r < 12; ++r) {
        bed.number("lambda") = multiple * instance.constants.delta_A;
        bed.rounds(1);
      }
      EXPECT_EQ(rejected(bed), 0U) << multiple << " δ_A, seed " << seed;
    }
  const Instance pair = unlike_pair();
  Testbed bed(pair, "adaptive-dane+", {{"lambda_start", 0.01}});
  bed.rounds(1);
  EXPECT_GT(rejected(bed), 0U);
}

TEST(AdaptiveFedRed, AcceptsEveryLambdaThatTheTheoryAllows) {
  for (std::uint64_t seed = 20; seed < 30; ++seed) {
    const Instance instance = random_quadratics(seed, 4, 10);
    Testbed bed(instance, "adaptive-fedred", {});
    bed.start();
    for (int r = 0; r < 12; ++r) {
      bed.number("lambda") = std::sqrt(2.0) * instance.constants.delta_A;
      bed.rounds(1);
    }
    EXPECT_EQ(rejected(bed), 0U) << "seed " << seed;
  }
}

TEST(AdaptiveMethods, CountTheExchangesOfRejectedRounds) {
  for (const std::string& method : both) {
    const Instance instance = unlike_logistic();
    Testbed bed(instance, method, {{"lambda_start", 1e-9}});
    bed.rounds(20);
    const Ledger& ledger = bed.federation().ledger();
    EXPECT_GT(rejected(bed), 0U) << method;
    EXPECT_EQ(ledger.exchanges, 1U + 2U * 20U) << method;
    EXPECT_EQ(ledger.vectors_up, 4U * (1U + 2U * 20U)) << method;
    EXPECT_EQ(ledger.scalars_up, 4U * 4U * (1U + 20U)) << method;
  }
}

// Accepted: f(x⁺) ≤ f(x) − (λ/4)‖x⁺ − x‖²; rejected: x stays and λ is at least doubled.
void expect_descent(const Instance& instance, const std::string& method, const Settings& settings, int rounds) {
  Testbed bed(instance, method, settings);
  bed.start();
  for (int r = 0; r < rounds; ++r) {
    const double lambda = bed.number("lambda");
    const Vector x = bed.x();
    const double value = instance.value(x);
    const std::uint64_t before = rejected(bed);
    bed.rounds(1);
    if (rejected(bed) > before) {
      EXPECT_TRUE(bed.x() == x) << method << ", round " << r;
      EXPECT_GE(bed.number("lambda"), 2.0 * lambda) << method << ", round " << r;
    } else {
      EXPECT_LE(instance.value(bed.x()), value - 0.25 * lambda * (bed.x() - x).squaredNorm() + 1e-9 * std::abs(value))
          << method << ", round " << r;
    }
  }
}

TEST(AdaptiveMethods, DescendOnLogisticDataFromASmallLambda) {
  for (const std::string& method : both) expect_descent(unlike_logistic(), method, {{"lambda_start", 1e-8}}, 40);
}

TEST(AdaptiveMethods, DescendToAStationaryPointWhereFIsNotConvex) {
  for (const std::string& method : both)
    for (const double beta : {2.0, 20.0})
      for (const std::string averaging : {"mean", "random"}) {
        const Instance instance = non_convex_quadratics(beta);
        const Settings settings{{"averaging", averaging}, {"lambda_start", 1e-3}};
        expect_descent(instance, method, settings, 40);
        Testbed bed(instance, method, settings);
        EXPECT_LT(instance.gradient(bed.rounds(400)).norm(), 1e-6) << method << ", β = " << beta << ", " << averaging;
      }
}

// Differences of f are rounding long before ‖∇f‖ = 1e-10.
TEST(AdaptiveMethods, ArriveFromEveryFirstLambda) {
  for (const std::string& method : both)
    for (const double first : {1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3}) {
      const Instance instance = unlike_logistic();
      Testbed bed(instance, method, {{"lambda_start", first * 0.1}});
      int rounds = 0;
      while (rounds < 500 && instance.gradient(bed.rounds(1)).norm() > 1e-10) ++rounds;
      EXPECT_LT(rounds, 500) << method << " from " << first;
    }
}

TEST(AdaptiveMethods, ArriveOnBadlyScaledData) {
  for (const std::string& method : both)
    for (const double scale : {1e-8, 1e8}) {
      const Instance instance = unlike_logistic(scale);
      Testbed bed(instance, method, {});
      int rounds = 0;
      while (rounds < 500 && instance.gradient(bed.rounds(1)).norm() > 1e-9 * scale) ++rounds;
      EXPECT_LT(rounds, 500) << method << ", scale " << scale;
    }
}

// c f has c λ, c η and the same iterates.
TEST(AdaptiveMethods, FollowTheUnitsOfF) {
  for (const std::string& method : both) {
    const Instance plain = unlike_logistic(), scaled = unlike_logistic(1024.0);
    Testbed a(plain, method, {}), b(scaled, method, {});
    for (int r = 0; r < 10; ++r) {
      a.rounds(1);
      b.rounds(1);
      EXPECT_LE((a.x() - b.x()).norm(), 1e-9 * a.x().norm()) << method << ", round " << r;
      for (const std::string name : {"lambda", "eta"})
        EXPECT_NEAR(b.number(name) / a.number(name), 1024.0, 1e-6) << method << ", round " << r;
    }
  }
}

TEST(AdaptiveMethods, NeedNoPullWhereClientsAreTheSame) {
  for (const std::string& method : both) {
    Instance instance{.start = Vector::Constant(6, 3.0)};
    for (int i = 0; i < 3; ++i)
      instance.clients.push_back(
          make_client(DenseQuadratic(Matrix(Vector::LinSpaced(6, 0.5, 4.0).asDiagonal()), Vector::Ones(6))));
    Testbed bed(instance, method, {});
    bed.start();
    const double first = bed.number("lambda");
    bed.rounds(6);
    EXPECT_LE(bed.number("lambda"), 1e-3 * first) << method;
    EXPECT_EQ(rejected(bed), 0U) << method;
    EXPECT_LT((bed.x() - Vector::Ones(6)).norm(), 1e-3) << method;
  }
}

TEST(AdaptiveFedRed, TakesLongerBlocksWhereClientsAreAlike) {
  const auto steps_per_round = [](double distance) {
    Instance instance{.start = Vector::Constant(6, 3.0)};
    for (int i = 0; i < 3; ++i) {
      const Vector curvature = Vector::LinSpaced(6, 0.5, 4.0) + Vector::Constant(6, distance * (i - 1));
      instance.clients.push_back(make_client(DenseQuadratic(Matrix(curvature.asDiagonal()), Vector::Ones(6) * i)));
    }
    Testbed bed(instance, "adaptive-fedred", {});
    bed.rounds(30);
    return static_cast<double>(bed.federation().busiest().steps) / 30.0;
  };
  EXPECT_GT(steps_per_round(0.01), 5.0 * steps_per_round(0.4));
}

}  // namespace
}  // namespace driftless::test
