// Catalyst around the methods of the catalogue: what clients add for it, and what it reduces to.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Settings around(const std::string& inner, double kappa, double mu, std::int64_t rounds, const Settings& settings) {
  Settings all{{"inner", inner}, {"kappa", kappa}, {"mu", mu}, {"inner_rounds", rounds}};
  for (const auto& setting : settings)
    if (setting.first != "mu") all.push_back(setting);
  return all;
}

std::vector<std::string> inner_methods() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : *find_method("catalyst").around) names.push_back(name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& method) {
  std::string name = method.param;
  for (char& c : name)
    if (c == '+' || c == '-') c = c == '+' ? 'P' : '_';
  return name;
}

class Inside : public testing::TestWithParam<std::string> {
 protected:
  const MethodEntry& inner() const { return find_method(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Catalyst, Inside, testing::ValuesIn(inner_methods()), test_name);

TEST_P(Inside, WithoutPullIsTheInnerMethod) {
  const Instance instance = demo_quadratics();
  const Settings with_mu = has_option(inner(), "mu") ? with(inner().demo, {{"mu", 1.0}}) : inner().demo;
  Testbed plain(instance, inner().name, with_mu);
  Testbed catalyst(instance, "catalyst", around(inner().name, 0.0, 1.0, 2, inner().demo));
  for (int r = 0; r < 6; ++r) EXPECT_TRUE(catalyst.rounds(1) == plain.rounds(1)) << "round " << r;
  const Ledger& a = catalyst.federation().ledger();
  const Ledger& b = plain.federation().ledger();
  EXPECT_EQ(a.exchanges, b.exchanges);
  EXPECT_EQ(a.vectors_up, b.vectors_up);
  EXPECT_EQ(a.vectors_down, b.vectors_down);
  EXPECT_EQ(catalyst.federation().busiest().gradients, plain.federation().busiest().gradients);
}

TEST_P(Inside, StaysAtTheMinimizer) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, "catalyst", around(inner().name, 4.0, 1.0, 2, inner().demo));
  EXPECT_LT((bed.from(instance.minimizer).rounds(6) - instance.minimizer).norm(), 1e-8);
}

TEST_P(Inside, ReachesTheMinimizer) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, "catalyst", around(inner().name, 4.0, 1.0, 3, inner().demo));
  const double first = instance.value(instance.start) - instance.minimum;
  for (int r = 0; r < 3000 && instance.value(bed.x()) - instance.minimum > 1e-8 * first; ++r) bed.rounds(1);
  EXPECT_LE(instance.value(bed.x()) - instance.minimum, 1e-8 * first);
}

TEST(CatalystAroundInexactDane, IsAide) {
  const Instance instance = random_quadratics(91);
  const Settings dane{{"lambda", 2.0}};
  for (const std::int64_t rounds : {1, 3}) {
    Testbed aide(instance, "aide", with(dane, {{"tau", 3.0}, {"mu", 1.0}, {"inner_rounds", rounds}}));
    Testbed catalyst(instance, "catalyst", around("inexact-dane", 3.0, 1.0, rounds, dane));
    for (int t = 0; t < 10; ++t)
      EXPECT_LT((aide.rounds(1) - catalyst.rounds(static_cast<std::size_t>(rounds))).norm(), 1e-10) << t;
    EXPECT_EQ(aide.federation().ledger().exchanges, catalyst.federation().ledger().exchanges);
    EXPECT_EQ(aide.federation().ledger().vectors_up, catalyst.federation().ledger().vectors_up);
  }
}

TEST(CatalystAroundGradientDescent, NeedsFewerRounds) {
  const Instance instance = demo_quadratics();
  const auto rounds = [&](const std::string& method, const Settings& settings) {
    Testbed bed(instance, method, settings);
    const double enough = 1e-10 * (instance.value(instance.start) - instance.minimum);
    int r = 0;
    for (; r < 3000 && instance.value(bed.x()) - instance.minimum > enough; ++r) bed.rounds(1);
    return r;
  };
  const int plain = rounds("gd", {{"step", 0.01}});
  EXPECT_LT(rounds("catalyst", around("gd", 98.0, 1.0, 4, {{"step", 1.0 / 198}})), plain);
}

TEST(CatalystTheory, GivesTheInnerMethodTheConstantsOfTheRegularisedFunctions) {
  const Instance instance = demo_quadratics();
  const Constants& c = instance.constants;
  const Settings svrp = theory_settings(find_method("catalyst"), c, {{"inner", "svrp"s}});
  const auto value = [&](const std::string& name) {
    return std::get<double>(std::ranges::find(svrp, name, &Settings::value_type::first)->second);
  };
  const double kappa = std::max(c.delta_A / std::sqrt(5.0) - c.mu, 0.0);
  EXPECT_NEAR(value("kappa"), kappa, 1e-12);
  EXPECT_NEAR(value("step"), (c.mu + kappa) / (2.0 * c.delta_A * c.delta_A), 1e-12);
  EXPECT_EQ(value("p"), 0.2);
}

TEST(CatalystOptions, NameTheInnerMethodsAndRejectOthers) {
  const MethodEntry& entry = find_method("catalyst");
  for (const char* name : {"gd", "agd", "dane", "dane+", "fedred-gd", "svrp"})
    EXPECT_TRUE(entry.around->contains(name));
  for (const char* name : {"catalyst", "aide", "acc-sonata", "fedavg", "newton-cg", "sonata-graph"})
    EXPECT_THROW(entry.make({{"inner", std::string(name)}, {"kappa", 1.0}}), ConfigError) << name;
  EXPECT_THROW(entry.make({{"inner", "gd"s}, {"kappa", 1.0}, {"lambda", 1.0}}), ConfigError) << "gd has no lambda";
  EXPECT_THROW(entry.make({{"inner", "gd"s}, {"kappa", 1.0}}), ConfigError) << "gd needs a step";
}

// f_i + (κ/2)‖· − y‖² in every call, and nothing of it outside the scope.
TEST(PullScope, AddsTheQuadraticToEveryCall) {
  const Instance instance = random_quadratics(92, 3, 4);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  const double kappa = 2.5;
  const Vector y = Vector::LinSpaced(4, -1.0, 1.0);
  const Vector x = Vector::LinSpaced(4, 2.0, 0.5);
  const Vector v = Vector::LinSpaced(4, 1.0, -2.0);
  const Vector center = Vector::LinSpaced(4, 0.3, 0.9);
  {
    const Federation::PullScope pulled(fed, {y, kappa}, 0);
    fed.for_each_client([&](Client& i) {
      const ClientObjective& f = *instance.clients[i.id()];
      const Matrix& A = instance.hessians[i.id()];
      EXPECT_NEAR(i.value(x), f.value(x) + 0.5 * kappa * (x - y).squaredNorm(), 1e-12);
      Vector g(4);
      EXPECT_NEAR(i.value_gradient(x, g), i.value(x), 1e-12);
      EXPECT_LT((g - instance.gradient(i.id(), x) - kappa * (x - y)).norm(), 1e-12);
      i.gradient(x, g);
      EXPECT_LT((g - instance.gradient(i.id(), x) - kappa * (x - y)).norm(), 1e-12);
      i.hessian_vector(x, v, g);
      EXPECT_LT((g - A * v - kappa * v).norm(), 1e-12);
      i.hessian_diagonal(x, g);
      EXPECT_LT((g - A.diagonal() - Vector::Constant(4, kappa)).norm(), 1e-12);
      Vector triangle(triangle_size(4));
      i.hessian(x, triangle);
      EXPECT_NEAR(triangle[2], A(1, 1) + kappa, 1e-12);
      EXPECT_NEAR(triangle[1], A(1, 0), 1e-12);
      for (const LocalSolver& solver :
           {LocalSolver(Exact{}), LocalSolver(GradientDescent{.step = 1.0 / 20, .stop = {.max_steps = 2000}}),
            LocalSolver(ProxGradient{.eta = 15.0 + kappa, .stop = {.max_steps = 2000}}),
            LocalSolver(AcceleratedGradient{.eta = 15.0 + kappa, .mu = 0.5 + kappa, .stop = {.max_steps = 2000}})}) {
        Vector z = x;
        i.minimize({.center = &center, .lambda = 0.7}, z, solver);
        i.gradient(z, g);
        EXPECT_LT((g + 0.7 * (z - center)).norm(), 1e-9);
        z = x;
        i.minimize({}, z, solver);  // without a centre of its own
        i.gradient(z, g);
        EXPECT_LT(g.norm(), 1e-9);
      }
    });
    EXPECT_NEAR(fed.measure(x).value, instance.value(x), 1e-12) << "measuring does not see it";
  }
  fed.for_each_client([&](Client& i) { EXPECT_EQ(i.value(x), instance.clients[i.id()]->value(x)); });
}

}  // namespace
}  // namespace driftless::test
