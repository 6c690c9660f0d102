// Theorem checks where something is wrong: with the method, or with an assumption of its theorem.
#include "driftless/config/method_config.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/theory/check_theorems.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// DANE whose corrections have the wrong sign.
class WrongSign final : public Method {
 public:
  explicit WrongSign(double lambda) : lambda_(lambda) {}
  void start(Federation& fed, Vector& x) override { x_i_ = h_i_ = fed.per_client<Vector>(x); }
  void round(Federation& fed, Vector& x) override {
    const Vector g = fed.mean([&](Client& i, VecOut row) {
      i.gradient(x, h_i_[i]);
      row = h_i_[i];
    });
    fed.for_each_client([&](Client& i) {
      h_i_[i] = g - h_i_[i];
      x_i_[i] = x;
      i.minimize({.shift = &h_i_[i], .center = &x, .lambda = lambda_}, x_i_[i], Exact{});
    });
    x = fed.mean(x_i_);
  }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("h_i", h_i_);
  }

 private:
  double lambda_;
  PerClient<Vector> x_i_, h_i_;
};

TEST(BrokenMethod, WithTheWrongSignOfTheCorrectionIsCaught) {
  const Instance instance = random_quadratics(65);
  const double lambda = instance.constants.delta_A;
  WrongSign broken(lambda);
  const TheoremCheckReport report =
      check_theorems(ground_of(instance), method_of("dane", {{"lambda", lambda}}), {.in_place = &broken});
  EXPECT_EQ(report.verdict(), Verdict::violated);
  // It still descends, but not to the optimum.
  ASSERT_NE(report.theorems[1].first_violation(), nullptr);
  EXPECT_EQ(report.theorems[1].theorem.name, "DANE, rate");
  EXPECT_GE(report.theorems[1].first_violation()->round, 1U);
}

// Scaffnew whose corrections move away from where they should go.
class WrongUpdate final : public Method {
 public:
  WrongUpdate(double step, double p) : step_(step), p_(p) {}
  void start(Federation& fed, Vector& x) override {
    x_i_ = fed.per_client<Vector>(x);
    h_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
  }
  void round(Federation& fed, Vector& x) override {
    const std::size_t steps = fed.geometric(p_);
    fed.for_each_client([&](Client& i) {
      x_i_[i] = x;
      i.minimize({.shift = &h_i_[i]}, x_i_[i], GradientDescent{.step = step_, .stop = {.max_steps = steps}});
    });
    x = fed.mean(x_i_);
    fed.for_each_client([&](Client& i) { h_i_[i] -= p_ / step_ * (x - x_i_[i]); });
  }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("h_i", h_i_);
  }

 private:
  double step_, p_;
  PerClient<Vector> x_i_, h_i_;
};

TEST(BrokenMethod, IsCaughtInTheMeanOverSeeds) {
  const Instance instance = random_quadratics(66);
  const double step = 1 / instance.constants.L;
  const double p = std::sqrt(instance.constants.mu * step);
  WrongUpdate broken(step, p);
  const TheoremCheckReport report = check_over_seeds(
      ground_of(instance), method_of("scaffnew", {{"step", step}, {"p", p}}), 5, {.in_place = &broken});
  EXPECT_EQ(report.verdict(), Verdict::violated);
}

// Two clients of curvature 1 and 199: δ_A = 99.
Instance unlike() {
  Instance instance{.start = Vector::Constant(2, 1.0), .minimizer = Vector::Zero(2), .minimum = 0.0};
  for (const double curvature : {1.0, 199.0}) {
    instance.hessians.push_back(Matrix::Identity(2, 2) * curvature);
    instance.clients.push_back(make_client(DenseQuadratic(instance.hessians.back(), Vector::Zero(2))));
  }
  instance.constants = constants_of_hessians(instance.hessians);
  return instance;
}

TEST(Assumptions, NameTheOneThatFailsAndShowTheViolationWhereIgnored) {
  const Instance instance = unlike();
  const MethodConfig method = method_of("dane", {{"lambda", 1.0}});
  const TheoremCheckReport respected = check_theorems(ground_of(instance), method, {.rounds = 5});
  EXPECT_EQ(respected.verdict(), Verdict::not_applicable);
  ASSERT_NE(respected.theorems.front().failed(), nullptr);
  EXPECT_EQ(respected.theorems.front().failed()->statement, "λ ≥ δ_A");
  EXPECT_EQ(respected.theorems.front().failed()->seen, "λ = 1, δ_A = 99");
  EXPECT_TRUE(respected.theorems.front().rows.empty());
  EXPECT_EQ(check_theorems(ground_of(instance), method, {.rounds = 5, .assumptions = Assumptions::ignored}).verdict(),
            Verdict::violated);
}

TEST(Assumptions, AreCheckedForEveryMethod) {
  const Instance instance = demo_quadratics();
  const auto failed = [&](const std::string& name, const Settings& settings) {
    const TheoremCheckReport report = check_theorems(ground_of(instance), method_of(name, settings), {.rounds = 2});
    EXPECT_EQ(report.theorems.front().verdict, Verdict::not_applicable) << name;
    const Assumption* first = report.theorems.front().failed();
    return first != nullptr ? first->statement : "";
  };
  EXPECT_EQ(failed("gd", {{"step", 0.02}}), "γ ≤ 1/L_f");
  EXPECT_EQ(failed("gd", {{"step", 0.01}, {"compressor", "natural"s}}), "gradients are sent as they are");
  EXPECT_EQ(failed("agd", {{"step", 0.01}, {"mu", 2.0}}), "μ ≤ μ_f");
  EXPECT_EQ(failed("dane+-gd", {{"lambda", 5.0}, {"eta", 100.0}}), "λ ≥ 2 δ_A");
  EXPECT_EQ(failed("dane+", {{"lambda", 5.0}, {"averaging", "random"s}}), "λ > δ_B");
  EXPECT_EQ(failed("dane+", {{"lambda", 10.0}, {"m", 3.0}, {"control_variate", "drift"s}}), "m = λ");
  EXPECT_EQ(failed("fedred-gd", {{"lambda", 5.0}, {"eta", 50.0}, {"p", 0.1}}), "η ≥ L");
  EXPECT_EQ(failed("fedred-gd", {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.01}}), "p ≥ λ/η");
  EXPECT_EQ(failed("fedred-sgd", {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.05}}),
            "E‖g_i − ∇f_i‖² ≤ σ² in the mean over clients");
  EXPECT_EQ(failed("fedred-sgd", {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.05}, {"sigma", 1.0}}),
            "batches are independent of each other");
  EXPECT_EQ(failed("scaffnew", {{"step", 0.01}, {"p", 0.1}, {"batch", std::int64_t{2}}}),
            "local steps use full gradients");
  EXPECT_EQ(failed("svrp", {{"step", 1.0}, {"p", 0.2}}), "η ≤ μ/(2δ_A²)");
}

TEST(Assumptions, NeedTheOptimumEvenWhereTheOthersAreIgnored) {
  const Instance instance = demo_quadratics();
  Ground ground = ground_of(instance);
  ground.reference.reset();
  const TheoremCheckReport report =
      check_theorems(ground, method_of("agd", {{"step", 0.01}}), {.rounds = 2, .assumptions = Assumptions::ignored});
  EXPECT_EQ(report.verdict(), Verdict::not_applicable);
  EXPECT_EQ(report.theorems.front().failed()->statement, "the optimum is known");
}

TEST(Assumptions, ThatAreLostOnTheWayEndTheCheckThere) {
  const Instance instance = demo_quadratics();
  const Constants& c = instance.constants;
  // Ten steps are enough for the errors of the first rounds, not for those of later ones.
  const Settings settings{
      {"lambda", 2 * c.delta_A}, {"eta", c.L}, {"stop_rule", "steps"s}, {"local_steps", std::int64_t{12}}};
  const TheoremCheckReport report =
      check_theorems(ground_of(instance), method_of("dane+-gd", settings), {.rounds = 60});
  const TheoremReport& relative = report.theorems[1];
  ASSERT_NE(relative.failed(), nullptr);
  EXPECT_THAT(relative.failed()->statement, testing::StartsWith("Σ e_r² ≤ λ(μ + λ)/8, in round "));
  EXPECT_LT(relative.rows.size(), 60U);
  EXPECT_EQ(relative.verdict, Verdict::undecided);
  EXPECT_THAT(relative.reason, testing::HasSubstr("after which an assumption failed"));
  EXPECT_EQ(report.theorems[0].verdict, Verdict::undecided);  // the measured errors are most of its bound in the end
  EXPECT_EQ(report.theorems[0].rows.size(), 60U);
}

TEST(TheoremCheck, IsEmptyForMethodsWithoutATheorem) {
  const Instance instance = demo_quadratics();
  const TheoremCheckReport report =
      check_theorems(ground_of(instance), method_of("fedavg", {{"step", 0.001}}), {.rounds = 2});
  EXPECT_TRUE(report.theorems.empty());
  EXPECT_EQ(report.verdict(), Verdict::not_applicable);
}

}  // namespace
}  // namespace driftless::test
