// The points that theory outputs besides the last one.
#include "tests/support/testbed.hpp"

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

// Over many seeds the drawn iterate is each of K equally often: with p = 1 every round is one iteration.
TEST(OutputPoint, UniformDrawsEveryIterateEquallyOften) {
  const Instance instance = random_quadratics(62, 3, 2);
  const Settings settings{
      {"lambda", 1.0}, {"eta", 12.0}, {"p", 1.0}, {"control_variate", "none"s}};  // so that clients differ
  Testbed reference(instance, "fedred-gd", settings);
  std::vector<Vector> iterates;  // of every client after every iteration
  for (int r = 0; r < 4; ++r) {
    reference.rounds(1);
    for (std::size_t i = 0; i < 3; ++i) iterates.push_back(reference.client_vector("x_i", i));
  }
  std::vector<int> hits(iterates.size(), 0);
  for (std::uint64_t seed = 1; seed <= 2400; ++seed) {
    Testbed bed(instance, "fedred-gd", settings, {}, 1, seed);
    bed.method().keep_for_output(OutputPoint::uniform);
    bed.rounds(4);
    const Vector drawn = bed.method().output(bed.federation(), bed.x());
    for (std::size_t k = 0; k < iterates.size(); ++k) hits[k] += drawn == iterates[k] ? 1 : 0;
  }
  for (const int count : hits) EXPECT_NEAR(count, 200, 60);  // more than four standard deviations
}

TEST(OutputPoint, MethodsWithoutOneSaySo) {
  EXPECT_FALSE(find_method("gd").make({{"step", 0.1}})->keep_for_output(OutputPoint::weighted));
}

}  // namespace
}  // namespace driftless::test
