// The rates of the catalogue: bounds solved for the number of rounds, and texts.
#include "driftless/methods/catalog.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace driftless {
namespace {

TEST(Rates, GeometricRoundsAreTheFirstThatMeetTheBound) {
  for (const double mu : {0.0, 0.3, 2.0})
    for (const double accuracy : {3.0, 1e-2, 1e-5}) {
      const double k = geometric_rounds(mu, 5.0, 2.0, accuracy);
      EXPECT_LE(geometric_bound(mu, 5.0, 2.0, k), accuracy * (1 + 1e-9)) << mu << ", " << accuracy;
      if (k > 1.0) { EXPECT_GT(geometric_bound(mu, 5.0, 2.0, k - 1.0), accuracy) << mu << ", " << accuracy; }
    }
  EXPECT_EQ(geometric_rounds(1.0, 0.0, 2.0, 1e-5), 1.0);  // without a pull the first round reaches the minimizer
}

TEST(Rates, ContractionRoundsAreTheFirstThatMeetTheBound) {
  const double k = contraction_rounds(0.1, 7.0, 1e-3);
  EXPECT_LE(7.0 * std::pow(0.9, k), 1e-3);
  EXPECT_GT(7.0 * std::pow(0.9, k - 1.0), 1e-3);
  EXPECT_EQ(contraction_rounds(0.1, 1e-4, 1e-3), 0.0);
  EXPECT_EQ(contraction_rounds(1.0, 7.0, 1e-3), 1.0);
}

TEST(Rates, TextNamesTheClassesBesidesStronglyConvexFunctions) {
  const RateInfo rate{.rounds = {rates::strongly_convex("a"), rates::convex("b"), rates::non_convex("c")}};
  EXPECT_EQ(rate.text(), "a; convex b; non-convex c");
}

TEST(Rates, EveryBoundHasASourceAndAPositionOfItsOwn) {
  std::set<int> positions;
  for (const MethodEntry& entry : method_catalog()) {
    if (!entry.rate.bound) continue;
    EXPECT_FALSE(entry.rate.bound->source.empty()) << entry.name;
    EXPECT_TRUE(positions.insert(entry.rate.bound->position).second) << entry.name;
  }
  EXPECT_FALSE(positions.empty());
}

}  // namespace
}  // namespace driftless
