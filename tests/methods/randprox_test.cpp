// RandProx for consensus: a coin and shared indices as R.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

Settings randprox(double step, double p, double keep) { return {{"step", step}, {"p", p}, {"keep", keep}}; }

// Coins are true, and the order of indices is rotated by a given shift.
class TurnedOrder final : public Chance {
 public:
  explicit TurnedOrder(std::size_t shift) : shift_(shift) {}
  void enter_round(std::uint64_t) override {}
  bool coin(double) override { return true; }
  ClientId client(std::size_t) override { return 0; }
  Cohort cohort(std::size_t, std::size_t clients) override { return Cohort::everyone(clients); }
  std::vector<std::size_t> order(std::size_t count) override {
    std::vector<std::size_t> indices(count);
    for (std::size_t k = 0; k < count; ++k) indices[k] = (k + shift_) % count;
    return indices;
  }
  bool keep(double) override { return true; }
  ClientId output_client(std::size_t) override { return 0; }

 private:
  std::size_t shift_;
};

// f_1 = ‖x‖²/2, f_2 = 3‖x − (2, 2)‖²/2; one of the two entries is kept, the first in rounds 1 and 2; γ = 1/4, τ = 2.
TEST(RandProxByHand, AveragesTheKeptEntriesAndLeavesTheOthers) {
  Instance instance{.start = Vector::Zero(2)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Identity(2, 2), Vector::Zero(2))));
  instance.clients.push_back(make_client(DenseQuadratic(3 * Matrix::Identity(2, 2), Vector::Constant(2, 2.0))));
  Testbed bed(instance, "randprox", randprox(0.25, 1.0, 0.5), std::make_unique<TurnedOrder>(0));
  EXPECT_EQ(bed.rounds(1), (Vector{{3.0 / 4, 0.0}}));
  EXPECT_EQ(bed.client_vector("x_i", 0), (Vector{{3.0 / 4, 0.0}}));
  EXPECT_EQ(bed.client_vector("x_i", 1), (Vector{{3.0 / 4, 3.0 / 2}}));
  EXPECT_EQ(bed.client_vector("h_i", 0), (Vector{{3.0 / 2, 0.0}}));
  EXPECT_EQ(bed.client_vector("h_i", 1), (Vector{{-3.0 / 2, 0.0}}));
  EXPECT_EQ(bed.rounds(1), (Vector{{9.0 / 8, 0.0}}));
  EXPECT_EQ(bed.client_vector("x_i", 1), (Vector{{9.0 / 8, 15.0 / 8}}));
  EXPECT_EQ(bed.client_vector("h_i", 0), (Vector{{15.0 / 8, 0.0}}));
}

TEST(RandProx, IsScaffnewIfAllEntriesAreKept) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Instance instance = random_quadratics(seed);
    Testbed rand(instance, "randprox", randprox(0.05, 0.3, 1.0), {}, 1, seed);
    Testbed scaffnew(instance, "scaffnew", {{"step", 0.05}, {"p", 0.3}}, {}, 1, seed);
    for (int r = 0; r < 10; ++r) {
      EXPECT_EQ(rand.rounds(1), scaffnew.rounds(1)) << "the same coins, the same bits";
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(rand.client_vector("h_i", i), scaffnew.client_vector("h_i", i));
    }
  }
}

TEST(RandProx, KeepsTheSumOfDualsAtZero) {
  const Instance instance = random_quadratics(5);
  Testbed bed(instance, "randprox", randprox(0.05, 0.5, 0.25));
  bed.rounds(30);
  Vector sum = Vector::Zero(12);
  for (std::size_t i = 0; i < 5; ++i) sum += bed.client_vector("h_i", i);
  EXPECT_LT(sum.norm(), 1e-12 * bed.client_vector("h_i", 0).norm());
}

TEST(RandProx, StaysAtTheMinimizer) {
  const Instance instance = random_quadratics(7);
  Testbed bed(instance, "randprox", randprox(0.08, 0.3, 0.25));
  bed.from(instance.minimizer).start();
  for (std::size_t i = 0; i < 5; ++i) bed.client_vector("h_i", i) = instance.gradient(i, instance.minimizer);
  EXPECT_LT((bed.rounds(10) - instance.minimizer).norm(), 1e-12);
}

TEST(RandProx, SendsTheKeptEntriesAlone) {
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, "randprox", randprox(0.05, 0.3, 0.25));
  bed.rounds(4);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(ledger.exchanges, 4U);
  EXPECT_EQ(ledger.vectors_up, 4U * 5);
  EXPECT_EQ(ledger.bytes_up, 4U * 5 * 3 * 8) << "3 of 12 entries";
  EXPECT_EQ(ledger.bytes_down, 4U * 5 * 3 * 8);
}

// V = Σ‖x_i − x*‖² + γ²(1 + ω)² Σ‖h_i − ∇f_i(x*)‖²
double potential(Testbed& bed, const Instance& instance, double weight) {
  double v = 0.0;
  for (std::size_t i = 0; i < instance.clients.size(); ++i)
    v += (bed.client_vector("x_i", i) - instance.minimizer).squaredNorm() +
         weight * (bed.client_vector("h_i", i) - instance.gradient(i, instance.minimizer)).squaredNorm();
  return v;
}

void set_random_state(Testbed& bed, std::uint64_t seed) {
  Stream stream(seed, Purpose::generator);
  Vector sum = Vector::Zero(12);
  for (std::size_t i = 0; i < 5; ++i) {
    for (double& entry : bed.client_vector("x_i", i)) entry = 3 * stream.normal();
    for (double& entry : bed.client_vector("h_i", i)) entry = 10 * stream.normal();
    sum += bed.client_vector("h_i", i);
  }
  for (std::size_t i = 0; i < 5; ++i) bed.client_vector("h_i", i) -= sum / 5;
}

// E V⁺ ≤ max((1 − γμ)², 1 − 1/(1 + ω)²) V, over both coins and the indices; V is a sum over entries, so the twelve
// turns of an order, in which each entry is kept equally often, have the mean of all choices.
TEST(RandProxPotential, FallsInExpectationFromEveryState) {
  const Instance instance = random_quadratics(13);
  const double gamma = 1 / instance.constants.L;
  const auto iterate = [&](Testbed& bed, std::size_t i) {  // x̂_i
    const Vector& x_i = bed.client_vector("x_i", i);
    return Vector(x_i - gamma * (instance.gradient(i, x_i) - bed.client_vector("h_i", i)));
  };
  for (const double p : {0.1, 0.4, 1.0})
    for (const double keep : {0.25, 0.5, 1.0})
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const double kept = p * keep;  // 1/(1 + ω)
        const double weight = gamma * gamma / (kept * kept);
        const double rate = std::max(std::pow(1 - gamma * instance.constants.mu, 2), 1 - kept * kept);
        double before = 0.0;
        double met = 0.0;
        double skipped = 0.0;
        for (std::size_t turn = 0; turn < 12; ++turn) {
          Testbed bed(instance, "randprox", randprox(gamma, p, keep), std::make_unique<TurnedOrder>(turn));
          bed.start();
          set_random_state(bed, seed);
          before = potential(bed, instance, weight);
          std::vector<Vector> stepped;
          for (std::size_t i = 0; i < 5; ++i) stepped.push_back(iterate(bed, i));
          Testbed still(instance, "randprox", randprox(gamma, p, keep));
          still.start();
          set_random_state(still, seed);
          for (std::size_t i = 0; i < 5; ++i) still.client_vector("x_i", i) = stepped[i];
          skipped = potential(still, instance, weight);
          bed.rounds(1);
          met += potential(bed, instance, weight) / 12;
        }
        EXPECT_LE(p * met + (1 - p) * skipped, rate * before * (1 + 1e-9)) << p << ' ' << keep << ' ' << seed;
      }
}

// 1 + ω = √(L/μ), however it is shared out by p and keep: V falls by 1 − μ/L in each iteration, in the mean over runs.
TEST(RandProxTheorem, RateDependsOnTheProductOfPAndKeepAlone) {
  const Instance instance = random_quadratics(14);
  const double gamma = 1 / instance.constants.L;
  const double product = std::sqrt(gamma * instance.constants.mu);
  for (const double keep : {0.5, 1.0}) {
    double scaled = 0.0;
    double first = 0.0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      Testbed bed(instance, "randprox", randprox(gamma, product / keep, keep), {}, 1, seed);
      bed.start();
      const double weight = gamma * gamma / (product * product);
      first = potential(bed, instance, weight);
      bed.rounds(15);
      const double T = static_cast<double>(bed.federation().busiest().steps);
      scaled += potential(bed, instance, weight) * std::pow(1 - gamma * instance.constants.mu, -T) / 50;
    }
    EXPECT_LE(scaled, first) << "keep = " << keep;
  }
}

TEST(RandProxTheorem, ValuesOfTheCatalogueReachTheMinimizer) {
  const Instance instance = demo_quadratics();
  const MethodEntry& entry = find_method("randprox");
  Testbed bed(instance, "randprox", theory_settings(entry, instance.constants));
  const double first = instance.value(instance.start) - instance.minimum;
  EXPECT_LT(instance.value(bed.rounds(250)) - instance.minimum, 1e-10 * first) << "√(L/μ) log(1e10) = 230";
}

}  // namespace
}  // namespace driftless::test
