// The second-order methods with whole or learned Hessians: steps, equivalences, and convergence from any start.
#include "driftless/components/curvature/symmetric.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

const std::vector<std::string> matrix_compressors{"identity", "top-k", "rand-k", "rand-seq-k", "rank-k", "natural"};

// Rows of synthetic data, with columns in units that differ by factors of 10^k for k = −scales … scales.
template <LinearLoss Loss = LogisticLoss>
Instance on_rows(std::size_t clients, int scales = 0, double l2 = 0.01) {
  Dataset data = generate_classification({.rows = 600, .dim = 20, .nonzeros_per_row = 5.0, .skew = 0.3}, 3);
  for (std::size_t e = 0; e < data.column.size(); ++e)
    if (scales > 0) data.value[e] *= std::pow(10.0, static_cast<int>(data.column[e]) % (2 * scales + 1) - scales);
  const std::size_t share = data.rows() / clients;
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::size_t i = 0; i < clients; ++i) {
    std::vector<std::int32_t> rows(share);
    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(i * share));
    instance.clients.push_back(
        make_client(LinearModel<Loss, SparseRows>(data, rows, {.weight = 1.0 / static_cast<double>(share), .l2 = l2})));
  }
  return instance;
}

Matrix mean_hessian(const Instance& instance, const Vector& x) {
  Vector sum = Vector::Zero(triangle_size(x.size()));
  Vector triangle(sum.size());
  for (const auto& client : instance.clients) {
    client->hessian(x, triangle);
    sum += triangle;
  }
  return unpacked(sum / static_cast<double>(instance.clients.size()), x.size());
}

Vector newton_point(const Instance& instance, const Vector& x) {
  return x - mean_hessian(instance, x).llt().solve(instance.gradient(x));
}

class SolvesQuadratics : public testing::TestWithParam<std::string> {};

TEST_P(SolvesQuadratics, InOneRoundFromExactHessians) {
  for (const std::size_t clients : {1U, 5U}) {
    const Instance instance = random_quadratics(81, clients);
    Testbed bed(instance, GetParam(), {});
    EXPECT_LT((bed.rounds(1) - instance.minimizer).norm(), 1e-13 * (1.0 + instance.minimizer.norm()));
  }
}

TEST_P(SolvesQuadratics, AndStaysAtTheMinimizer) {
  const Instance instance = random_quadratics(82);
  Testbed bed(instance, GetParam(), {});
  bed.from(instance.minimizer);
  EXPECT_LT((bed.rounds(3) - instance.minimizer).norm(), 1e-12);
}

TEST_P(SolvesQuadratics, AsOneClientWhereAllAreTheSame) {
  const auto copies = [](std::size_t n) {
    Instance instance{.start = Vector::Ones(20)};
    for (std::size_t i = 0; i < n; ++i) instance.clients.push_back(on_rows(1).clients[0]->clone());
    return instance;
  };
  const Instance one = copies(1);
  const Instance four = copies(4);
  Testbed alone(one, GetParam(), {});
  Testbed many(four, GetParam(), {});
  for (int r = 0; r < 4; ++r) EXPECT_LT((alone.rounds(1) - many.rounds(1)).norm(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, SolvesQuadratics, testing::Values("newton", "fednl", "fednl-ls", "fednl-pp"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Newton, TakesTheStepsOfNewtonsMethod) {
  const Instance instance = on_rows(5);
  Testbed bed(instance, "newton", {});
  Vector x = instance.start;
  bed.start();
  for (int r = 0; r < 4; ++r) {
    bed.rounds(1);
    x = newton_point(instance, x);
    EXPECT_LT((bed.vector("y") - x).norm(), 1e-11 * x.norm()) << "round " << r + 1;
  }
}

TEST(Newton, PaysOneExchangeARoundAndTheTriangle) {
  const Instance instance = on_rows(5);
  Testbed bed(instance, "newton", {});
  bed.rounds(3);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(ledger.exchanges, 4U);
  EXPECT_EQ(ledger.bytes_up, 4U * 5U * 8U * (20U + 210U));
  EXPECT_EQ(ledger.bytes_down, 4U * 5U * 8U * 20U);
  EXPECT_EQ(ledger.scalars_up, 4U * 5U);
}

// log cosh: a full step from afar overshoots.
struct LogCosh {
  double shift = 0.0;
  Index dim() const { return 1; }
  double value_gradient(VecIn x, VecOut g) const {
    const double t = x[0] - shift;
    g[0] = std::tanh(t);
    return std::abs(t) + std::log1p(std::exp(-2.0 * std::abs(t)));
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    const double slope = std::tanh(x[0] - shift);
    hv[0] = (1.0 - slope * slope) * v[0];
  }
};

TEST(Newton, ShortensAStepThatWasTooLongAndCountsItsExchange) {
  Instance instance{.start = scalar(3.0)};
  instance.clients.push_back(make_client(LogCosh{}));
  Testbed bed(instance, "newton", {});
  bed.rounds(1);  // p = −tanh(3)/(1 − tanh(3)²) is about −101
  EXPECT_EQ(bed.x(), instance.start) << "rejected";
  EXPECT_LT(bed.number("t"), 0.71);
  EXPECT_GE(bed.number("t"), 0.05);
  EXPECT_EQ(bed.federation().ledger().exchanges, 2U);
  double f = instance.value(bed.x());
  for (int r = 0; r < 12; ++r) {
    const double next = instance.value(bed.rounds(1));
    EXPECT_LE(next, f + 1e-15);
    f = next;
  }
  EXPECT_LT(std::abs(bed.x()[0]), 1e-9);
}

Instance non_convex_quadratics(double beta) {
  Instance instance;
  for (int i = 0; i < 3; ++i)
    instance.clients.push_back(make_client(DenseQuadratic(Matrix(Vector::LinSpaced(8, 0.1, 1.0 + i).asDiagonal()),
                                                          Vector::LinSpaced(8, -3.0, 2.0 + i), beta)));
  instance.start = Vector::LinSpaced(8, -1.5, 1.5);
  return instance;
}

void expect_descent_to_a_stationary_point(const Instance& instance, int rounds) {
  Testbed bed(instance, "newton", {});
  double value = instance.value(bed.x());
  for (int r = 0; r < rounds; ++r) {
    const double next = instance.value(bed.rounds(1));
    EXPECT_LE(next, value + 1e-12 * (1.0 + std::abs(value))) << "round " << r + 1;
    value = next;
  }
  EXPECT_LT(instance.gradient(bed.x()).norm(), 1e-8);
}

TEST(Newton, DescendsToAStationaryPointWhereFIsNotConvex) {
  for (const double beta : {2.0, 20.0}) expect_descent_to_a_stationary_point(non_convex_quadratics(beta), 80);
  const QuadraticProblem problem = generate_quadratic({.convexity = QuadraticClass::non_convex, .dim = 40});
  Instance demo{.start = problem.start};
  for (const DiagonalQuadratic& f : std::get<std::vector<DiagonalQuadratic>>(problem.clients))
    demo.clients.push_back(make_client(f));
  expect_descent_to_a_stationary_point(demo, 80);
}

TEST(Newton, ArrivesOnColumnsOfAnyScale) {
  for (const double l2 : {1e-6, 0.0}) {
    const Instance logistic = on_rows(4, 4, l2);
    Testbed a(logistic, "newton", {});
    EXPECT_LT(logistic.gradient(a.rounds(25)).norm(), 1e-9 * logistic.gradient(logistic.start).norm());
    const Instance squares = on_rows<SquaredLoss>(4, 4, l2);
    Testbed b(squares, "newton", {});
    EXPECT_LT(squares.gradient(b.rounds(4)).norm(), 1e-9 * squares.gradient(squares.start).norm());
  }
}

// 20 variables of which 12 rows say something: H has rank 12.
TEST(Newton, ArrivesWhereTheHessianIsSingular) {
  const Instance instance = on_rows<SquaredLoss>(50, 0, 0.0);
  Instance few{.start = Vector::Zero(20)};
  few.clients.push_back(instance.clients[0]->clone());
  Testbed bed(few, "newton", {});
  EXPECT_LT(few.gradient(bed.rounds(3)).norm(), 1e-12);
  EXPECT_LT(bed.x().norm(), 1e6);
}

TEST(Newton, DoesNotDependOnTheUnitsOfFAndTheBasis) {
  const Instance instance = random_quadratics(83);
  const Matrix Q = random_rotation(5, instance.start.size());
  const Instance other = transformed(instance, 1e-4, Q);
  Testbed a(instance, "newton", {});
  Testbed b(other, "newton", {});
  EXPECT_LT((Q * a.rounds(1) - b.rounds(1)).norm(), 1e-11);
}

TEST(Newton, RejectsMatricesThatAreTooLarge) {
  const Instance instance = random_quadratics(84);
  for (const char* method : {"newton", "fednl", "fednl-ls", "fednl-pp"}) {
    Testbed bed(instance, method, {{"max_dim", std::int64_t{11}}});
    EXPECT_THROW(bed.start(), ConfigError) << method;
  }
}

TEST(FedNl, WithoutCompressionIsNewton) {
  const Instance instance = on_rows(5);
  for (const std::string start : {"exact", "zero"})
    for (const std::string update : {"projection", "shift"}) {
      Testbed bed(instance, "fednl", {{"compressor", "identity"s}, {"h_start", start}, {"update", update}});
      Vector x = instance.start;
      for (int r = 0; r < 4; ++r) {
        x = newton_point(instance, x);
        EXPECT_LT((bed.rounds(1) - x).norm(), 1e-10 * x.norm()) << start << ' ' << update;
      }
    }
}

TEST(FedNl, KeepsTheMeanOfTheClientsHessians) {
  const Instance instance = on_rows(5);
  for (const char* method : {"fednl", "fednl-ls", "fednl-pp"})
    for (const std::string& C : matrix_compressors) {
      Settings settings{{"compressor", C}, {"mu", 0.01}};
      if (method == "fednl-pp"s) settings.emplace_back("cohort", std::int64_t{2});
      Testbed bed(instance, method, settings);
      for (int r = 0; r < 4; ++r) {
        bed.rounds(1);
        Vector mean = Vector::Zero(210);
        for (std::size_t i = 0; i < 5; ++i) mean += bed.client_vector("H_i", i) / 5.0;
        EXPECT_LT((bed.vector("H") - mean).norm(), 1e-13) << method << ' ' << C << " round " << r + 1;
      }
    }
}

TEST(FedNl, LearnsTheHessianOfAQuadraticFromZero) {
  const Instance instance = random_quadratics(85);
  const Matrix H = mean_hessian(instance, instance.start);
  for (const std::string& C : matrix_compressors) {
    Testbed bed(instance, "fednl", {{"compressor", C}, {"h_start", "zero"s}, {"update", "shift"s}, {"keep", 0.3}});
    bed.rounds(150);
    EXPECT_LT((unpacked(bed.vector("H"), 12) - H).norm(), 1e-6 * H.norm()) << C;
  }
}

TEST(FedNl, CountsTheBytesOfItsCodes) {
  const Instance instance = on_rows(5);  // N = 210, K = 21, ⌈log2 N⌉ = 8
  const std::map<std::string, std::uint64_t> bytes{{"identity", 1680},  {"top-k", 189},  {"rand-k", 176},
                                                   {"rand-seq-k", 176}, {"rank-k", 168}, {"natural", 315}};
  for (const auto& [C, size] : bytes) {
    Testbed bed(instance, "fednl", {{"compressor", C}});
    bed.rounds(3);
    EXPECT_EQ(bed.federation().ledger().bytes_up, 5U * (3U * 160U + 1680U + 2U * size)) << C;
  }
}

TEST(FedNlPp, OfEveryoneIsFedNlWithShift) {
  const Instance instance = on_rows(5);
  for (const std::string& C : {"identity"s, "top-k"s, "rank-k"s})
    for (const std::string start : {"exact", "zero"}) {
      const Settings settings{{"compressor", C}, {"h_start", start}};
      Testbed part(instance, "fednl-pp", settings);
      Testbed all(instance, "fednl", with(settings, {{"update", "shift"s}}));
      for (int r = 0; r < 5; ++r)
        EXPECT_LT((part.rounds(1) - all.rounds(1)).norm(), 1e-11 * (1.0 + all.x().norm())) << C << ' ' << start;
    }
}

TEST(FedNlPp, KeepsTheMeansOfWhatItsClientsKeep) {
  const Instance instance = on_rows(5);
  Testbed bed(instance, "fednl-pp", {{"cohort", std::int64_t{2}}});
  bed.rounds(6);
  Vector g = Vector::Zero(20);
  for (std::size_t i = 0; i < 5; ++i) g += bed.client_vector("g_i", i) / 5.0;
  EXPECT_LT((bed.vector("g") - g).norm(), 1e-13);
}

struct Case {
  std::string method;
  std::string compressor;
  Settings settings;
  std::size_t rounds;
};
class LearnedHessians : public testing::TestWithParam<Case> {};

TEST_P(LearnedHessians, ReachTheMinimizerOfLogisticRegression) {
  const Instance instance = on_rows(5);
  Testbed bed(instance, GetParam().method, with(GetParam().settings, {{"compressor", GetParam().compressor}}));
  const double first = instance.gradient(instance.start).norm();
  EXPECT_LT(instance.gradient(bed.rounds(GetParam().rounds)).norm(), 1e-9 * first);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& C : matrix_compressors) {
    all.push_back({"fednl", C, {}, 120});
    all.push_back({"fednl", C, {{"update", "shift"s}}, 200});
    all.push_back({"fednl-ls", C, {}, 120});
    all.push_back({"fednl-ls", C, {{"h_start", "zero"s}}, 250});
    all.push_back({"fednl-pp", C, {{"cohort", std::int64_t{2}}}, 300});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, LearnedHessians, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.method + "_" + info.param.compressor + "_" + std::to_string(info.index);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace driftless::test
