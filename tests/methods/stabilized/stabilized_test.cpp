// What S-DANE, Acc-S-DANE and CGM promise on whole runs.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/small_logistic.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

const Settings exact{{"solver", "exact"s}};
const Settings search{{"lambda_rule", "search"s}};

Settings fixed(double lambda, const Settings& more = {}) {
  return with({{"lambda_rule", "fixed"s}, {"lambda", lambda}}, more);
}

double delta_1(const Instance& instance) {  // of client 0
  Matrix phi = -instance.hessians[0];
  for (const Matrix& a : instance.hessians) phi += a / static_cast<double>(instance.hessians.size());
  return Eigen::SelfAdjointEigenSolver<Matrix>(phi).eigenvalues().cwiseAbs().maxCoeff();
}

Instance quadratics_of(const Matrix& hessian, std::size_t clients) {
  Instance instance;
  const Vector centre = Vector::LinSpaced(hessian.rows(), -1.0, 1.0);
  for (std::size_t i = 0; i < clients; ++i) {
    instance.clients.push_back(make_client(DenseQuadratic(hessian, centre)));
    instance.hessians.push_back(hessian);
  }
  instance.start = Vector::LinSpaced(hessian.rows(), 2.0, 3.0);
  instance.minimizer = centre;
  return instance;
}

TEST(SDaneReduction, IsDaneWhereLocalSolvesAreExact) {
  const Instance instance = random_quadratics(81);
  Testbed s_dane(instance, "s-dane", fixed(1.0, exact));
  Testbed dane(instance, "dane", {{"lambda", 1.0}});
  for (int r = 0; r < 20; ++r) EXPECT_LT((s_dane.rounds(1) - dane.rounds(1)).norm(), 1e-12) << r;
}

TEST(SDaneReduction, BeginsLikeTheAcceleratedMethod) {
  const Instance instance = random_quadratics(82);
  for (const Settings& settings : {fixed(0.7), search, Settings{}}) {
    Testbed plain(instance, "s-dane", settings);
    Testbed accelerated(instance, "acc-s-dane", settings);
    EXPECT_TRUE(plain.rounds(1) == accelerated.rounds(1));
    EXPECT_TRUE(plain.vector("v") == accelerated.vector("v"));
  }
}

TEST(SDaneFixedPoints, AreMinimizers) {
  const Instance instance = random_quadratics(83);
  for (const auto& method : {"s-dane"s, "acc-s-dane"s, "cgm"s})
    for (const Settings& settings : {fixed(1.0), search, Settings{}})
      EXPECT_LT((Testbed(instance, method, settings).from(instance.minimizer).rounds(5) - instance.minimizer).norm(),
                1e-10)
          << method;
}

TEST(SDaneInvariants, BIsOnePlusMuAAndLambdaSquaresTheWeights) {
  const Instance instance = random_quadratics(84);
  Testbed bed(instance, "acc-s-dane", fixed(2.0, {{"mu", 0.5}}));
  bed.start();
  double A = 0.0;
  double B = 1.0;
  for (int r = 0; r < 20; ++r) {
    bed.rounds(1);
    const double a = bed.number("A") - A;
    EXPECT_NEAR(2.0 * a * a / ((A + a) * B), 1.0, 1e-10);
    A = bed.number("A");
    B = bed.number("B");
    EXPECT_NEAR(B / (1.0 + 0.5 * A), 1.0, 1e-12);
  }
}

// f(x_r) − f* ≤ R_0²/(2 A_r) ≤ 2 λ R_0²/r²
TEST(AccSDaneTheorem, StaysBelowItsConvexRate) {
  const Instance instance = demo_quadratics();
  const double lambda = 2.0 * instance.constants.delta_A;
  const double radius = (instance.start - instance.minimizer).squaredNorm();
  Testbed bed(instance, "acc-s-dane", fixed(lambda, {{"tolerance", 0.5}}));
  for (int r = 1; r <= 60; ++r) {
    const double gap = instance.value(bed.rounds(1)) - instance.minimum;
    EXPECT_LE(gap, radius / (2.0 * bed.number("A")) + 1e-10);
    EXPECT_GE(bed.number("A"), r * r / (4.0 * lambda) * (1 - 1e-12));
  }
}

int rounds_of(const Instance& instance, const std::string& method, const Settings& settings) {
  Testbed bed(instance, method, settings);
  const double enough = 1e-10 * (instance.value(instance.start) - instance.minimum);
  for (int r = 1; r < 3000; ++r)
    if (instance.value(bed.rounds(1)) - instance.minimum <= enough) return r;
  return 3000;
}

TEST(AccSDaneTheorem, RoundsGrowWithTheRootOfLambda) {
  const Instance instance = demo_quadratics();
  const auto rounds = [&](double lambda) {
    return rounds_of(instance, "acc-s-dane", fixed(lambda, with(exact, {{"mu", 1.0}})));
  };
  EXPECT_NEAR(rounds(80.0) / static_cast<double>(rounds(20.0)), 2.0, 0.2);
  EXPECT_NEAR(rounds(320.0) / static_cast<double>(rounds(80.0)), 2.0, 0.2);
}

// Counts what a run of an adaptive rule does: a step is taken back where the next round continues from the point kept.
struct Steps {
  int accepted = 0;
  int failed = 0;
  double largest_failed = 0.0;  // λ
  double last = 0.0;            // λ
  double most = 0.0;            // λ of all steps
};
Steps steps_of(Testbed& bed, std::size_t rounds, bool accelerated) {
  Steps steps;
  bed.rounds(1);
  for (std::size_t r = 1; r < rounds; ++r) {
    const double used = bed.number("lambda_used");
    const std::uint64_t before = bed.federation().ledger().exchanges;
    const Vector point = bed.vector("x_kept");
    const Vector x = bed.x();
    bed.rounds(1);
    const bool kept = (bed.vector("x_kept") - x).norm() == 0.0;
    if (accelerated) {
      EXPECT_EQ(bed.federation().ledger().exchanges - before, kept ? 2U : 3U) << "a failure is counted";
    }
    (kept ? steps.accepted : steps.failed) += 1;
    if (!kept) {
      EXPECT_TRUE(bed.vector("x_kept") == point);
      steps.largest_failed = std::max(steps.largest_failed, used);
    }
    steps.last = bed.number("lambda_used");
    steps.most = std::max(steps.most, steps.last);
  }
  return steps;
}

TEST(SDaneSearch, FailsOnlyBelowTheLambdaOfTheTheoryAndRarely) {
  const Instance instance = random_quadratics(85);
  const double delta = instance.constants.delta_A;
  for (const auto& method : {"s-dane"s, "acc-s-dane"s}) {
    const double first = 64.0 * delta;
    Testbed bed(instance, method, with(with(search, exact), {{"lambda", first}}));
    const Steps steps = steps_of(bed, 40, false);
    EXPECT_GT(steps.failed, 3) << method;
    EXPECT_LE(steps.largest_failed, delta / std::sqrt(2.0)) << method;
    EXPECT_LE(steps.failed, steps.accepted + std::log2(steps.most / first) + 1) << method;
  }
}

TEST(CgmSearch, FailsOnlyBelowTwiceDelta1AndRarely) {
  const Instance instance = random_quadratics(86);
  const double first = 64.0 * delta_1(instance);
  Testbed bed(instance, "cgm", with(with(search, exact), {{"lambda", first}}));
  const Steps steps = steps_of(bed, 40, false);
  EXPECT_GT(steps.failed, 3);
  EXPECT_LE(steps.largest_failed, 2.0 * delta_1(instance));
  EXPECT_LE(steps.failed, steps.accepted + std::log2(steps.most / first) + 1);
  EXPECT_EQ(bed.federation().ledger().exchanges, 40U);
}

TEST(SDaneSearch, FailuresOfThePlainMethodCostNoMoreThanTheirRounds) {
  const Instance instance = random_quadratics(87);
  Testbed bed(instance, "s-dane", search);
  bed.rounds(30);
  EXPECT_EQ(bed.federation().ledger().exchanges, 60U);
  EXPECT_EQ(bed.federation().ledger().vectors_up, 3U * 5U * 30U);
}

TEST(SDaneSearch, FailuresOfTheAcceleratedMethodCostAnExchangeMore) {
  const Instance instance = random_quadratics(88);
  Testbed bed(instance, "acc-s-dane", with(search, {{"lambda", 64.0 * instance.constants.delta_A}}));
  bed.rounds(8);
  EXPECT_GT(steps_of(bed, 20, true).failed, 2);
}

// c·f with the same start: the same iterates, λ → cλ. c is a power of two, so that rounding is the same as well.
TEST(RunningLambdas, ScaleWithF) {
  const Instance quadratic = random_quadratics(89);
  const Instance scaled = transformed(quadratic, 1024.0, Matrix::Identity(12, 12));
  for (const auto& method : {"s-dane"s, "acc-s-dane"s, "cgm"s})
    for (const Settings& rule : {search, Settings{}}) {
      Testbed one(quadratic, method, with(rule, exact));
      Testbed other(scaled, method, with(rule, exact));
      for (int r = 0; r < 8; ++r) {
        EXPECT_LT((one.rounds(1) - other.rounds(1)).norm(), 1e-6) << method;
        EXPECT_NEAR(other.number("lambda_used") / one.number("lambda_used"), 1024.0, 1e-2) << method << " " << r;
      }
    }
}

TEST(RunningLambdas, FindTheirLambdaFromAnyStart) {
  const Instance instance = logistic(5, 0.3);
  const auto rounds = [&](const std::string& method, double first) {
    Testbed bed(instance, method, {{"lambda", first}});
    const double enough = 1e-9;
    for (int r = 1; r < 200; ++r)
      if (instance.gradient(bed.rounds(1)).norm() <= enough) return r;
    return 200;
  };
  for (const auto& method : {"s-dane"s, "acc-s-dane"s, "cgm"s}) {
    const int usual = rounds(method, 0.0);
    for (const double first : {1e-5, 1e-2, 10.0}) EXPECT_LE(rounds(method, first), 1.5 * usual + 16) << method << first;
  }
}

TEST(StabilizedMethods, ReachRoundingOnLogisticRegression) {
  for (const double skew : {0.0, 0.3, 1.0}) {
    const Instance instance = logistic(5, skew);
    for (const auto& method : {"s-dane"s, "acc-s-dane"s, "cgm"s})
      for (const Settings& settings : {Settings{}, search, Settings{{"solver", "adaptive"s}}}) {
        Testbed bed(instance, method, settings);
        EXPECT_LT(instance.gradient(bed.rounds(300)).norm(), 1e-12) << method << " " << skew;
      }
  }
}

TEST(StabilizedMethods, NeedFewRoundsWhereClientsAreIdentical) {
  const Instance same = quadratics_of(random_quadratics(90).hessians[0], 4);
  for (const auto& method : {"s-dane"s, "acc-s-dane"s, "cgm"s}) {
    Testbed bed(same, method, exact);
    EXPECT_LT((bed.rounds(12) - same.minimizer).norm(), 1e-10) << method;
  }
}

TEST(CgmReduction, IsTheProximalPointMethodForOneClient) {
  const Instance one = random_quadratics(91, 1);
  Testbed bed(one, "cgm", fixed(3.0, exact));
  const Matrix F = one.hessians[0] + 3.0 * Matrix::Identity(12, 12);
  Vector x = one.start;
  for (int r = 0; r < 10; ++r) {
    x -= F.llt().solve(one.gradient(x));
    EXPECT_LT((bed.rounds(1) - x).norm(), 1e-11);
  }
}

TEST(CgmDescent, LowersFInEveryAcceptedStep) {
  for (const Settings& rule : {Settings{}, search}) {
    const Instance instance = logistic(6, 0.5);
    Testbed bed(instance, "cgm", rule);
    bed.rounds(1);
    double f = instance.value(bed.vector("x_kept"));
    for (int r = 0; r < 60; ++r) {
      bed.rounds(1);
      const double next = instance.value(bed.vector("x_kept"));
      EXPECT_LE(next, f + 1e-15);
      f = next;
    }
  }
}

TEST(CgmDescent, FindsAStationaryPointWhereClientsAreNotConvex) {
  Instance instance{.start = Vector::LinSpaced(8, -1.5, 1.5)};
  for (const double steepest : {1.0, 1.4, 2.0, 2.6}) {  // with the term β x²/(1 + x²) of every entry
    const Matrix hessian = Vector::LinSpaced(8, 0.1, steepest).asDiagonal();
    instance.clients.push_back(make_client(DenseQuadratic(hessian, Vector::LinSpaced(8, -3.0, 3.0 * steepest), 5.0)));
  }
  const double first = instance.gradient(instance.start).norm();
  for (const Settings& rule : {Settings{}, search}) {
    Testbed bed(instance, "cgm", rule);
    EXPECT_LT(instance.gradient(bed.rounds(120)).norm(), 1e-9 * first);
  }
}

// With one sampled client of ten and constant λ the method stays at a distance, which falls as λ grows.
TEST(SDaneSampled, EndsAtAFloorThatFallsWithLambda) {
  const Instance instance = random_quadratics(92, 10);
  const auto floor = [&](double lambda) {
    Testbed bed(instance, "s-dane", fixed(lambda, with(exact, {{"cohort", std::int64_t{1}}})));
    bed.rounds(600);
    double sum = 0.0;
    for (int r = 0; r < 600; ++r) {
      bed.rounds(1);
      sum += instance.value(bed.vector("v")) - instance.minimum;
    }
    return sum / 600.0;
  };
  const double high = floor(instance.constants.delta_A);
  const double low = floor(16.0 * instance.constants.delta_A);
  EXPECT_GT(low, 1e-6);
  EXPECT_LT(low, 0.4 * high);
}

TEST(StabilizedOptions, NameWhatIsMissing) {
  const auto make = [](const std::string& method, const Settings& settings) { find_method(method).make(settings); };
  const Settings one{{"cohort", std::int64_t{1}}};
  EXPECT_THROW(make("s-dane", {{"lambda_rule", "fixed"s}}), ConfigError);
  EXPECT_THROW(make("cgm", {{"lambda_rule", "fixed"s}}), ConfigError);
  EXPECT_THROW(make("s-dane", one), ConfigError) << "the test of a step is biased";
  EXPECT_THROW(make("s-dane", with(search, one)), ConfigError);
  EXPECT_THROW(make("acc-s-dane", fixed(1.0, one)), ConfigError);
  EXPECT_NO_THROW(make("s-dane", fixed(1.0, one)));
  EXPECT_NO_THROW(make("s-dane", {}));
}

}  // namespace
}  // namespace driftless::test
