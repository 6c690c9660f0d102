// ProxSkip-VR: Scaffnew with the L-SVRG estimator.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Settings vr(double step, double p, double q, std::int64_t batch) {
  return {{"step", step}, {"p", p}, {"q", q}, {"batch", batch}};
}

// One client whose samples are x²/2 and 3(x − 2)²/2; start 0.
Instance toy_samples() {
  Instance instance{.start = scalar(0)};
  instance.clients.push_back(make_client(DiagonalQuadratic(Matrix{{1.0, 3.0}}, Matrix{{0.0, 2.0}})));
  return instance;
}

// γ = 1/4, every iteration communicates. w = 0, ∇f(0) = −3: x_1 = 3/4 for either sample. Then g = a_ξ x_1 − 3 is −9/4
// or −3/4, so x_2 = 21/16 or 15/16.
TEST(ProxSkipVrByHand, TakesTheNoiseAtTheReferencePointOutOfASample) {
  const Instance instance = toy_samples();
  std::set<double> second;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Testbed bed(instance, "proxskip-vr", vr(0.25, 1.0, 1e-9, 1), {}, 1, seed);
    EXPECT_EQ(bed.rounds(1)[0], 0.75);
    second.insert(bed.rounds(1)[0]);
    EXPECT_EQ(bed.client_vector("w_i", 0), scalar(0));
    EXPECT_EQ(bed.client_vector("g_w_i", 0), scalar(-3));
  }
  EXPECT_EQ(second, (std::set<double>{15.0 / 16, 21.0 / 16}));
}

// q = 1: w is the point before the last step. From x_2 with w = x_1 = 3/4, ∇f(w) = −3/2: x_3 = x_2 − (a_ξ(x_2 − 3/4) −
// 3/2)/4.
TEST(ProxSkipVrByHand, RenewsTheReferencePointToThePointBeforeTheStep) {
  const Instance instance = toy_samples();
  Testbed bed(instance, "proxskip-vr", vr(0.25, 1.0, 1.0, 1));
  bed.rounds(1);
  EXPECT_EQ(bed.client_vector("w_i", 0), scalar(0));
  const double x_2 = bed.rounds(1)[0];
  EXPECT_EQ(bed.client_vector("w_i", 0), scalar(0.75));
  EXPECT_EQ(bed.client_vector("g_w_i", 0), scalar(-1.5));
  const double x_3 = bed.rounds(1)[0];
  const auto from_sample = [&](double a) { return x_2 - 0.25 * (a * (x_2 - 0.75) - 1.5); };
  EXPECT_TRUE(x_3 == from_sample(1.0) || x_3 == from_sample(3.0)) << x_3;
}

TEST(ProxSkipVr, IsScaffnewForFullGradients) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Instance instance = random_quadratics(seed);
    Testbed vr_bed(instance, "proxskip-vr", vr(0.05, 0.3, 0.5, 0), {}, 1, seed);
    Testbed scaffnew(instance, "scaffnew", {{"step", 0.05}, {"p", 0.3}}, {}, 1, seed);
    for (int r = 0; r < 10; ++r) EXPECT_EQ(vr_bed.rounds(1), scaffnew.rounds(1));
    EXPECT_EQ(vr_bed.federation().busiest().gradients, scaffnew.federation().busiest().gradients);
  }
}

TEST(ProxSkipVr, IsScaffnewForBatchesOfAllSamples) {
  const Instance instance = demo_quadratics();
  Testbed vr_bed(instance, "proxskip-vr", vr(0.008, 0.3, 0.2, 10));
  Testbed scaffnew(instance, "scaffnew", {{"step", 0.008}, {"p", 0.3}});
  for (int r = 0; r < 10; ++r)
    EXPECT_LE((vr_bed.rounds(1) - scaffnew.rounds(1)).norm(), 1e-9 * scaffnew.x().norm()) << "round " << r;
}

TEST(ProxSkipVr, StaysAtTheMinimizerWithAnyBatches) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, "proxskip-vr", vr(0.008, 0.2, 0.2, 2));
  Testbed noisy(instance, "scaffnew", {{"step", 0.008}, {"p", 0.2}, {"batch", std::int64_t{2}}});
  bed.from(instance.minimizer).start();  // w_i = x*
  noisy.from(instance.minimizer).start();
  for (std::size_t i = 0; i < 5; ++i)
    for (Testbed* b : {&bed, &noisy}) b->client_vector("h_i", i) = instance.gradient(i, instance.minimizer);
  EXPECT_LT((bed.rounds(10) - instance.minimizer).norm(), 1e-10);
  EXPECT_GT((noisy.rounds(10) - instance.minimizer).norm(), 1e-3) << "without the reference point the batch moves x";
}

TEST(ProxSkipVr, KeepsTheSumOfCorrectionsAtZero) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, "proxskip-vr", vr(0.008, 0.2, 0.2, 2));
  bed.rounds(10);
  Vector sum = Vector::Zero(40);
  for (std::size_t i = 0; i < 5; ++i) sum += bed.client_vector("h_i", i);
  EXPECT_LT(sum.norm(), 1e-10 * bed.client_vector("h_i", 0).norm());
}

// One full gradient at the start; two batch gradients per iteration and a full one for every new w_i.
TEST(ProxSkipVr, CountsItsLocalWork) {
  const Instance instance = demo_quadratics();
  const std::deque<bool> coins{false, true, false, false, true};  // five iterations
  const auto work = [&](double q, std::int64_t batch) {
    Testbed bed(instance, "proxskip-vr", vr(0.001, 0.5, q, batch), std::make_unique<ScriptedChance>(coins));
    bed.rounds(2);
    EXPECT_EQ(bed.federation().busiest().steps, 5U);
    return bed.federation().busiest().gradients;
  };
  EXPECT_EQ(work(1e-12, 2), 1U + 2 * 5);
  EXPECT_EQ(work(1.0, 2), 1U + 3 * 5);
  EXPECT_EQ(work(0.5, 0), 5U);
}

TEST(ProxSkipVr, RenewsReferencePointsWithProbabilityQ) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, "proxskip-vr", vr(0.001, 0.1, 0.3, 2));
  bed.rounds(200);
  const Tally& tally = bed.federation().tally(3);
  const double renewals = static_cast<double>(tally.gradients - 1 - 2 * tally.steps);
  const double iterations = static_cast<double>(tally.steps);
  EXPECT_NEAR(renewals, 0.3 * iterations, 5 * std::sqrt(0.21 * iterations));
}

TEST(ProxSkipVr, CostsOneExchangeAndAnotherForAnExactStart) {
  const Instance instance = demo_quadratics();
  Testbed bed(instance, "proxskip-vr", with(vr(0.001, 0.1, 0.3, 2), {{"h_start", "exact"s}}));
  bed.rounds(4);
  EXPECT_EQ(bed.federation().ledger().exchanges, 1U + 4U);
  EXPECT_EQ(bed.federation().ledger().bytes_up, 5U * 5U * 40U * 8U);
  EXPECT_EQ(bed.federation().ledger().bytes_down, 5U * 5U * 40U * 8U);
}

// Clients of m samples each, diagonal: everything that the potential needs is known.
struct SampledQuadratics {
  Instance instance;
  std::vector<Matrix> curvature;  // a column per sample
  double L = 0.0;                 // NOLINT(readability-identifier-naming): of single samples
  double mu = 0.0;

  explicit SampledQuadratics(Index m) {
    constexpr Index d = 6;
    Stream stream(21, Purpose::generator);
    Vector mean = Vector::Zero(d);
    Vector linear = Vector::Zero(d);
    mu = 1e9;
    for (int i = 0; i < 3; ++i) {
      Matrix a(d, m);
      Matrix b(d, m);
      for (Index k = 0; k < a.size(); ++k) {
        a.data()[k] = stream.uniform(1.0, 10.0);
        b.data()[k] = stream.normal();
      }
      L = std::max(L, a.maxCoeff());
      mu = std::min(mu, a.rowwise().mean().minCoeff());
      mean += a.rowwise().mean();
      linear += a.cwiseProduct(b).rowwise().mean();
      instance.clients.push_back(make_client(DiagonalQuadratic(a, b)));
      curvature.push_back(std::move(a));
    }
    instance.start = Vector::Constant(d, 3.0);
    instance.minimizer = linear.cwiseQuotient(mean);
  }
};

// V with γ = 1/(6L), p = √(γμ), q = 2γμ: E V_{t+1} ≤ (1 − γμ) V_t, so that V_T/(1 − γμ)^T, T the iterations of so many
// rounds, is at most V_0 in the mean. The mean over runs; with its error it stays below.
TEST(ProxSkipVrTheorem, PotentialFallsAtTheRateOfFullGradients) {
  const SampledQuadratics f(8);
  const Instance& instance = f.instance;
  const double gamma = 1 / (6 * f.L);
  const double p = std::sqrt(gamma * f.mu);
  const double q = 2 * gamma * f.mu;
  const auto potential = [&](Testbed& bed) {
    double v = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector to_best = bed.client_vector("w_i", i) - instance.minimizer;
      const double sigma = (f.curvature[i].array().colwise() * to_best.array()).matrix().squaredNorm() / 8;
      v += (bed.x() - instance.minimizer).squaredNorm() + 4 * gamma * gamma / q * sigma +
           gamma * gamma / (p * p) *
               (bed.client_vector("h_i", i) - instance.gradient(i, instance.minimizer)).squaredNorm();
    }
    return v;
  };
  constexpr int runs = 300;
  double scaled = 0.0;
  double first = 0.0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Testbed bed(instance, "proxskip-vr", vr(gamma, p, q, 1), {}, 1, seed);
    bed.start();
    first = potential(bed);
    bed.rounds(20);
    const double T = static_cast<double>(bed.federation().busiest().steps);
    scaled += potential(bed) * std::pow(1 - gamma * f.mu, -T) / runs;
  }
  EXPECT_LE(scaled, first);
}

Instance logistic() {
  constexpr std::size_t share = 60;
  const Dataset data = generate_classification({.rows = 300, .dim = 15, .nonzeros_per_row = 5.0, .skew = 0.3}, 3);
  Instance instance{.start = Vector::Zero(data.dim)};
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<std::int32_t> rows(share);
    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(i * share));
    instance.clients.push_back(
        make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 1.0 / share, .l2 = 0.05})));
  }
  return instance;
}

TEST(ProxSkipVr, ConvergesWhereScaffnewStallsAtTheNoiseOfItsBatches) {
  const Instance instance = logistic();
  const double first = instance.gradient(instance.start).norm();
  const Settings local{{"step", 0.3}, {"p", 0.1}, {"batch", std::int64_t{3}}};
  Testbed reduced(instance, "proxskip-vr", with(local, {{"q", 0.05}}));
  Testbed noisy(instance, "scaffnew", local);
  EXPECT_LT(instance.gradient(reduced.rounds(300)).norm(), 1e-9 * first);
  EXPECT_GT(instance.gradient(noisy.rounds(300)).norm(), 1e-4 * first);
}

}  // namespace
}  // namespace driftless::test
