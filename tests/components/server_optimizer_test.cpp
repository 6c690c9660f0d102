#include "driftless/components/server/server_optimizer.hpp"

#include "driftless/core/random.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr std::array adaptive{ServerRule::adagrad, ServerRule::adam, ServerRule::yogi};

ServerOptimizer started(const ServerOptimizerOptions& options, Index dim) {
  ServerOptimizer server(options);
  server.start(dim);
  return server;
}

Vector gaussian(Stream& stream, Index dim) {
  Vector v(dim);
  for (double& entry : v) entry = stream.normal();
  return v;
}

TEST(ServerOptimizers, StartWithVInUnitsOfTauSquared) {
  ServerOptimizer server = started({.tau = 0.5, .v_start = 4.0}, 2);
  EXPECT_TRUE(server.v() == Vector::Constant(2, 1.0));
  EXPECT_TRUE(server.m() == Vector::Zero(2));
}

TEST(ServerOptimizers, AdamAndYogiLeaveVUnchangedWhereItIsTheSquare) {
  Vector delta(3);
  delta << 0.5, -2.0, 0.25;
  for (const ServerRule rule : {ServerRule::adam, ServerRule::yogi}) {
    ServerOptimizer server = started({.server_optimizer = rule, .beta2 = 0.75}, 3);
    server.v() = delta.array().square();
    Vector x = Vector::Zero(3);
    server.advance(x, delta);
    EXPECT_TRUE((server.v().array() == delta.array().square()).all()) << enum_name(rule);
  }
}

TEST(ServerOptimizers, StayWithoutUpdateAndMomentum) {
  for (const ServerRule rule : {ServerRule::sgd, ServerRule::adagrad, ServerRule::adam, ServerRule::yogi})
    for (const double v_start : {0.0, 1.0}) {
      ServerOptimizer server = started({.server_optimizer = rule, .v_start = v_start}, 2);
      Vector x = Vector::Ones(2);
      for (int t = 0; t < 3; ++t) server.advance(x, Vector::Zero(2));
      EXPECT_TRUE(x == Vector::Ones(2)) << enum_name(rule);
    }
}

TEST(ServerOptimizers, ContinueByMomentumAlone) {
  for (const ServerRule rule : adaptive) {
    ServerOptimizer server = started({.server_optimizer = rule}, 2);
    server.m() = Vector::Ones(2);
    Vector x = Vector::Zero(2);
    server.advance(x, Vector::Zero(2));
    EXPECT_GT(x.minCoeff(), 0.0) << enum_name(rule);
  }
}

// Updates of very different size, one after the other, in every direction.
TEST(ServerOptimizers, NeverHaveNegativeV) {
  for (const ServerRule rule : adaptive)
    for (const double beta2 : {0.0, 0.5, 0.999}) {
      ServerOptimizer server = started({.server_optimizer = rule, .beta2 = beta2, .v_start = 0.0}, 20);
      Stream stream(5, Purpose::generator);
      Vector x = Vector::Zero(20);
      for (int t = 0; t < 200; ++t) {
        server.advance(x, std::pow(10.0, stream.uniform(-6.0, 3.0)) * gaussian(stream, 20));
        EXPECT_GE(server.v().minCoeff(), 0.0) << enum_name(rule);
      }
      EXPECT_TRUE(x.allFinite());
    }
}

// Adam replaces v by a share, Yogi moves it by what is new: where Δ² is far below v, Yogi forgets more slowly.
TEST(ServerOptimizers, YogiForgetsMoreSlowlyThanAdam) {
  const auto v_after = [](ServerRule rule) {
    ServerOptimizer server = started({.server_optimizer = rule, .beta2 = 0.9, .tau = 1.0}, 1);
    Vector x = Vector::Zero(1);
    for (int t = 0; t < 50; ++t) server.advance(x, Vector::Constant(1, 0.01));
    return server.v()[0];
  };
  EXPECT_LT(v_after(ServerRule::adam), 0.01);
  EXPECT_GT(v_after(ServerRule::yogi), 0.99);
}

// x + η Δ/(√v + τ) with η = τ → ∞ and a v that stays finite.
TEST(ServerOptimizers, TendToTheUpdateItselfForLargeTau) {
  Stream stream(6, Purpose::generator);
  for (const ServerRule rule : adaptive)
    for (const double tau : {1e3, 1e6}) {
      ServerOptimizer server =
          started({.server_optimizer = rule, .server_step = tau, .beta1 = 0.0, .tau = tau, .v_start = 0.0}, 8);
      Vector x = Vector::Zero(8);
      Vector sum = x;
      for (int t = 0; t < 5; ++t) {
        const Vector delta = gaussian(stream, 8);
        server.advance(x, delta);
        sum += delta;
      }
      EXPECT_LT((x - sum).norm(), 20.0 / tau * sum.norm()) << enum_name(rule);
    }
}

// Q(x + step(Δ)) against Qx + step(QΔ) for a reflection Q that mixes two axes.
TEST(ServerOptimizers, AllButSgdDependOnTheAxes) {
  const auto gap = [](ServerRule rule) {
    ServerOptimizerOptions options{.server_optimizer = rule};
    Matrix Q(2, 2);
    Q << 0.6, 0.8, 0.8, -0.6;
    Vector delta(2);
    delta << 1.0, 0.1;
    Vector x = Vector::Zero(2);
    Vector rotated = x;
    started(options, 2).advance(x, delta);
    started(options, 2).advance(rotated, Q * delta);
    return (Q * x - rotated).norm() / x.norm();
  };
  EXPECT_LT(gap(ServerRule::sgd), 1e-12);
  for (const ServerRule rule : adaptive) EXPECT_GT(gap(rule), 0.1) << enum_name(rule);
}

}  // namespace
}  // namespace driftless::test
