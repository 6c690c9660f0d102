// Methods under a robust rule in place of the mean, with a client that sends something else than its gradient.
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr std::size_t honest = 9;

// ‖A (x − c)‖²/2 with clients that differ little, as robust rules need.
struct NearQuadratic {
  Vector diagonal;
  Vector center;
  double exaggeration = 1.0;  // of the gradient that is sent

  Index dim() const { return diagonal.size(); }
  double value_gradient(VecIn x, VecOut g) const {
    g = exaggeration * diagonal.cwiseProduct(x - center);
    return 0.5 * (x - center).dot(diagonal.cwiseProduct(x - center));
  }
  void hessian_vector(VecIn, VecIn v, VecOut hv) const { hv = exaggeration * diagonal.cwiseProduct(v); }
};

constexpr Index dim = 6;
constexpr double spread = 0.01;

Instance quadratics(double exaggeration) {
  Instance instance{.start = Vector::Constant(dim, 3.0)};
  Stream chance(1, Purpose::generator);
  for (std::size_t i = 0; i <= honest; ++i) {
    NearQuadratic f{Vector::LinSpaced(dim, 1.0, 4.0), Vector::Ones(dim)};
    for (double& entry : f.center) entry += spread * chance.normal();
    if (i == honest) f.exaggeration = exaggeration;
    instance.clients.push_back(make_client(f));
  }
  return instance;
}

const std::vector<AggregationRule> rules{
    {Aggregation::median}, {Aggregation::trimmed_mean, 0.1}, {Aggregation::geometric_median}};

double distance_after(const Instance& instance, const AggregationRule& rule, const std::string& method,
                      const Settings& settings, std::size_t rounds) {
  Testbed bed(instance, method, settings);
  bed.federation().aggregate_by(rule);
  return (bed.rounds(rounds) - Vector::Ones(dim)).lpNorm<Eigen::Infinity>();
}

// The minimum of the honest clients is within a few hundredths of 1 in every entry.
TEST(RobustMethods, GdComesNearTheHonestMinimumWhereOneOfTenSendsAThousandTimesItsGradient) {
  for (const double exaggeration : {1000.0, -1000.0})
    for (const AggregationRule& rule : rules)
      EXPECT_LT(distance_after(quadratics(exaggeration), rule, "gd", {{"step", 0.2}}, 100), 5.0 * spread);
}

TEST(RobustMethods, GdByTheMeanDoesNot) {
  EXPECT_FALSE(distance_after(quadratics(1000.0), {}, "gd", {{"step", 0.2}}, 100) < 1e3);
  EXPECT_FALSE(distance_after(quadratics(-1000.0), {}, "gd", {{"step", 0.2}}, 100) < 1e3);
}

// What is lost: without a liar the mean finds the minimum of f, and the others a point nearby.
TEST(RobustMethods, TheLimitIsNotTheMinimumWhereClientsDiffer) {
  const Instance instance = quadratics(1.0);
  Vector minimum = Vector::Zero(dim);
  Stream chance(1, Purpose::generator);
  for (std::size_t i = 0; i <= honest; ++i)
    for (double& entry : minimum) entry += (1.0 + spread * chance.normal()) / (honest + 1.0);
  const auto distance = [&](const AggregationRule& rule) {
    Testbed bed(instance, "gd", {{"step", 0.2}});
    bed.federation().aggregate_by(rule);
    return (bed.rounds(300) - minimum).norm();
  };
  EXPECT_LT(distance({}), 1e-12);
  for (const AggregationRule& rule : rules) {
    EXPECT_GT(distance(rule), 1e-5);
    EXPECT_LT(distance(rule), 3.0 * spread);
  }
}

std::vector<std::string> robust_method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog())
    if (entry.takes_robust_means) names.push_back(entry.name);
  return names;
}

Settings settings_of(const std::string& method) {
  const MethodEntry& entry = find_method(method);
  Settings settings = entry.demo;
  for (auto& [key, value] : settings)
    if (key == "step" && std::holds_alternative<double>(value) && std::get<double>(value) < 0.2) value = 0.05;
  return settings;
}

class RobustMethod : public testing::TestWithParam<std::string> {};

TEST_P(RobustMethod, ComesNearWithEveryRuleAlthoughOneClientLies) {
  for (const AggregationRule& rule : rules)
    EXPECT_LT(distance_after(quadratics(1000.0), rule, GetParam(), settings_of(GetParam()), 400), 0.25);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RobustMethod, testing::ValuesIn(robust_method_names()), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(RobustMethods, AreSeveral) { EXPECT_GE(robust_method_names().size(), 10U); }

}  // namespace
}  // namespace driftless::test
