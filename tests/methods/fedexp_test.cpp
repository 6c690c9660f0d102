// FedExP: the server's step by hand, where it is FedAvg, that it never leaves a common minimiser, what it costs.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

const Settings two_steps{{"step", 0.25}, {"local_steps", std::int64_t{2}}};

// From 1: Δ_1 = −7/16, Δ_2 = 15/16, Δ = 1/4, mean of the squares 137/256. From 0: Δ_1 = 0, Δ_2 = 15/8.
TEST(FedExpSteps, AreThoseWorkedOutByHand) {
  const Instance instance = toy();
  const Settings settings = with(two_steps, {{"epsilon", 1.0 / 16}});
  Testbed far(instance, "fedexp", settings);
  EXPECT_NEAR(far.from(scalar(1.0)).rounds(1)[0], 393.0 / 256, 1e-12);
  EXPECT_NEAR(far.number("eta_g"), 137.0 / 64, 1e-12);
  Testbed near(instance, "fedexp", settings);
  EXPECT_NEAR(near.from(scalar(0.0)).rounds(1)[0], 15.0 / 16, 1e-12) << "never shorter than FedAvg's";
  EXPECT_EQ(near.number("eta_g"), 1.0);
}

TEST(FedExpSteps, AreThoseOfFedAvgForLargeEpsilonAlsoForBatches) {
  const Instance instance = demo_quadratics();
  const Settings sampled{{"step", 0.002}, {"batch", std::int64_t{3}}, {"cohort", std::int64_t{3}}};
  Testbed extrapolated(instance, "fedexp", with(sampled, {{"epsilon", 1e12}}));
  Testbed average(instance, "fedavg", sampled);
  for (int t = 1; t <= 10; ++t)
    EXPECT_LE((extrapolated.rounds(1) - average.rounds(1)).norm(), 1e-10 * average.x().norm()) << "round " << t;
}

TEST(FedExpSteps, AreThoseOfFedAvgForIdenticalClients) {
  const Instance one = random_quadratics(21, 1);
  Instance same{.start = one.start};
  for (int i = 0; i < 4; ++i) same.clients.push_back(make_client(DenseQuadratic(one.hessians[0], one.minimizer)));
  Testbed bed(same, "fedexp", {{"step", 0.04}, {"epsilon", 1e-12}});
  for (int t = 0; t < 5; ++t) {
    bed.rounds(1);
    EXPECT_EQ(bed.number("eta_g"), 1.0);
  }
}

// Clients that know one direction of 24 each and agree on the solution.
Instance common_minimizer() {
  constexpr Index d = 24;
  Stream stream(22, Purpose::generator);
  Instance instance{.start = Vector::Zero(d), .minimizer = Vector::Ones(d)};
  for (int i = 0; i < 12; ++i) {
    Vector a(d);
    for (double& entry : a) entry = stream.normal();
    a.normalize();
    instance.clients.push_back(make_client(DenseQuadratic(a * a.transpose(), instance.minimizer)));
  }
  return instance;
}

TEST(FedExpSteps, NeverLeadAwayFromACommonMinimizer) {
  const Instance instance = common_minimizer();
  for (const std::int64_t cohort : {0, 4}) {
    Testbed bed(instance, "fedexp",
                {{"step", 1.0}, {"local_steps", std::int64_t{1}}, {"epsilon", 1e-14}, {"cohort", cohort}});
    double before = (instance.start - instance.minimizer).norm();
    double longest = 1.0;
    for (int t = 0; t < 100; ++t) {
      const double after = (bed.rounds(1) - instance.minimizer).norm();
      EXPECT_LE(after, before * (1 + 1e-14)) << "cohort " << cohort << ", round " << t;
      before = after;
      longest = std::max(longest, bed.number("eta_g"));
    }
    EXPECT_GT(longest, 1.5) << "steps that are all 1 prove nothing";
  }
}

TEST(FedExpSteps, AreFasterThanFedAvgTowardsACommonMinimizer) {
  const Instance instance = common_minimizer();
  const Settings settings{{"step", 0.3}, {"local_steps", std::int64_t{5}}};
  Testbed average(instance, "fedavg", settings);
  Testbed extrapolated(instance, "fedexp", with(settings, {{"epsilon", 1e-14}}));
  EXPECT_LT(instance.value(extrapolated.rounds(60)), 0.01 * instance.value(average.rounds(60)));
}

// At 15/11 FedAvg rests. FedExP rests there, too, but runs away from its neighbourhood unless ε is large.
TEST(FedExpSteps, CircleAroundTheRestingPointOfFedAvg) {
  const Instance instance = toy();
  const auto distance = [&](double epsilon, double offset) {
    Testbed bed(instance, "fedexp", with(two_steps, {{"epsilon", epsilon}}));
    return std::abs(bed.from(scalar(15.0 / 11 + offset)).rounds(60)[0] - 15.0 / 11);
  };
  EXPECT_LT(distance(1.0, 1e-4), 1e-10);
  EXPECT_GT(distance(1e-3, 1e-4), 1e-2);
}

TEST(FedExpCosts, AreThoseOfFedAvgAndANumber) {
  const Instance instance = random_quadratics(23);
  Testbed bed(instance, "fedexp", {{"step", 0.04}, {"cohort", std::int64_t{2}}});
  bed.rounds(3);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(bed.method().round_traffic(5), (Traffic{1, 2, 2}));
  EXPECT_EQ(ledger.exchanges, 3U);
  EXPECT_EQ(ledger.vectors_up, 6U);
  EXPECT_EQ(ledger.bytes_down, 6U * 12 * 8);
  EXPECT_EQ(ledger.scalars_up, 6U);
}

}  // namespace
}  // namespace driftless::test
