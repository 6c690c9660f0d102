#include "driftless/theory/predictions.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

constexpr Index dim = 10;

RateInput simple() {
  return {.constants = {.clients = 5,
                        .L = 100.0,
                        .L_f = 100.0,
                        .mu = 1.0,
                        .mu_f = 1.0,
                        .delta_A = 4.0,
                        .delta_A_up = 5.0,
                        .delta_B = 5.0,
                        .delta_1 = 4.0},
          .target = 1e-6,
          .distance2 = 2.0,
          .gap = 50.0,
          .gradients2 = 0.0};
}

Prediction of(const Predictions& all, const std::string& method) {
  for (const Prediction& p : all.lines)
    if (p.method == method) return p;
  throw std::out_of_range(method);
}

TEST(Predictions, AreTheFormulasOfTheTheorems) {
  const Predictions all = predict(simple(), dim);
  const double eps = 5e-5;
  EXPECT_EQ(of(all, "gd").rounds, std::ceil(std::log(100.0 / eps) / -std::log(0.99)));
  EXPECT_EQ(of(all, "agd").rounds, std::ceil(std::log(101.0 / eps) / -std::log(0.9)));
  EXPECT_EQ(of(all, "dane").rounds, std::ceil(std::log(1.0 + 1.0 / eps) / std::log(1.25)));
  EXPECT_EQ(of(all, "sonata").rounds, std::ceil(std::log(1.0 + 1.0 / eps) / std::log(1.2)));
  EXPECT_EQ(of(all, "dane+-gd").rounds, std::ceil(std::log(1.0 + 2.0 / eps) / std::log(1.125)));
  const double k = std::ceil(std::log(1.0 + 1.0 / eps) / std::log(1.0 + 1.0 / 198.0));
  EXPECT_EQ(of(all, "fedred-gd").local_steps, k);
  EXPECT_EQ(of(all, "fedred-gd").rounds, std::ceil(4.5 / 99.5 * k));
  EXPECT_EQ(of(all, "scaffnew").rounds, std::ceil(0.1 * std::ceil(std::log(100.0 / eps) / -std::log(0.99))));
  EXPECT_TRUE(of(all, "aegs").order);
  EXPECT_EQ(of(all, "aegs").rounds, std::ceil(2.0 * std::log(1e6)));
}

TEST(Predictions, CoverEveryMethodWithABoundInTheOrderOfItsPosition) {
  std::vector<int> positions;
  for (const Prediction& line : predict(simple(), dim).lines)
    positions.push_back(find_method(line.method).rate.bound.value().position);
  EXPECT_TRUE(std::ranges::is_sorted(positions));
  EXPECT_EQ(positions.size(), static_cast<std::size_t>(std::ranges::count_if(
                                  method_catalog(), [](const MethodEntry& e) { return e.rate.bound.has_value(); })));
}

TEST(Predictions, TrafficIsThatOfTheMethods) {
  const Predictions all = predict(simple(), dim);
  const Prediction gd = of(all, "gd");
  EXPECT_EQ(gd.exchanges, gd.rounds);
  EXPECT_EQ(gd.bytes, gd.rounds * 5 * 2 * 8 * 10);
  EXPECT_EQ(of(all, "dane").exchanges, 2 * of(all, "dane").rounds);
  EXPECT_EQ(of(all, "fedred-gd").exchanges, 1 + 2 * of(all, "fedred-gd").rounds);
}

TEST(Predictions, WithoutStrongConvexityUseTheLimitsAndSayWhatDoesNotApply) {
  RateInput input = simple();
  input.constants.mu = input.constants.mu_f = 0.0;
  const Predictions all = predict(input, dim);
  EXPECT_NEAR(of(all, "gd").rounds, 2e6, 1.0);
  EXPECT_NEAR(of(all, "dane").rounds, 4.0 * 2.0 / (2.0 * 5e-5), 1.0);
  EXPECT_EQ(of(all, "svrp").obstacle, "needs μ > 0");
  input.constants.mu = -1.0;
  EXPECT_THAT(predict(input, dim).worst_case, testing::HasSubstr("a client is not convex"));
}

TEST(Predictions, SayOfTheWorstCaseWhatTheirNumbersSay) {
  RateInput input = simple();
  const std::string pays = predict(input, dim, "at zero, which may be worse elsewhere").worst_case;
  EXPECT_THAT(pays, testing::StartsWith(
                        "Worst case with the constants at zero, which may be worse elsewhere (L/delta_A = 25): "));
  EXPECT_THAT(pays, testing::HasSubstr("fewest rounds dane (45)"));
  EXPECT_THAT(pays, testing::HasSubstr("known up to a constant factor is lower: spag (28) rounds"));
  EXPECT_THAT(pays, testing::HasSubstr("bound of rounds has delta in it"));
  input.constants.delta_A = input.constants.delta_B = input.constants.delta_1 = 90.0;
  const std::string does_not = predict(input, dim).worst_case;
  EXPECT_THAT(does_not, testing::HasSubstr("bound of rounds has no delta in it"));
  EXPECT_THAT(does_not, testing::Not(testing::HasSubstr("dane")));
}

// For any constants: the method named for fewest rounds has the least number of the table, and what is said of
// similarity is true of the least number.
TEST(Predictions, NeverContradictTheirTable) {
  for (const double mu : {1e-3, 0.1, 1.0, 30.0})
    for (const double delta : {0.01, 1.0, 20.0, 100.0}) {
      RateInput input = simple();
      input.constants.mu = input.constants.mu_f = mu;
      input.constants.delta_A = input.constants.delta_B = input.constants.delta_1 = delta;
      const Predictions all = predict(input, dim);
      const auto usable = [](const Prediction& p) { return p.obstacle.empty(); };
      const Prediction* least = nullptr;
      const Prediction* proved = nullptr;
      for (const Prediction& p : all.lines) {
        if (!usable(p)) continue;
        if (least == nullptr || p.rounds < least->rounds) least = &p;
        if (!p.order && (proved == nullptr || p.rounds < proved->rounds)) proved = &p;
      }
      SCOPED_TRACE(all.worst_case);
      EXPECT_THAT(all.worst_case, testing::HasSubstr("fewest rounds " + proved->method + " ("));
      EXPECT_THAT(all.worst_case, testing::HasSubstr(least->similarity ? "bound of rounds has delta in it"
                                                                       : "bound of rounds has no delta in it"));
      EXPECT_EQ(least != proved, all.worst_case.find("constant factor is lower") != std::string::npos);
    }
}

TEST(Predictions, OfEqualClientsNeedOneRoundOfDane) {
  RateInput input = simple();
  input.constants.delta_A = 0.0;
  EXPECT_EQ(of(predict(input, dim), "dane").rounds, 1.0);
  EXPECT_EQ(of(predict(input, dim), "svrp").obstacle, "its step is infinite for δ_A = 0");
}

// A bound must not promise more than happens: the methods with the parameters of their theory come to the target no
// later than predicted.
TEST(Predictions, HoldForRunsWithTheParametersOfTheTheory) {
  const test::Instance instance = test::demo_quadratics();
  RateInput input{.constants = instance.constants};
  input.distance2 = (instance.start - instance.minimizer).squaredNorm();
  input.gap = instance.value(instance.start) - instance.minimum;
  for (std::size_t i = 0; i < 5; ++i) input.gradients2 += instance.gradient(i, instance.minimizer).squaredNorm() / 5.0;
  const Predictions all = predict(input, dim);
  for (const std::string name : {"gd", "agd", "feddyn", "dane", "dane+-gd", "sonata"}) {
    const Prediction p = of(all, name);
    ASSERT_GT(p.rounds, 1.0) << name;
    test::Testbed bed(instance, name, theory_settings(find_method(name), instance.constants));
    const Vector& x = bed.rounds(static_cast<std::size_t>(p.rounds));
    EXPECT_LE(instance.value(x) - instance.minimum, input.accuracy()) << name;
  }
}

}  // namespace
}  // namespace driftless
