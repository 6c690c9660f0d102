// GradSkip: worked rounds, its two limits, its potential, and the work that well-conditioned clients save.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr double tolerance = 1e-12;

// Clients with curvatures between 1 and the given ones, so κ_i = L_i; eigenvectors and minimisers are their own.
Instance unlike_clients(const std::vector<double>& largest, Index dim = 6) {
  Instance instance = random_quadratics(61, largest.size(), dim);
  Stream stream(62, Purpose::generator);
  Matrix mean = Matrix::Zero(dim, dim);
  Vector linear = Vector::Zero(dim);
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const Matrix vectors = Eigen::SelfAdjointEigenSolver<Matrix>(instance.hessians[i]).eigenvectors();
    const Vector values = Vector::LinSpaced(dim, 1.0, largest[i]);
    instance.hessians[i] = vectors * values.asDiagonal() * vectors.transpose();
    Vector centre(dim);
    for (double& entry : centre) entry = stream.uniform(-1.0, 1.0);
    instance.clients[i] = make_client(DenseQuadratic(instance.hessians[i], centre));
    mean += instance.hessians[i];
    linear += instance.hessians[i] * centre;
  }
  instance.constants = constants_of_hessians(instance.hessians);
  instance.minimizer = mean.llt().solve(linear);
  instance.minimum = instance.value(instance.minimizer);
  return instance;
}

double smallest_q(double step, double p, double L_i) { return (1 - p * p / (step * L_i)) / (1 - p * p); }

// γ = 1/4, p = 1/2 on the toy: q_1 = 0, so client 1 rests at once with ĥ_1 = ∇f_1(0) = 0; q_2 = 8/9. Client 2 either
// steps to 3/2, or rests with ĥ_2 = −6.
TEST(GradSkipToy, RoundHasTheTwoOutcomesWorkedOutByHand) {
  const Instance instance = toy();
  int stepped = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Testbed bed(instance, "gradskip", {{"step", 0.25}, {"p", 0.5}, {"q_rule", "condition"s}},
                std::make_unique<ScriptedChance>(), 1, seed);
    const double x = bed.rounds(1)[0];
    const bool steps = bed.federation().tally(1).steps == 1;
    EXPECT_NEAR(x, steps ? 3.0 / 4 : 3.0 / 2, tolerance);
    EXPECT_NEAR(bed.client_vector("h_i", 0)[0], steps ? 3.0 / 2 : 3.0, tolerance);
    EXPECT_NEAR(bed.client_vector("h_i", 1)[0], steps ? -3.0 / 2 : -3.0, tolerance);
    EXPECT_EQ(bed.federation().tally(0).steps, 0U);
    stepped += steps ? 1 : 0;
  }
  EXPECT_GT(stepped, 44);  // 53 of 60 are expected
  EXPECT_LT(stepped, 60);
}

TEST(GradSkip, WithQOneIsScaffnewPathByPath) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Instance instance = random_quadratics(seed);
    Testbed skip(instance, "gradskip", {{"step", 0.08}, {"p", 0.3}});
    Testbed scaffnew(instance, "scaffnew", {{"step", 0.08}, {"p", 0.3}});
    for (int r = 1; r <= 20; ++r) {
      const Vector& x = scaffnew.rounds(1);
      EXPECT_LE((skip.rounds(1) - x).norm(), 1e-9 * x.norm()) << "round " << r;
      for (std::size_t i = 0; i < 5; ++i)
        EXPECT_LE((skip.client_vector("h_i", i) - scaffnew.client_vector("h_i", i)).norm(), 1e-9) << "round " << r;
    }
    EXPECT_EQ(skip.federation().busiest().gradients, scaffnew.federation().busiest().gradients);
  }
}

// Everyone rests at once: x ← x − (γ/p) ∇f(x), one gradient per round, h_i = ∇f_i(x) − ∇f(x).
TEST(GradSkip, WithQZeroIsGradientDescentWithStepGammaOverP) {
  const Instance instance = random_quadratics(3);
  Testbed skip(instance, "gradskip", {{"step", 0.02}, {"p", 0.25}, {"q", 0.0}});
  Testbed gd(instance, "gd", {{"step", 0.08}});
  for (int r = 1; r <= 10; ++r) {
    const Vector before = gd.x();
    EXPECT_LE((skip.rounds(1) - gd.rounds(1)).norm(), 1e-9 * gd.x().norm()) << "round " << r;
    EXPECT_LE((skip.client_vector("h_i", 2) - (instance.gradient(2, before) - instance.gradient(before))).norm(), 1e-9);
  }
  EXPECT_EQ(skip.federation().busiest().gradients, 10U);
}

TEST(GradSkip, KeepsTheSumOfCorrectionsAtZero) {
  const Instance instance = unlike_clients({50.0, 4.0, 2.0});
  Testbed bed(instance, "gradskip", {{"step", 0.02}, {"p", 0.14}, {"q_rule", "condition"s}});
  for (int r = 1; r <= 30; ++r) {
    bed.rounds(1);
    Vector sum = Vector::Zero(6);
    for (std::size_t i = 0; i < 3; ++i) sum += bed.client_vector("h_i", i);
    EXPECT_LT(sum.norm(), 1e-9) << "round " << r;
  }
}

TEST(GradSkip, StaysAtTheMinimizerWithItsGradientsAsCorrections) {
  for (const Instance& instance : {toy(), random_quadratics(7), unlike_clients({50.0, 4.0, 2.0})}) {
    Testbed bed(instance, "gradskip", {{"step", 0.02}, {"p", 0.3}, {"q", 0.6}});
    bed.from(instance.minimizer).start();
    for (std::size_t i = 0; i < instance.clients.size(); ++i)
      bed.client_vector("h_i", i) = instance.gradient(i, instance.minimizer);
    EXPECT_LT((bed.rounds(8) - instance.minimizer).norm(), 1e-10);
  }
}

struct GradSkipPotential : testing::Test {
  const std::vector<double> largest{50.0, 4.0, 2.0};
  Instance instance = unlike_clients(largest);
  double gamma = 1 / instance.constants.L;
  double p = std::sqrt(instance.constants.mu * gamma);
  Stream stream{63, Purpose::generator};

  Vector random_point(double scale) {
    Vector v(6);
    for (double& entry : v) entry = scale * stream.normal();
    return v;
  }
  // One client's part of V.
  double part(std::size_t i, const Vector& x, const Vector& h) const {
    return (x - instance.minimizer).squaredNorm() +
           gamma * gamma / (p * p) * (h - instance.gradient(i, instance.minimizer)).squaredNorm();
  }
  // One iteration with a true θ from x and the h_i.
  std::unique_ptr<Testbed> stepped(const Vector& x, const std::vector<Vector>& h, std::uint64_t seed) const {
    const Settings settings{{"step", gamma}, {"p", p}, {"q_rule", "condition"s}, {"power_steps", std::int64_t{400}}};
    auto bed = std::make_unique<Testbed>(instance, "gradskip", settings, std::make_unique<ScriptedChance>(), 1, seed);
    bed->from(x).start();
    for (std::size_t i = 0; i < 3; ++i) bed->client_vector("h_i", i) = h[i];
    bed->rounds(1);
    return bed;
  }
  // E V⁺ over θ. The state before the communication is still there: x̂_i = x_i and ĥ_i = h_i − (p/γ)(x̄ − x_i).
  double expected(Testbed& bed) const {
    double mean = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector& x_hat = bed.client_vector("x_i", i);
      const Vector& h = bed.client_vector("h_i", i);
      const Vector h_hat = h - (p / gamma) * (bed.x() - x_hat);
      mean += p * part(i, bed.x(), h) + (1 - p) * part(i, x_hat, h_hat);
    }
    return mean;
  }
};

// E V⁺ ≤ (1 − min(γμ, p²)) V over θ and all η_i from starts of rounds: x arbitrary, h_i arbitrary with Σ h_i = 0. Seeds
// are tried until every pattern of the η_i was seen; each pattern has its exact probability.
TEST_F(GradSkipPotential, FallsInExpectationFromStartsOfRounds) {
  for (int trial = 0; trial < 5; ++trial) {
    const Vector x = random_point(3.0);
    std::vector<Vector> h{random_point(30.0), random_point(30.0), random_point(30.0)};
    const Vector mean = (h[0] + h[1] + h[2]) / 3;
    double before = 0.0;
    for (std::size_t i = 0; i < 3; ++i) before += part(i, x, h[i] -= mean);

    std::map<std::vector<bool>, double> seen;  // who stepped → probability
    double total = 0.0, after = 0.0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const auto bed = stepped(x, h, seed);
      std::vector<bool> pattern;
      double chance = 1.0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double q = smallest_q(gamma, p, largest[i]);
        pattern.push_back(bed->federation().tally(i).steps == 1);
        chance *= pattern.back() ? q : 1 - q;
      }
      if (!seen.emplace(pattern, chance).second) continue;
      total += chance;
      after += chance * expected(*bed);
    }
    ASSERT_NEAR(total, 1.0, 1e-9);  // client 1 never rests: q_1 = 1
    EXPECT_LE(after, (1 - std::min(gamma * instance.constants.mu, p * p)) * before * (1 + 1e-9)) << "trial " << trial;
  }
}

// κ = (2500, 20, 3): rounds as for Scaffnew, while client i forms 1/(1 − q_i (1 − p)) ≤ κ_i gradients a round, not 1/p.
TEST(GradSkip, WellConditionedClientsRestWhileRoundsStay) {
  const std::vector<double> largest{2500.0, 20.0, 3.0};
  const Instance instance = unlike_clients(largest);
  const double step = 1.0 / 2500;
  const double p = 1.0 / 50;
  const double first = instance.value(instance.start) - instance.minimum;
  const auto rounds_to_accuracy = [&](Testbed& bed) {
    while (instance.value(bed.rounds(1)) - instance.minimum > 1e-10 * first)
      if (bed.federation().ledger().rounds > 3000) break;
    return static_cast<double>(bed.federation().ledger().rounds);
  };
  const std::int64_t products = 50;
  double usual = 0.0, rounds = 0.0;
  std::vector<double> work(3, 0.0);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Testbed scaffnew(instance, "scaffnew", {{"step", step}, {"p", p}}, {}, 1, seed);
    usual += rounds_to_accuracy(scaffnew);
    Testbed skip(instance, "gradskip", {{"step", step}, {"p", p}, {"q_rule", "condition"s}, {"power_steps", products}},
                 {}, 1, seed);
    rounds += rounds_to_accuracy(skip);
    for (std::size_t i = 0; i < 3; ++i)
      work[i] += static_cast<double>(skip.federation().tally(i).gradients) - static_cast<double>(products);
  }
  EXPECT_NEAR(rounds, usual, 0.1 * usual);
  for (std::size_t i = 0; i < 3; ++i) {
    const double expected = 1 / (1 - smallest_q(step, p, largest[i]) * (1 - p));
    EXPECT_NEAR(work[i] / rounds, expected, 0.05 * expected) << "client " << i;
    EXPECT_LE(expected, std::min(largest[i], 1 / p) * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace driftless::test
