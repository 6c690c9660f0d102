// How `auto` chooses: its estimates by hand, the choice for each thing to save, and that it then is the chosen method,
// from the first exchange on.
#include "driftless/methods/automatic/auto.hpp"

#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/small_logistic.hpp"
#include "tests/support/testbed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless::test {
namespace {

using namespace std::string_literals;

MethodDecision decided(Testbed& bed) {
  bed.start();
  return bed.method().decision().value();
}

double estimate(const AutoFacts& facts, const AutoOptions& options, AutoChoice choice) {
  for (const AutoEstimate& e : auto_estimates(facts, options))
    if (e.choice == choice) return e.amount;
  return -1.0;
}

AutoChoice best(const AutoFacts& facts, const AutoOptions& options) {
  return auto_estimates(facts, options).front().choice;
}

// Fewer rows than variables: three clients with eight rows each, 60 variables.
Instance few_rows() {
  const Dataset data = generate_classification({.rows = 24, .dim = 60, .nonzeros_per_row = 20.0}, 4);
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::int32_t i = 0; i < 3; ++i) {
    std::vector<std::int32_t> rows(8);
    std::iota(rows.begin(), rows.end(), 8 * i);
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 1.0 / 8.0, .l2 = 0.01})));
  }
  return instance;
}

// ½ Σ_k a_k (x_k − b)² and nothing but its value and gradient.
struct GradientsAlone {
  Vector a;
  double b = 0.0;

  Index dim() const { return a.size(); }
  double value_gradient(VecIn x, VecOut g) const {
    g = a.cwiseProduct(x - Vector::Constant(x.size(), b));
    return 0.5 * g.dot(x - Vector::Constant(x.size(), b));
  }
};

Instance gradients_alone(double spread) {
  Instance instance;
  for (int i = 0; i < 4; ++i)
    instance.clients.push_back(
        make_client(GradientsAlone{(1.0 + i * spread) * Vector::LinSpaced(6, 1.0, 20.0), 1.0 + i}));
  instance.start = Vector::Zero(6);
  return instance;
}

// n = 4, d = 9: a matrix has 45 numbers, which fill 5 vectors. Both directions count.
TEST(AutoPlan, EstimatesInTheUnitOfWhatIsSaved) {
  const AutoFacts facts{.clients = 4.0, .dim = 9.0};
  EXPECT_EQ(estimate(facts, {}, AutoChoice::newton), 8.0);
  EXPECT_EQ(estimate(facts, {.save = Save::messages}, AutoChoice::newton), 4.0 * (8.0 * 6.0 + 8.0));
  EXPECT_EQ(estimate(facts, {.save = Save::messages}, AutoChoice::newton_cg), 4.0 * 90.0);
  EXPECT_EQ(estimate(facts, {.save = Save::bytes}, AutoChoice::newton_cg), 4.0 * 90.0 * 72.0);
  EXPECT_EQ(estimate(facts, {.save = Save::local}, AutoChoice::newton_cg), 45.0);
  // An exchange there: half a second each way, and 72 bytes at 64 bit/s each way.
  EXPECT_DOUBLE_EQ(estimate(facts, {.save = Save::time, .link = "500ms,64bit"}, AutoChoice::newton_cg),
                   45.0 * (1.0 + 9.0 + 9.0));
}

TEST(AutoPlan, SendsMatricesWhereTheyAreSmallAndAllowed) {
  const AutoOptions vectors{.matrices = false};
  EXPECT_EQ(best({.dim = 300.0}, {}), AutoChoice::newton);
  EXPECT_EQ(best({.dim = 300.0}, vectors), AutoChoice::merged_newton_cg);
  EXPECT_EQ(best({.dim = 60000.0}, {}), AutoChoice::merged_newton_cg);
  EXPECT_EQ(best({.dim = 300.0}, {.save = Save::bytes}), AutoChoice::newton_cg);
  EXPECT_EQ(best({.dim = 4.0}, {.save = Save::bytes}), AutoChoice::newton);
  EXPECT_EQ(best({.dim = 300.0}, {.save = Save::time, .link = "1s"}), AutoChoice::newton);
  EXPECT_EQ(best({.dim = 300.0}, {.save = Save::time, .link = "1ms,1Mbit"}), AutoChoice::newton_cg);
}

TEST(AutoPlan, UsesTheSpanOfTheDataWhereItIsSmall) {
  EXPECT_EQ(best({.dim = 7000.0, .rank = 44.0}, {}), AutoChoice::newton_in_span);
  EXPECT_EQ(best({.dim = 7000.0, .rank = 44.0}, {.matrices = false}), AutoChoice::newton_in_span);
  EXPECT_EQ(best({.dim = 7000.0, .rank = 2000.0}, {}), AutoChoice::merged_newton_cg);
}

TEST(AutoPlan, WithoutHessiansSimilarityDecides) {
  EXPECT_EQ(best({.dim = 10.0, .hessians = false, .similarity = 20.0}, {}), AutoChoice::acc_s_dane);
  EXPECT_EQ(best({.dim = 10.0, .hessians = false, .similarity = 2.0}, {}), AutoChoice::lbfgs);
  EXPECT_EQ(best({.dim = 10.0, .hessians = false, .similarity = 20.0}, {.save = Save::local}), AutoChoice::lbfgs);
}

// Bits and ledger: looking at the problem costs no exchange and no vector.
TEST(Auto, IsTheChosenMethodFromTheFirstExchangeOn) {
  struct Case {
    Settings settings;
    std::string method;
    Settings same;
  };
  const std::vector<Case> cases{{{}, "newton", {{"steps", "halley"s}}},
                                {{{"matrices", false}}, "newton-cg", {{"directions", std::int64_t{5}}}},
                                {{{"save", "bytes"s}}, "newton-cg", {}}};
  for (const auto& [settings, method, same_settings] : cases) {
    const Instance instance = logistic(4, 0.5);
    Testbed bed(instance, "auto", settings);
    Testbed same(instance, method, same_settings);
    EXPECT_TRUE(bed.rounds(4) == same.rounds(4)) << method;
    EXPECT_THAT(decided(bed).chosen, testing::StartsWith(method));
    EXPECT_EQ(bed.federation().ledger().exchanges, same.federation().ledger().exchanges) << method;
    EXPECT_EQ(bed.federation().ledger().bytes(), same.federation().ledger().bytes()) << method;
  }
}

TEST(Auto, ContinuesInTheSpanOfFewRows) {
  const Instance instance = few_rows();
  Testbed bed(instance, "auto", {{"matrices", false}});
  Testbed same(instance, "newton-in-span", {});
  EXPECT_EQ(decided(bed).chosen, "newton-in-span");
  EXPECT_TRUE(bed.rounds(4) == same.rounds(4));
  EXPECT_EQ(bed.federation().ledger().exchanges, same.federation().ledger().exchanges);
}

TEST(Auto, ArrivesWithGradientsAlone) {
  for (const double spread : {0.01, 3.0}) {
    const Instance instance = gradients_alone(spread);
    Testbed bed(instance, "auto", {});
    EXPECT_EQ(decided(bed).chosen, spread < 1.0 ? "acc-s-dane" : "l-bfgs");
    double norm = 1.0;
    for (int r = 0; r < 300 && norm > 1e-9; ++r) norm = bed.federation().measure(bed.rounds(1)).gradient.norm();
    EXPECT_LE(norm, 1e-9) << spread;
  }
}

// Huber's losses with δ = 1 of x_k − k b: without curvature at zero, where b is far.
struct KinkedAtB {
  double b = 0.0;

  Index dim() const { return 4; }
  double value_gradient(VecIn x, VecOut g) const {
    double sum = 0.0;
    for (Index k = 0; k < 4; ++k) {
      const double r = x[k] - b * static_cast<double>(k + 1), size = std::abs(r);
      g[k] = size <= 1.0 ? r : r / size;
      sum += size <= 1.0 ? 0.5 * r * r : size - 0.5;
    }
    return sum;
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    for (Index k = 0; k < 4; ++k) hv[k] = std::abs(x[k] - b * static_cast<double>(k + 1)) <= 1.0 ? v[k] : 0.0;
  }
  bool curvature_jumps() const { return true; }
};

TEST(Auto, TakesGradientsWhereHessiansJump) {
  Instance instance{.start = Vector::Zero(4)};
  for (int i = 0; i < 5; ++i) instance.clients.push_back(make_client(KinkedAtB{100.0 + 0.3 * i}));
  Testbed bed(instance, "auto", {});
  const MethodDecision decision = decided(bed);
  EXPECT_EQ(decision.chosen, "l-bfgs");
  EXPECT_THAT(decision.reason, testing::HasSubstr("Hessians that jump"));
  double norm = 1.0;
  for (int r = 0; r < 100 && norm > 1e-9; ++r) norm = bed.federation().measure(bed.rounds(1)).gradient.norm();
  EXPECT_LE(norm, 1e-9);
}

TEST(Auto, ArrivesWhereFIsNotConvex) {
  Instance instance{.start = Vector::Constant(10, 2.0)};  // single clients are concave along some variables
  for (int i = 0; i < 4; ++i)
    instance.clients.push_back(make_client(DenseQuadratic(Matrix(Vector::LinSpaced(10, 1.5 - i, 3.0 + i).asDiagonal()),
                                                          Vector::LinSpaced(10, -1.0, 1.0 + i), 1.0)));
  for (const bool matrices : {true, false}) {
    Testbed bed(instance, "auto", {{"matrices", matrices}});
    double norm = 1.0;
    for (int r = 0; r < 300 && norm > 1e-8; ++r) norm = bed.federation().measure(bed.rounds(1)).gradient.norm();
    EXPECT_LE(norm, 1e-8);
  }
}

TEST(Auto, SaysWhatItMeasuredAndWhatTheOthersWouldCost) {
  const Instance instance = few_rows();
  Testbed bed(instance, "auto", {});
  const MethodDecision decision = decided(bed);
  EXPECT_THAT(decision.reason, testing::HasSubstr("estimated exchanges: newton 8, newton-in-span 11"));
  EXPECT_THAT(decision.measured, testing::Contains(testing::Pair("dimension of the span of the data", 24.0)));
  EXPECT_THAT(decision.measured, testing::Contains(testing::Pair("exchanges of newton-cg, estimated", 45.0)));
}

TEST(Auto, AtTheMinimizerItStays) {
  Instance instance = toy();
  instance.start = instance.minimizer;
  Testbed bed(instance, "auto", {});
  EXPECT_EQ(bed.rounds(2)[0], 1.5);
}

TEST(Auto, TimeNeedsALinkAndALinkIsForTime) {
  expect_error<ConfigError>([] { Auto method({.save = Save::time}); }, {"needs the network", "link ="});
  expect_error<ConfigError>([] { Auto method({.link = "1ms"}); }, {"'link' is used only", "save = \"exchanges\""});
  expect_error<ConfigError>([] { Auto method({.save = Save::time, .link = "quick"}); },
                            {"was not understood", "link = \"quick\"", "100Mbit"});
}

}  // namespace
}  // namespace driftless::test
