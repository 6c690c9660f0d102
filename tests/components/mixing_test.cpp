// Mixing over graphs keeps the mean and contracts towards it; gradient trackers keep the mean gradient.
#include "driftless/components/graph/gradient_tracker.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

class GossipTest : public testing::Test {
 protected:
  static constexpr std::size_t n = 16;
  static constexpr Index d = 3;

  PerClient<Vector> random_rows(std::uint64_t seed) {
    PerClient<Vector> v = fed_.per_client<Vector>(Vector::Zero(d));
    Stream stream(seed, Purpose::generator);
    for (Vector& row : v.hosted())
      for (double& entry : row) entry = stream.normal();
    return v;
  }
  double spread(const PerClient<Vector>& v) {
    const Vector mean = fed_.observe(v);
    double sum = 0.0;
    for (const Vector& row : v.hosted()) sum += (row - mean).squaredNorm();
    return std::sqrt(sum);
  }
  Mixing started(const MixingOptions& o) {
    Mixing mixing(o);
    mixing.prepare(fed_);
    return mixing;
  }

  Instance instance_ = random_quadratics(1, n, d);
  InProcessTransport transport_{n};
  ThreadPool pool_{2};
  Federation fed_{instance_.clients, transport_, pool_, 1};
};

constexpr auto graphs = {GraphName::ring, GraphName::torus, GraphName::complete, GraphName::erdos_renyi};
constexpr auto rules = {MixingRule::plain, MixingRule::chebyshev};

TEST_F(GossipTest, KeepsTheMean) {
  for (const GraphName graph : graphs)
    for (const MixingRule rule : rules)
      for (const std::size_t K : {1U, 2U, 5U, 20U}) {
        PerClient<Vector> v = random_rows(K);
        const Vector mean = fed_.observe(v);
        started({.graph = {.graph = graph}, .mixing = rule, .mixing_steps = K})(fed_, v);
        EXPECT_LT((fed_.observe(v) - mean).cwiseAbs().maxCoeff(), 1e-14);
      }
}

TEST_F(GossipTest, OfOneStepIsWForBothRules) {
  for (const MixingRule rule : rules) {
    PerClient<Vector> v = random_rows(7);
    PerClient<Vector> by_hand = v;
    Mixing mixing = started({.mixing = rule});
    mixing(fed_, v);
    for (ClientId i = 0; i < n; ++i) {
      const auto row = [&](ClientId j) { return by_hand.hosted()[j % n]; };
      EXPECT_LT((v.hosted()[i] - (row(i + n - 1) + row(i) + row(i + 1)) / 3.0).norm(), 1e-15);
    }
  }
}

TEST_F(GossipTest, OnTheCompleteGraphIsTheMean) {
  for (const MixingRule rule : rules)
    for (const std::size_t K : {1U, 3U}) {
      PerClient<Vector> v = random_rows(2);
      const Vector mean = fed_.observe(v);
      started({.graph = {.graph = GraphName::complete}, .mixing = rule, .mixing_steps = K})(fed_, v);
      for (const Vector& row : v.hosted()) EXPECT_LT((row - mean).norm(), 1e-15);
    }
}

// ρ^K, from any v.
TEST_F(GossipTest, PlainContractsByRhoEachStep) {
  for (const GraphName graph : graphs)
    for (const std::size_t K : {1U, 4U, 9U}) {
      Mixing mixing = started({.graph = {.graph = graph}, .mixing = MixingRule::plain, .mixing_steps = K});
      PerClient<Vector> v = random_rows(K);
      const double before = spread(v);
      mixing(fed_, v);
      EXPECT_LE(spread(v), std::pow(mixing.weights().rho(), static_cast<double>(K)) * before + 1e-14);
    }
}

// (1 + K(1 + r)) r^K with r = ρ/(1 + √(1 − ρ²)), from any v.
TEST_F(GossipTest, ChebyshevStaysBelowItsBound) {
  for (const GraphName graph : graphs)
    for (const std::size_t K : {2U, 3U, 5U, 10U, 30U}) {
      Mixing mixing = started({.graph = {.graph = graph}, .mixing = MixingRule::chebyshev, .mixing_steps = K});
      const double rho = mixing.weights().rho();
      const double r = rho / (1.0 + std::sqrt(1.0 - rho * rho));
      const auto steps = static_cast<double>(K);
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        PerClient<Vector> v = random_rows(seed);
        const double before = spread(v);
        mixing(fed_, v);
        EXPECT_LE(spread(v), (1.0 + steps * (1.0 + r)) * std::pow(r, steps) * before + 1e-14);
      }
    }
}

// On the ring of 16, ρ = 0.949: 30 steps leave 0.2 of the slowest wave with plain steps. The rate that is quoted for
// this scheme is (1 − √(1 − ρ))^K; the factor before it is left behind after some steps.
TEST_F(GossipTest, ChebyshevBeatsTheQuotedRateAndPlainOnARing) {
  constexpr std::size_t K = 30;
  const auto left = [&](MixingRule rule) {
    Mixing mixing = started({.mixing = rule, .mixing_steps = K});
    PerClient<Vector> v = random_rows(5);
    const double before = spread(v);
    mixing(fed_, v);
    return spread(v) / before;
  };
  const double rho = started({}).weights().rho();
  EXPECT_LE(left(MixingRule::chebyshev), std::pow(1.0 - std::sqrt(1.0 - rho), static_cast<double>(K)));
  EXPECT_GT(left(MixingRule::plain), 0.05);
}

TEST_F(GossipTest, CostsAnExchangeAndTheMessagesOfTheGraphForEachStep) {
  for (const GraphName graph : graphs)
    for (const MixingRule rule : rules)
      for (const std::size_t K : {1U, 4U}) {
        const Ledger before = fed_.ledger();
        Mixing mixing = started({.graph = {.graph = graph}, .mixing = rule, .mixing_steps = K});
        PerClient<Vector> v = random_rows(1);
        mixing(fed_, v);
        EXPECT_EQ(fed_.ledger().exchanges - before.exchanges, K);
        EXPECT_EQ(fed_.ledger().vectors_up - before.vectors_up, K * mixing.weights().messages());
        EXPECT_EQ(mixing.exchanges(), K);
        EXPECT_EQ(mixing.messages(n), K * mixing.weights().messages());
      }
}

TEST_F(GossipTest, TrackersKeepTheMeanGradient) {
  for (const TrackerStart start : {TrackerStart::local, TrackerStart::mixed, TrackerStart::mean}) {
    Mixing mixing = started({.mixing_steps = 2});
    GradientTracker tracker(start);
    tracker.prepare(fed_);
    PerClient<Vector> at = random_rows(1);
    const auto gradient = [&](Client& i, VecOut g) { i.gradient(at[i], g); };
    tracker.start(fed_, mixing, gradient);
    for (std::uint64_t seed = 2; seed < 8; ++seed) {
      Vector mean = Vector::Zero(d);
      for (std::size_t i = 0; i < n; ++i) mean += instance_.gradient(i, at.hosted()[i]) / static_cast<double>(n);
      EXPECT_LT((fed_.observe(tracker.estimates()) - mean).norm(), 1e-13);
      at = random_rows(seed);
      tracker.follow(fed_, mixing, gradient);
    }
  }
}

TEST_F(GossipTest, TrackersStartAsTheyAreTold) {
  Mixing mixing = started({});
  const Vector x = Vector::Ones(d);
  const auto gradient = [&](Client& i, VecOut g) { i.gradient(x, g); };
  const auto first = [&](TrackerStart start) {
    GradientTracker tracker(start);
    tracker.prepare(fed_);
    tracker.start(fed_, mixing, gradient);
    return tracker.estimates().hosted()[0];
  };
  EXPECT_TRUE(first(TrackerStart::local) == instance_.gradient(0, x));
  EXPECT_EQ(fed_.ledger().exchanges, 0U);
  const Vector three = (instance_.gradient(15, x) + instance_.gradient(0, x) + instance_.gradient(1, x)) / 3.0;
  EXPECT_LT((first(TrackerStart::mixed) - three).norm(), 1e-13);
  EXPECT_EQ(fed_.ledger().vectors_up, 2 * n);
  EXPECT_EQ(fed_.ledger().vectors_down, 0U);
  EXPECT_LT((first(TrackerStart::mean) - instance_.gradient(x)).norm(), 1e-13);
  EXPECT_EQ(fed_.ledger().vectors_down, n);
}

}  // namespace
}  // namespace driftless::test
