#include "driftless/components/similarity/lambda_rule.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace driftless::test {
namespace {

constexpr double no_lambda = std::numeric_limits<double>::infinity();

TEST(LambdaRules, SearchDoublesAndHalves) {
  RunningLambda lambda({.lambda_rule = LambdaRule::search, .lambda = 4.0});
  lambda.expect_success();
  EXPECT_DOUBLE_EQ(lambda(), 2.0);
  lambda.propose(100.0);
  EXPECT_DOUBLE_EQ(lambda(), 2.0) << "the search uses no estimate";
  lambda.failed(4.0, 5.0, 100.0);
  EXPECT_DOUBLE_EQ(lambda(), 8.0);
}

TEST(LambdaRules, SearchStaysPositive) {
  RunningLambda lambda({.lambda_rule = LambdaRule::search, .lambda = 1.0});
  for (int r = 0; r < 5000; ++r) lambda.expect_success();
  EXPECT_GT(lambda(), 0.0);
}

TEST(LambdaRules, HybridFollowsTheEstimateWithinEightfold) {
  RunningLambda lambda({.lambda_rule = LambdaRule::hybrid, .lambda = 4.0});
  lambda.expect_success();
  EXPECT_DOUBLE_EQ(lambda(), 4.0);
  lambda.propose(0.0);
  EXPECT_DOUBLE_EQ(lambda(), 4.0) << "no estimate";
  lambda.propose(6.0);
  EXPECT_DOUBLE_EQ(lambda(), 3.0);
  lambda.propose(1e9);
  EXPECT_DOUBLE_EQ(lambda(), 24.0);
  lambda.propose(1e-9);
  EXPECT_DOUBLE_EQ(lambda(), 3.0);
}

TEST(LambdaRules, HybridTrustsTheEstimateLessAfterFailures) {
  RunningLambda lambda({.lambda_rule = LambdaRule::hybrid, .lambda = 4.0});
  lambda.failed(4.0, 5.0, 1.0);
  EXPECT_DOUBLE_EQ(lambda(), 5.0) << "no less than would have passed";
  lambda.failed(4.0, no_lambda, 1.0);
  EXPECT_DOUBLE_EQ(lambda(), 8.0) << "nor less than twice the λ that failed";
  lambda.failed(4.0, 5.0, 4.0);
  EXPECT_DOUBLE_EQ(lambda(), 16.0) << "κ has doubled three times";
  lambda.failed(4.0, 5.0, 100.0);
  EXPECT_DOUBLE_EQ(lambda(), 32.0) << "a λ far below κ δ̂ says nothing of κ";
  for (int r = 0; r < 100; ++r) lambda.succeeded();
  lambda.propose(8.0);
  EXPECT_DOUBLE_EQ(lambda(), 4.0) << "and has fallen to ½ again";
}

TEST(LambdaRules, FixedIsNeverChanged) {
  RunningLambda lambda({.lambda_rule = LambdaRule::fixed, .lambda = 4.0});
  lambda.expect_success();
  lambda.propose(1.0);
  EXPECT_EQ(lambda(), 4.0);
  EXPECT_THROW((LambdaOptions{.lambda_rule = LambdaRule::fixed}.check()), ConfigError);
  EXPECT_NO_THROW((LambdaOptions{.lambda_rule = LambdaRule::hybrid}.check()));
}

}  // namespace
}  // namespace driftless::test
