// TAMUNA: worked rounds, Scaffnew as its limit, what it sends, and its potential in exact expectation.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/chosen_chance.hpp"
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr double tolerance = 1e-12;

Settings tamuna(double step, double p, std::int64_t cohort, std::int64_t sparsity) {
  return {{"step", step}, {"p", p}, {"cohort", cohort}, {"sparsity", sparsity}};
}

// f_1 = x²/2, f_2 = (x − 3)²/2, f_3 = (x − 3)²: x* = 9/4; start 0.
Instance three_clients() {
  Instance instance = toy();
  instance.clients.clear();
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, 1.0), scalar(0))));
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, 1.0), scalar(3))));
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, 2.0), scalar(3))));
  instance.minimizer = scalar(9.0 / 4);
  return instance;
}

void expect_corrections(Testbed& bed, double first, double second, double third) {
  EXPECT_NEAR(bed.client_vector("h_i", 0)[0], first, tolerance);
  EXPECT_NEAR(bed.client_vector("h_i", 1)[0], second, tolerance);
  EXPECT_NEAR(bed.client_vector("h_i", 2)[0], third, tolerance);
}

// γ = p = 1/2, s = 2 of n = 3: χ = 3/4, η/γ = 3/4. Clients 1 and 2 own the coordinate in both rounds.
TEST(TamunaToy, GivesTheRoundsWorkedOutByHand) {
  const Instance instance = three_clients();
  Testbed bed(instance, "tamuna", tamuna(0.5, 0.5, 3, 2),
              std::make_unique<ScriptedChance>(std::deque<bool>{true, false, true}));
  EXPECT_NEAR(bed.rounds(1)[0], 3.0 / 4, tolerance);
  expect_corrections(bed, 9.0 / 16, -9.0 / 16, 0.0);
  EXPECT_NEAR(bed.rounds(1)[0], 21.0 / 16, tolerance);
  expect_corrections(bed, 279.0 / 256, -279.0 / 256, 0.0);
}

// The cohorts are clients 1 and 2, then 3 and 1.
TEST(TamunaToy, LeavesTheOthersAsTheyWere) {
  const Instance instance = three_clients();
  Testbed bed(instance, "tamuna", tamuna(0.5, 0.5, 2, 2), std::make_unique<ScriptedChance>());
  EXPECT_NEAR(bed.rounds(1)[0], 3.0 / 4, tolerance);
  EXPECT_NEAR(bed.rounds(1)[0], 117.0 / 64, tolerance);
  expect_corrections(bed, 369.0 / 256, -144.0 / 256, -225.0 / 256);
}

TEST(Tamuna, WithEveryoneOwningEverythingIsScaffnewPathByPath) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Instance instance = random_quadratics(seed);
    Testbed full(instance, "tamuna", {{"step", 0.08}, {"p", 0.3}});
    Testbed scaffnew(instance, "scaffnew", {{"step", 0.08}, {"p", 0.3}});
    for (int r = 1; r <= 20; ++r) {
      const Vector& x = scaffnew.rounds(1);
      EXPECT_LE((full.rounds(1) - x).norm(), 1e-9 * x.norm()) << "round " << r;
    }
  }
}

TEST(Tamuna, CountsTheCoordinatesThatItsClientsSend) {
  const Instance instance = random_quadratics(4);
  Testbed some(instance, "tamuna", tamuna(0.05, 0.5, 4, 2));
  some.rounds(3);
  const Ledger& ledger = some.federation().ledger();
  EXPECT_EQ(ledger.exchanges, 3U);
  EXPECT_EQ(ledger.vectors_up, 3U * 4);
  EXPECT_EQ(ledger.bytes_up, 3U * 12 * 2 * 8);
  EXPECT_EQ(ledger.vectors_down, 3U * 2 * 4);
  Testbed all(instance, "tamuna", tamuna(0.05, 0.5, 5, 3));
  all.rounds(3);
  EXPECT_EQ(all.federation().ledger().bytes_up, 3U * 12 * 3 * 8);
  EXPECT_EQ(all.federation().ledger().vectors_down, 3U * 5);
  EXPECT_EQ(all.method().round_traffic(5), (Traffic{1, 5, 5}));
}

TEST(Tamuna, KeepsTheSumOfCorrectionsAtZero) {
  const Instance instance = random_quadratics(5);
  for (const std::int64_t sparsity : {2, 3, 4}) {
    Testbed bed(instance, "tamuna", tamuna(0.08, 0.3, 4, sparsity));
    for (int r = 1; r <= 30; ++r) {
      bed.rounds(1);
      Vector sum = Vector::Zero(12);
      for (std::size_t i = 0; i < 5; ++i) sum += bed.client_vector("h_i", i);
      EXPECT_LT(sum.norm(), 1e-10) << "s = " << sparsity << ", round " << r;
    }
  }
}

TEST(Tamuna, StaysAtTheMinimizerWithItsGradientsAsCorrections) {
  const Instance instance = random_quadratics(7);
  Testbed bed(instance, "tamuna", tamuna(0.08, 0.3, 3, 2));
  bed.from(instance.minimizer).start();
  for (std::size_t i = 0; i < 5; ++i) bed.client_vector("h_i", i) = instance.gradient(i, instance.minimizer);
  EXPECT_LT((bed.rounds(8) - instance.minimizer).norm(), 1e-10);
}

TEST(Tamuna, RejectsMasksThatCannotWork) {
  const MethodEntry& entry = find_method("tamuna");
  EXPECT_THROW(entry.make(tamuna(0.1, 0.5, 0, 1)), ConfigError);
  EXPECT_THROW(entry.make(tamuna(0.1, 0.5, 1, 0)), ConfigError);
  EXPECT_THROW(entry.make(tamuna(0.1, 0.5, 2, 3)), ConfigError);
}

struct Shares {
  std::int64_t cohort;
  std::int64_t sparsity;
};

class TamunaPotential : public testing::TestWithParam<Shares> {
 protected:
  static constexpr std::size_t clients = 4;
  const double n = 4;
  const double s = static_cast<double>(GetParam().sparsity);
  const Instance instance = random_quadratics(71, clients, 3);
  const Vector& best = instance.minimizer;
  const double gamma = 1 / instance.constants.L;
  const double p = std::min(1.0, std::sqrt(n* instance.constants.mu* gamma / s));
  const double eta = p * n * (s - 1) / (s * (n - 1));
  const double weight = gamma * gamma * (n - 1) / (p * eta * (s - 1));
  Stream stream{72, Purpose::generator};

  Vector random_point(double scale) {
    Vector v(3);
    for (double& entry : v) entry = scale * stream.normal();
    return v;
  }
  double corrections(std::size_t i, const Vector& h) const {
    return weight * (h - instance.gradient(i, best)).squaredNorm();
  }
  // E Ψ after an iteration with a communication, over all cohorts and masks.
  double met(const Vector& x, const std::vector<Vector>& h) const {
    const auto [cohort, sparsity] = GetParam();
    const auto cohorts = all_subsets(static_cast<std::size_t>(cohort), clients);
    const auto orders = all_orders(static_cast<std::size_t>(cohort));
    double sum = 0.0;
    for (const auto& ids : cohorts)
      for (const auto& positions : orders) {
        Testbed bed(instance, "tamuna", tamuna(gamma, p, cohort, sparsity),
                    std::make_unique<ChosenChance>(ids, positions));
        bed.from(x).start();
        for (std::size_t i = 0; i < clients; ++i) bed.client_vector("h_i", i) = h[i];
        sum += n * (bed.rounds(1) - best).squaredNorm();
        for (std::size_t i = 0; i < clients; ++i) sum += corrections(i, bed.client_vector("h_i", i));
      }
    return sum / static_cast<double>(cohorts.size() * orders.size());
  }
};

// E Ψ⁺ ≤ max((1 − γμ)², 1 − p η (s − 1)/(n − 1)) Ψ over coin, cohort and masks from starts of rounds. The sum over all
// clients counts those outside the cohort as if they had made the step.
TEST_P(TamunaPotential, FallsInExpectationFromStartsOfRounds) {
  const double contraction = 1 - gamma * instance.constants.mu;
  const double rate = std::max(contraction * contraction, 1 - p * eta * (s - 1) / (n - 1));
  for (int trial = 0; trial < 5; ++trial) {
    const Vector x = random_point(2.0);
    std::vector<Vector> h{random_point(8.0), random_point(8.0), random_point(8.0), random_point(8.0)};
    const Vector mean = (h[0] + h[1] + h[2] + h[3]) / n;
    double before = n * (x - best).squaredNorm();
    double skipped = 0.0;
    for (std::size_t i = 0; i < clients; ++i) {
      h[i] -= mean;
      before += corrections(i, h[i]);
      skipped += (x - gamma * (instance.gradient(i, x) - h[i]) - best).squaredNorm() + corrections(i, h[i]);
    }
    EXPECT_LE(p * met(x, h) + (1 - p) * skipped, rate * before * (1 + 1e-9)) << "trial " << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Shares, TamunaPotential,
                         testing::Values(Shares{4, 4}, Shares{4, 2}, Shares{3, 2}, Shares{3, 3}, Shares{2, 2}),
                         [](const auto& c) {
                           return "C" + std::to_string(c.param.cohort) + "S" + std::to_string(c.param.sparsity);
                         });

// Rounds to 1e-8 with the theory's γ, p and η: those of the potential, p log(Ψ_0/Ψ)/ρ, and hardly dependent on c.
TEST(TamunaTheory, RoundsFollowTheSparsityAndNotTheCohort) {
  const Instance instance = demo_quadratics();
  const double n = 5, L = 100, mu = 1;
  const auto rounds = [&](std::int64_t cohort, std::int64_t sparsity) {
    const double p = std::min(1.0, std::sqrt(n * mu / (static_cast<double>(sparsity) * L)));
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Testbed bed(instance, "tamuna", tamuna(1 / L, p, cohort, sparsity), {}, 1, seed);
      const double first = (instance.start - instance.minimizer).squaredNorm();
      while ((bed.rounds(1) - instance.minimizer).squaredNorm() > 1e-8 * first && sum < 5000) ++sum;
    }
    return sum / 3;
  };
  for (const std::int64_t sparsity : {2, 3, 5}) {
    const auto s = static_cast<double>(sparsity);
    const double p = std::sqrt(n * mu / (s * L));
    const double rho =
        std::min(1 - (1 - mu / L) * (1 - mu / L), p * p * n * (s - 1) * (s - 1) / (s * (n - 1) * (n - 1)));
    const double promised = p * std::log(1e8) / rho;
    const double with_all = rounds(5, sparsity);
    const double with_few = rounds(sparsity, sparsity);
    EXPECT_LT(with_all, 1.3 * promised) << "s = " << sparsity;
    EXPECT_GT(with_all, 0.05 * promised) << "s = " << sparsity;
    EXPECT_LT(with_few, 1.5 * with_all) << "s = " << sparsity;
  }
}

}  // namespace
}  // namespace driftless::test
