// 5GCS: worked rounds, its invariant, its fixed point, and its potential in exact expectation over all cohorts.
#include "tests/support/chosen_chance.hpp"
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr double tolerance = 1e-12;

Settings five_gcs(double tau, double mu, std::int64_t cohort) { return {{"tau", tau}, {"mu", mu}, {"cohort", cohort}}; }

// ∇F_i = (∇f_i − μ x)/n
Vector dual(const Instance& instance, std::size_t i, const Vector& x, double mu) {
  return (instance.gradient(i, x) - mu * x) / static_cast<double>(instance.clients.size());
}

double theory_tau(const Instance& instance, double cohort) {
  const double mu = instance.constants.mu;
  return std::sqrt(mu * (instance.constants.L - mu) / (2 * static_cast<double>(instance.clients.size()) * cohort));
}

// μ = 1/2, τ = 1, γ = 1/(τn) = 1/2: ∇F_1 = y/4, ∇F_2 = 5y/4 − 3.
TEST(FiveGcsToy, GivesTheRoundsWorkedOutByHand) {
  const Instance instance = toy();
  Testbed bed(instance, "5gcs", {{"tau", 1.0}, {"mu", 0.5}});
  EXPECT_NEAR(bed.rounds(1)[0], 2.0 / 3, tolerance);
  EXPECT_NEAR(bed.client_vector("u_i", 1)[0], -4.0 / 3, tolerance);
  EXPECT_NEAR(bed.rounds(1)[0], 698.0 / 675, tolerance);
  EXPECT_NEAR(bed.client_vector("u_i", 0)[0], 16.0 / 75, tolerance);
  EXPECT_NEAR(bed.client_vector("u_i", 1)[0], -40.0 / 27, tolerance);
  EXPECT_NEAR(bed.vector("v")[0], -856.0 / 675, tolerance);
}

// Client 1 is at its minimiser and changes nothing; client 2 then counts twice.
TEST(FiveGcsToy, AsksOneClientAtATime) {
  const Instance instance = toy();
  Testbed bed(instance, "5gcs", five_gcs(1.0, 0.5, 1), std::make_unique<ScriptedChance>());
  EXPECT_NEAR(bed.rounds(1)[0], 0.0, tolerance);
  EXPECT_NEAR(bed.rounds(1)[0], 4.0 / 3, tolerance);
}

TEST(FiveGcs, KeepsVTheSumOfTheDualVariables) {
  const Instance instance = random_quadratics(5);
  for (const std::int64_t cohort : {1, 2, 5}) {
    Testbed bed(instance, "5gcs", five_gcs(0.5, 1.0, cohort));
    for (int r = 1; r <= 30; ++r) {
      bed.rounds(1);
      Vector sum = Vector::Zero(12);
      for (std::size_t i = 0; i < 5; ++i) sum += bed.client_vector("u_i", i);
      EXPECT_LT((bed.vector("v") - sum).norm(), 1e-11 * (1 + sum.norm())) << "c = " << cohort << ", round " << r;
    }
  }
}

TEST(FiveGcs, StaysAtTheMinimizerWithItsDualVariables) {
  const double mu = 0.8;
  for (const Instance& instance : {toy(), random_quadratics(7)})
    for (const Settings& local : {Settings{}, Settings{{"solver", "gd"s}, {"eta", 12.0}}}) {
      Testbed bed(instance, "5gcs", with(five_gcs(0.5, mu, 1), local));
      bed.from(instance.minimizer).start();
      for (std::size_t i = 0; i < instance.clients.size(); ++i)
        bed.client_vector("u_i", i) = dual(instance, i, instance.minimizer, mu);
      bed.vector("v") = -mu * instance.minimizer;
      EXPECT_LT((bed.rounds(8) - instance.minimizer).norm(), 1e-10);
    }
}

TEST(FiveGcs, CostsOneVectorEachWayForEveryClientOfTheCohort) {
  const Instance instance = random_quadratics(4);
  Testbed bed(instance, "5gcs", five_gcs(0.5, 1.0, 2));
  bed.rounds(3);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(ledger.exchanges, 3U);
  EXPECT_EQ(ledger.vectors_up, 6U);
  EXPECT_EQ(ledger.vectors_down, 6U);
  EXPECT_EQ(ledger.bytes_up, 6U * 12 * 8);
}

TEST(FiveGcs, NeedsMu) { EXPECT_THROW(find_method("5gcs").make({{"tau", 1.0}}), ConfigError); }

TEST(FiveGcs, RejectsAPullBelowMu) {
  const auto method = find_method("5gcs").make(five_gcs(0.1, 1.0, 0));
  EXPECT_NO_THROW(method->round_traffic(10));
  EXPECT_THROW(method->round_traffic(9), ConfigError);
  const Instance instance = random_quadratics(76);
  Testbed bed(instance, "5gcs", five_gcs(0.1, 1.0, 0));
  EXPECT_THROW(bed.start(), ConfigError);
}

TEST(FiveGcs, RejectsMoreConvexityThanSmoothnessOfLocalAgd) {
  const Settings agd{{"solver", "agd"s}, {"eta", 2.0}};
  EXPECT_NO_THROW(find_method("5gcs").make(with(five_gcs(1.0, 2.0, 0), agd)));
  EXPECT_THROW(find_method("5gcs").make(with(five_gcs(1.0, 2.5, 0), agd)), ConfigError);
}

struct Potential {
  const Instance& instance;
  double tau;
  double cohort;
  double n = static_cast<double>(instance.clients.size());
  double mu = instance.constants.mu;
  double ell = (instance.constants.L - mu) / n;
  double gamma = 1 / (tau * n);

  double operator()(Testbed& bed) const {
    double duals = 0.0;
    for (std::size_t i = 0; i < instance.clients.size(); ++i)
      duals += (bed.client_vector("u_i", i) - dual(instance, i, instance.minimizer, mu)).squaredNorm();
    return (bed.x() - instance.minimizer).squaredNorm() / gamma + n / cohort * (1 / tau + 2 / ell) * duals;
  }
  double rate() const { return std::max(1 / (1 + gamma * mu), 1 - cohort / n * 2 * tau / (ell + 2 * tau)); }
};

// From arbitrary x and u_i, for several τ around the theory's.
TEST(FiveGcsPotential, FallsInExpectationOverAllCohorts) {
  const Instance instance = random_quadratics(73);
  Stream stream(74, Purpose::generator);
  const auto random_point = [&](double scale) {
    Vector v(12);
    for (double& entry : v) entry = scale * stream.normal();
    return v;
  };
  for (const std::size_t cohort : {1U, 2U, 4U, 5U})
    for (const double factor : {0.3, 1.0, 3.0}) {
      const auto c = static_cast<double>(cohort);
      const double least = instance.constants.mu / 5;  // λ = nτ − μ = 0
      const Potential potential{instance, std::max(factor * theory_tau(instance, c), least), c};
      const Vector x = random_point(2.0);
      const std::vector<Vector> u{random_point(1.0), random_point(1.0), random_point(1.0), random_point(1.0),
                                  random_point(1.0)};
      const auto cohorts = all_subsets(cohort, 5);
      double before = 0.0, after = 0.0;
      for (const auto& ids : cohorts) {
        Testbed bed(instance, "5gcs", five_gcs(potential.tau, instance.constants.mu, static_cast<std::int64_t>(cohort)),
                    std::make_unique<ChosenChance>(ids));
        bed.from(x).start();
        for (std::size_t i = 0; i < 5; ++i) bed.client_vector("u_i", i) = u[i];
        bed.vector("v") = u[0] + u[1] + u[2] + u[3] + u[4];
        before = potential(bed);
        bed.rounds(1);
        after += potential(bed) / static_cast<double>(cohorts.size());
      }
      EXPECT_LE(after, potential.rate() * before * (1 + 1e-9)) << "c = " << cohort << ", τ × " << factor;
    }
}

TEST(FiveGcsPotential, ContractsEveryRoundWithEveryone) {
  const Instance instance = random_quadratics(75);
  const Potential potential{instance, theory_tau(instance, 5), 5};
  Testbed bed(instance, "5gcs", five_gcs(potential.tau, instance.constants.mu, 5));
  bed.start();
  double before = potential(bed);
  for (int r = 0; r < 60; ++r) {
    bed.rounds(1);
    const double after = potential(bed);
    EXPECT_LE(after, potential.rate() * before * (1 + 1e-9) + 1e-22) << "round " << r;
    before = after;
  }
  EXPECT_LT((bed.x() - instance.minimizer).norm(), 1e-7);
}

// Rounds to ‖x − x*‖² = 1e-16 ‖x⁰ − x*‖² on the demo quadratics are those of the potential or fewer, also where the
// clients make a few gradient steps in place of an exact solve.
TEST(FiveGcsTheory, RoundsFollowTheCohort) {
  const Instance instance = demo_quadratics();
  const double first = (instance.start - instance.minimizer).squaredNorm();
  for (const std::int64_t cohort : {1, 2, 5}) {
    const auto c = static_cast<double>(cohort);
    const double tau = theory_tau(instance, c);
    const Potential potential{instance, tau, c};
    for (const Settings& local :
         {Settings{}, Settings{{"solver", "agd"s}, {"eta", 100.0}, {"local_steps", std::int64_t{25}}}}) {
      Testbed bed(instance, "5gcs", with(five_gcs(tau, 1.0, cohort), local));
      bed.start();
      const double promised =
          std::log(potential(bed) * potential.gamma / (1e-16 * first)) / -std::log(potential.rate());
      double rounds = 0;
      while (rounds < 4 * promised && (bed.rounds(1) - instance.minimizer).squaredNorm() > 1e-16 * first) ++rounds;
      EXPECT_LT(rounds, 1.1 * promised) << "c = " << cohort << (local.empty() ? ", exact" : ", agd");
      EXPECT_GT(rounds, 0.1 * promised) << "c = " << cohort;
    }
  }
}

}  // namespace
}  // namespace driftless::test
