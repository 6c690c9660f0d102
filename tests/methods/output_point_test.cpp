// The points that theory outputs besides the last one.
#include "tests/support/testbed.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

// Coins 0 1 1, no restart: client points after the iterations are (3/4, 3/4), (9/8, 3/4), (21/16, 39/32).
Testbed three_iterations(const Instance& instance, double mu) {
  return {instance,
          "fedred-gd",
          {{"lambda", 1.0}, {"eta", 3.0}, {"p", 0.5}, {"restart", false}, {"mu", mu}},
          std::make_unique<ScriptedChance>(std::deque<bool>{false, true, true})};
}

TEST(OutputPoint, PlainAverageIsTheMeanOverIterationsAndClients) {
  const Instance instance = toy();
  Testbed bed = three_iterations(instance, 0.0);
  ASSERT_TRUE(bed.method().keep_for_output(OutputPoint::weighted));
  bed.rounds(2);
  const double mean = (3.0 / 4 + 15.0 / 16 + 81.0 / 64) / 3;
  EXPECT_NEAR(bed.method().output(bed.federation(), bed.x())[0], mean, 1e-14);
}

TEST(OutputPoint, WeightedAverageFavoursLaterIterates) {
  const Instance instance = toy();
  Testbed bed = three_iterations(instance, 1.0);
  ASSERT_TRUE(bed.method().keep_for_output(OutputPoint::weighted));
  bed.rounds(2);
  const double q = 1.0 - 1.0 / (2 * 3.0 - 1.0);
  const double sum = 3.0 / 4 / q + 15.0 / 16 / (q * q) + 81.0 / 64 / (q * q * q);
  EXPECT_NEAR(bed.method().output(bed.federation(), bed.x())[0], sum / (1 / q + 1 / (q * q) + 1 / (q * q * q)), 1e-14);
}

TEST(OutputPoint, FormingItIsOneExchange) {
  const Instance instance = toy();
  Testbed bed = three_iterations(instance, 0.0);
  ASSERT_TRUE(bed.method().keep_for_output(OutputPoint::weighted));
  bed.rounds(2);
  const std::uint64_t before = bed.federation().ledger().exchanges;
  bed.method().output(bed.federation(), bed.x());
  EXPECT_EQ(bed.federation().ledger().exchanges, before + 1);
}

TEST(OutputPoint, AskingForOneDoesNotChangeTheRun) {
  const Instance instance = random_quadratics(61);
  const Settings settings{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.3}, {"averaging", "random"s}};
  for (const OutputPoint point : {OutputPoint::weighted, OutputPoint::uniform}) {
    Testbed keeping(instance, "fedred-gd", settings);
    ASSERT_TRUE(keeping.method().keep_for_output(point));
    EXPECT_TRUE(Vector(keeping.rounds(5)) == Testbed(instance, "fedred-gd", settings).rounds(5));
  }
}

// The points of all clients before the first iteration and after each of four, without restart and corrections, so that
// clients differ. With p = 1 every round is one iteration.
std::vector<std::vector<Vector>> iterates_of(const Instance& instance, const std::string& method,
                                             const Settings& settings) {
  Testbed bed(instance, method, settings);
  std::vector<std::vector<Vector>> iterates{{instance.start, instance.start, instance.start}};
  for (int r = 0; r < 4; ++r) {
    bed.rounds(1);
    std::vector<Vector>& points = iterates.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) points.push_back(bed.client_vector("x_i", i));
  }
  return iterates;
}

// How often the drawn point is iterate k of some client, over many seeds.
std::vector<int> hits_of(const Instance& instance, const std::string& method, const Settings& settings, int seeds) {
  const std::vector<std::vector<Vector>> iterates = iterates_of(instance, method, settings);
  std::vector<int> hits(iterates.size(), 0);
  for (int seed = 1; seed <= seeds; ++seed) {
    Testbed bed(instance, method, settings, {}, 1, static_cast<std::uint64_t>(seed));
    bed.method().keep_for_output(OutputPoint::uniform);
    bed.rounds(4);
    const Vector drawn = bed.method().output(bed.federation(), bed.x());
    for (std::size_t k = 0; k < iterates.size(); ++k)
      hits[k] += std::ranges::find(iterates[k], drawn) != iterates[k].end() ? 1 : 0;
  }
  return hits;
}

TEST(OutputPoint, UniformDrawsTheIteratesOfItsTheoremEquallyOften) {
  const Instance instance = random_quadratics(62, 3, 2);
  const Settings settings{{"lambda", 1.0}, {"eta", 12.0}, {"p", 1.0}, {"control_variate", "none"s}, {"restart", false}};
  const std::vector<int> exact = hits_of(instance, "fedred", settings, 2400);
  const std::vector<int> steps = hits_of(instance, "fedred-gd", settings, 2400);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(exact[k + 1], 600, 90) << "more than four standard deviations";
    EXPECT_NEAR(steps[k], 600, 90);
  }
  EXPECT_EQ(exact[0], 0) << "exact steps: 1 … K";
  EXPECT_EQ(steps[4], 0) << "gradient steps: 0 … K − 1";
}

TEST(OutputPoint, MethodsWithoutOneSaySo) {
  EXPECT_FALSE(find_method("gd").make({{"step", 0.1}})->keep_for_output(OutputPoint::weighted));
}

}  // namespace
}  // namespace driftless::test
