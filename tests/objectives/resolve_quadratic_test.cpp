#include "driftless/objectives/quadratic/resolve_quadratic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

// The message of the ConfigError that this spec causes.
std::string complaint(const QuadraticSpec& spec) {
  try {
    resolved(spec);
  } catch (const ConfigError& error) {
    EXPECT_FALSE(error.info().seen.empty());
    EXPECT_FALSE(error.info().advice.empty());
    return error.what();
  }
  return "no complaint";
}

TEST(QuadraticSpec, DefaultsAreThePaperSetting) {
  const QuadraticSpec spec = resolved({});
  EXPECT_EQ(spec.clients, 5U);
  EXPECT_EQ(spec.samples, 10U);
  EXPECT_EQ(spec.dim, 1000U);
  EXPECT_EQ(spec.L, 100.0);
  EXPECT_EQ(spec.mu, 1.0);
  EXPECT_EQ(spec.delta, 5.0);
  EXPECT_EQ(spec.spread, 9.0);
  EXPECT_EQ(spec.beta, 0.0);
  EXPECT_EQ(resolved({.convexity = QuadraticClass::non_convex}).beta, 400.0);
}

TEST(QuadraticSpec, ResolvingTwiceChangesNothing) {
  const QuadraticSpec once = resolved({.convexity = QuadraticClass::non_convex});
  EXPECT_EQ(echo_options(resolved(once)), echo_options(once));
}

TEST(QuadraticSpec, DefaultsFollowOneClientAndOneSample) {
  const QuadraticSpec spec = resolved({.clients = 1, .samples = 1});
  EXPECT_EQ(spec.delta, 0.0);
  EXPECT_EQ(spec.spread, 0.0);
}

TEST(QuadraticSpec, IsReadFromItsKeys) {
  QuadraticSpec spec;
  set_option(spec, "recipe", std::string("R1"));
  set_option(spec, "class", std::string("non-convex"));
  set_option(spec, "structure", std::string("rotated"));
  set_option(spec, "clients", std::int64_t{7});
  set_option(spec, "delta", 2.5);
  EXPECT_EQ(spec.recipe, QuadraticRecipe::r1);
  EXPECT_EQ(spec.convexity, QuadraticClass::non_convex);
  EXPECT_EQ(spec.structure, QuadraticStructure::rotated);
  EXPECT_EQ(spec.clients, 7U);
  EXPECT_EQ(spec.delta, 2.5);
  EXPECT_THROW(set_option(spec, "structure", std::string("sparse")), ConfigError);
  EXPECT_THROW(set_option(spec, "mu", -1.0), ConfigError);
}

TEST(QuadraticSpec, RejectsValuesOutOfRangeThatDidNotComeFromAFile) {
  EXPECT_THAT(complaint({.clients = 0}), HasSubstr("'clients' has a value that is not allowed"));
  EXPECT_THAT(complaint({.L = -1.0}), HasSubstr("'L' has a value that is not allowed"));
  EXPECT_THAT(complaint({.delta = -1.0}), HasSubstr("'delta' has a value that is not allowed"));
}

TEST(QuadraticSpec, RejectsDeviationsThatDoNotFitBelowL) {
  const std::string text = complaint({.L = 20.0});
  EXPECT_THAT(text, HasSubstr("L = 20, mu = 1, delta = 5, spread = 9"));
  EXPECT_THAT(text, HasSubstr("raise L or lower delta, spread or mu"));
  EXPECT_THAT(complaint({.convexity = QuadraticClass::convex, .L = 28.0}), HasSubstr("raise L or lower delta, spread"));
}

TEST(QuadraticSpec, RejectsTooFewVariablesAndNamesTheSmallestNumber) {
  EXPECT_THAT(complaint({.clients = 5, .dim = 3}), HasSubstr("set dim to 4 or more"));
  EXPECT_THAT(complaint({.clients = 4, .dim = 2}), HasSubstr("set dim to 3 or more"));
  EXPECT_THAT(complaint({.convexity = QuadraticClass::convex, .dim = 20}), HasSubstr("set dim to 23 or more"));
  EXPECT_THAT(complaint({.recipe = QuadraticRecipe::r1, .convexity = QuadraticClass::convex, .dim = 20}),
              HasSubstr("set dim to 21 or more"));
}

TEST(QuadraticSpec, RejectsDeviationsOfASingleClientOrSample) {
  EXPECT_THAT(complaint({.clients = 1, .delta = 1.0}), HasSubstr("delta = 1 with clients = 1"));
  EXPECT_THAT(complaint({.samples = 1, .spread = 1.0}), HasSubstr("spread = 1 with samples = 1"));
}

TEST(QuadraticSpec, RejectsKeysThatTheRecipeWouldIgnore) {
  EXPECT_THAT(complaint({.recipe = QuadraticRecipe::r1, .delta = 5.0}), HasSubstr("'delta' has no meaning here"));
  EXPECT_THAT(complaint({.recipe = QuadraticRecipe::r1, .mu = 1.0}), HasSubstr("'mu' has no meaning here"));
  EXPECT_THAT(complaint({.recipe = QuadraticRecipe::r1, .spread = 1.0}), HasSubstr("'spread' has no meaning here"));
  EXPECT_THAT(complaint({.convexity = QuadraticClass::convex, .mu = 1.0}), HasSubstr("class = \"convex\""));
  EXPECT_THAT(complaint({.beta = 1.0}), HasSubstr("set class = \"non-convex\""));
}

TEST(QuadraticSpec, RejectsADeltaAThatTheseClientsCannotHave) {
  EXPECT_THAT(complaint({.clients = 5, .delta = 4.0, .delta_A = 1.9}), HasSubstr("delta_A = 1.9 with delta = 4"));
  EXPECT_THAT(complaint({.clients = 5, .delta = 4.0, .delta_A = 1.9}), HasSubstr("between 2 and 3.34"));
  EXPECT_THAT(complaint({.clients = 5, .delta = 4.0, .delta_A = 3.9}), HasSubstr("between 2 and 3.34"));
  EXPECT_EQ(complaint({.clients = 5, .delta = 4.0, .delta_A = 2.0}), "no complaint");
  EXPECT_THAT(complaint({.structure = QuadraticStructure::dense, .delta_A = 3.0}),
              HasSubstr("'delta_A' has no meaning here"));
  EXPECT_THAT(complaint({.recipe = QuadraticRecipe::r1, .delta_A = 3.0}), HasSubstr("'delta_A' has no meaning here"));
}

TEST(QuadraticSpec, RejectsADenseR1AndANonConvexProblemThatIsConvex) {
  EXPECT_THAT(complaint({.recipe = QuadraticRecipe::r1, .structure = QuadraticStructure::dense}),
              HasSubstr("structure = \"dense\""));
  EXPECT_THAT(complaint({.convexity = QuadraticClass::non_convex, .spread = 0.0, .beta = 0.0}),
              HasSubstr("nothing makes this problem non-convex"));
}

}  // namespace
}  // namespace driftless
