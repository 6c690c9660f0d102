#include "driftless/components/acceleration/estimating_sequence.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

TEST(EstimatingSequences, BeginWithTheInverseOfLambda) {
  const EstimatingSequence s;
  EXPECT_DOUBLE_EQ(s.weight(4.0), 0.25);
  const Vector x = Vector::Constant(2, 3.0);
  EXPECT_TRUE(s.query(0.25, x, x) == x);
}

TEST(EstimatingSequences, WeightSolvesItsEquation) {
  for (const double mu : {0.0, 0.3}) {
    EstimatingSequence s;
    for (int r = 0; r < 40; ++r) {
      const double lambda = 1.0 + r % 5;
      const double a = s.weight(lambda);
      EXPECT_NEAR(lambda * a * a / ((s.A + a) * s.B), 1.0, 1e-12);
      s.advance(a, mu);
      EXPECT_NEAR(s.B / (1.0 + mu * s.A), 1.0, 1e-12);
    }
  }
}

TEST(EstimatingSequences, CoupledWeightSolvesItsEquation) {
  for (const double sigma : {0.0, 0.1, 0.9}) {
    EstimatingSequence s;
    for (int r = 0; r < 40; ++r) {
      const double lambda = 1.0 + r % 3;
      const double a = s.coupled_weight(lambda, sigma);
      EXPECT_NEAR(lambda * a * a / ((s.A + a) * (s.B + sigma * a)), 1.0, 1e-12);
      s.advance(a, sigma);
      EXPECT_NEAR(s.B / (1.0 + sigma * s.A), 1.0, 1e-12);
    }
  }
}

TEST(EstimatingSequences, GrowQuadraticallyWithoutConvexity) {
  const double lambda = 3.0;
  EstimatingSequence s;
  for (int r = 1; r <= 100; ++r) {
    s.advance(s.weight(lambda), 0.0);
    EXPECT_EQ(s.B, 1.0);
    EXPECT_GE(s.A, r * r / (4 * lambda));
  }
}

TEST(EstimatingSequences, NeverOverflow) {
  EstimatingSequence s;
  for (int r = 0; r < 5000; ++r) s.advance(s.weight(1e-3), 1.0);
  EXPECT_TRUE(std::isfinite(s.A) && std::isfinite(s.B));
  EXPECT_NEAR(s.A / s.B, 1.0, 1e-12) << "B = 1 + μ A, where the 1 is long forgotten";
}

TEST(EstimatingSequences, FollowIsTheStepOfTheModel) {
  EstimatingSequence s{.A = 2.0, .B = 3.0};
  const Vector one = Vector::Ones(1);
  EXPECT_DOUBLE_EQ(s.query(2.0, 1.0 * one, 5.0 * one)[0], 3.0);
  EXPECT_DOUBLE_EQ(s.follow(2.0, 0.5, 4.0 * one, 2.0 * one, 1.0 * one)[0], (12.0 + 2.0 - 2.0) / 4.0);
}

}  // namespace
}  // namespace driftless::test
