// One-step inequalities behind the convergence theorems, with the expectation over the coin formed exactly: both
// outcomes are computed.
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr double slack = 1e-9;  // relative, for rounding

Vector random_point(Stream& stream, Index dim) {
  Vector v(dim);
  for (double& entry : v) entry = 3.0 * stream.normal();
  return v;
}

double squared(const Vector& v) { return v.squaredNorm(); }

double mean_squared_distance(Testbed& bed, const std::string& name, std::size_t clients,
                             const std::function<Vector(std::size_t)>& to) {
  double sum = 0.0;
  for (std::size_t i = 0; i < clients; ++i) sum += squared(bed.client_vector(name, i) - to(i));
  return sum / static_cast<double>(clients);
}

struct FedRedCase {
  std::string method;
  double sign;  // of μ/2 in p and in the potential: + exact, − gradient step
  bool restart;
};

class FedRedPotential : public testing::TestWithParam<FedRedCase> {};

// f(x̄⁺) − f* + c_new (E‖x̃⁺ − x*‖² + E mean‖x_i⁺ − x*‖²) ≤ c_old (‖x̃ − x*‖² + mean‖x_i − x*‖²) from arbitrary states.
TEST_P(FedRedPotential, FallsInExpectationFromEveryState) {
  const auto& [method, sign, restart] = GetParam();
  const Instance instance = random_quadratics(11);
  const double mu = instance.constants.mu;
  const double lambda = instance.constants.delta_A;
  const double eta = instance.constants.L;
  const double p = (lambda + mu / 2) / (eta + sign * mu / 2);
  const double c_new = (eta + sign * mu / 2) / 2;
  const double c_old = sign > 0 ? eta / 2 : (eta - mu) / 2;
  const Vector& best = instance.minimizer;
  const auto to_best = [&](std::size_t) { return best; };
  Stream stream(12, Purpose::generator);
  for (int trial = 0; trial < 20; ++trial) {
    // The first round only leaves round 0 behind; then the state is set: x_i, x̃ and the exact h_i at x̃. Coins are all
    // true.
    Testbed bed(instance, method, {{"lambda", lambda}, {"eta", eta}, {"p", p}, {"restart", false}},
                std::make_unique<ScriptedChance>());
    bed.rounds(1);
    const Vector x_tilde = bed.x();
    for (std::size_t i = 0; i < 5; ++i) bed.client_vector("x_i", i) = random_point(stream, 12);
    const double before = squared(x_tilde - best) + mean_squared_distance(bed, "x_i", 5, to_best);

    const Vector x_tilde_new = bed.rounds(1);  // true coin; x_i holds the points before any restart
    const double stepped = mean_squared_distance(bed, "x_i", 5, to_best);
    const double server = p * squared(x_tilde_new - best) + (1 - p) * squared(x_tilde - best);
    const double clients = restart ? p * squared(x_tilde_new - best) + (1 - p) * stepped : stepped;
    const double gap = instance.value(x_tilde_new) - instance.minimum;  // x̃⁺ is the mean x̄⁺ of the stepped points
    EXPECT_LE(gap + c_new * (server + clients), c_old * before * (1 + slack)) << "trial " << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Spec, FedRedPotential,
                         testing::Values(FedRedCase{"fedred", 1.0, false}, FedRedCase{"fedred", 1.0, true},
                                         FedRedCase{"fedred-gd", -1.0, false}, FedRedCase{"fedred-gd", -1.0, true}),
                         [](const auto& c) {
                           return (c.param.sign > 0 ? "Exact"s : "Gd"s) + (c.param.restart ? "Restart" : "NoRestart");
                         });

// E V⁺ ≤ (1 − min(γμ, p²)) V with V = Σ‖x_i − x*‖² + (γ/p)² Σ‖h_i − ∇f_i(x*)‖², at every iteration of a round.
TEST(ScaffnewPotential, FallsInExpectationAtEveryIteration) {
  const Instance instance = random_quadratics(13);
  const double gamma = 1 / instance.constants.L;
  const double p = std::sqrt(instance.constants.mu * gamma);
  const double rate = 1 - std::min(gamma * instance.constants.mu, p * p);
  const auto to_best = [&](std::size_t) { return instance.minimizer; };
  const auto to_gradient = [&](std::size_t i) { return instance.gradient(i, instance.minimizer); };
  const auto potential = [&](double points, double corrections) {
    return points + gamma * gamma / (p * p) * corrections;
  };
  // The state after k iterations without communication, and after one more with it, both from the same second round.
  const auto second_round = [&](std::size_t iterations) {
    std::deque<bool> coins{false, true};
    coins.insert(coins.end(), iterations - 1, false);
    coins.push_back(true);
    auto bed = std::make_unique<Testbed>(instance, "scaffnew", Settings{{"step", gamma}, {"p", p}},
                                         std::make_unique<ScriptedChance>(coins));
    bed->rounds(1);
    return bed;
  };
  for (std::size_t k = 1; k <= 6; ++k) {
    auto shorter = second_round(k);
    const double old_corrections = mean_squared_distance(*shorter, "h_i", 5, to_gradient);
    shorter->rounds(1);
    const double v = potential(mean_squared_distance(*shorter, "x_i", 5, to_best), old_corrections);

    auto longer = second_round(k + 1);
    longer->rounds(1);
    const double skipped = potential(mean_squared_distance(*longer, "x_i", 5, to_best), old_corrections);
    const double met =
        potential(squared(longer->x() - instance.minimizer), mean_squared_distance(*longer, "h_i", 5, to_gradient));
    EXPECT_LE(p * met + (1 - p) * skipped, rate * v * (1 + slack)) << "iteration " << k;
  }
}

// E V⁺ ≤ (1 − τ) V with V = ‖x − x*‖² + (ημ/p)‖w − x*‖², over all clients and both coins, from arbitrary x and w.
TEST(SvrpPotential, FallsInExpectationFromEveryState) {
  const Instance instance = random_quadratics(17);
  const double mu = instance.constants.mu;
  const double eta = mu / (2 * instance.constants.delta_A * instance.constants.delta_A);
  Stream stream(18, Purpose::generator);
  for (const double p : {0.05, 0.2, 0.7}) {
    const double tau = std::min(eta * mu / (1 + eta * mu), p / 2);
    const auto potential = [&](const Vector& x, const Vector& w) {
      return squared(x - instance.minimizer) + eta * mu / p * squared(w - instance.minimizer);
    };
    for (int trial = 0; trial < 10; ++trial) {
      const Vector x = random_point(stream, 12);
      const Vector w = random_point(stream, 12);
      double after = 0.0;
      for (ClientId j = 0; j < 5; ++j)
        for (const bool coin : {false, true}) {
          Testbed bed(instance, "svrp", {{"step", eta}, {"p", p}},
                      std::make_unique<ScriptedChance>(std::deque<bool>{coin}, std::deque<ClientId>{j}));
          bed.from(x).start();
          bed.vector("w") = w;
          for (std::size_t i = 0; i < 5; ++i)
            bed.client_vector("h_i", i) = instance.gradient(i, w) - instance.gradient(w);
          bed.rounds(1);
          after += (coin ? p : 1 - p) / 5 * potential(bed.x(), bed.vector("w"));
        }
      EXPECT_LE(after, (1 - tau) * potential(x, w) * (1 + slack)) << "p = " << p << ", trial " << trial;
    }
  }
}

// Φ⁺ ≤ ρ Φ every round, for DANE+ with the drift control variate and λ = m = √(μL).
TEST(DanePlusDriftPotential, ContractsEveryRound) {
  for (const std::uint64_t seed : {14U, 15U, 16U}) {
    const Instance instance = random_quadratics(seed);
    const double mu = instance.constants.mu;
    const double L = instance.constants.L;
    const double rho = 1 - 2 * std::sqrt(mu) / (std::sqrt(L) + mu / std::sqrt(L) + 2 * std::sqrt(mu));
    const double w = (mu + L) / (mu * L * (mu + L) + 2 * mu * L * std::sqrt(mu * L));
    Testbed bed(instance, "dane+", {{"lambda", std::sqrt(mu * L)}, {"control_variate", "drift"s}});
    bed.start();
    const auto phi = [&] {
      const auto to_gradient = [&](std::size_t i) { return instance.gradient(i, instance.minimizer); };
      return squared(bed.x() - instance.minimizer) + w * mean_squared_distance(bed, "h_i", 5, to_gradient);
    };
    double before = phi();
    for (int r = 0; r < 15; ++r) {
      bed.rounds(1);
      const double after = phi();
      EXPECT_LE(after, rho * before * (1 + slack) + 1e-20) << "seed " << seed << ", round " << r;
      before = after;
    }
  }
}

}  // namespace
}  // namespace driftless::test
