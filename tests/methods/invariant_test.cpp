// What must hold after every round: corrections sum to zero, c is the mean of the c_i, ∇F_i(x) = ∇f(x).
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Vector mean_of(Testbed& bed, const std::string& name, std::size_t clients) {
  Vector sum = bed.client_vector(name, 0);
  for (std::size_t i = 1; i < clients; ++i) sum += bed.client_vector(name, i);
  return sum / static_cast<double>(clients);
}

TEST(Invariants, CorrectionsSumToZero) {
  const Settings fedred{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.3}};
  const Settings fedred_drift{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.3}, {"control_variate", "drift"s}};
  const std::vector<std::pair<std::string, Settings>> cases{
      {"fedlin", {{"step", 0.05}}},
      {"scaffnew", {{"step", 0.08}, {"p", 0.3}}},
      {"scaffnew", {{"step", 0.08}, {"p", 0.3}, {"h_start", "exact"s}}},
      {"dane", {{"lambda", 1.0}}},
      {"sonata", {{"tau", 1.0}, {"step", 0.7}}},
      {"svrp", {{"step", 0.5}, {"p", 0.3}}},
      {"dane+", {{"lambda", 1.0}, {"control_variate", "drift"s}}},
      {"dane+", {{"lambda", 1.0}, {"control_variate", "drift"s}, {"h_start", "exact"s}}},
      {"fedred", fedred},
      {"fedred-gd", fedred},
      {"fedred-gd", fedred_drift},
  };
  for (const auto& [method, settings] : cases) {
    const Instance instance = random_quadratics(5);
    Testbed bed(instance, method, settings);
    for (int r = 0; r < 8; ++r) {
      bed.rounds(1);
      EXPECT_LT(mean_of(bed, "h_i", instance.clients.size()).norm(), 1e-12) << method;
      EXPECT_GT(bed.client_vector("h_i", 0).norm(), 1e-3) << "corrections that are all zero prove nothing";
    }
  }
}

TEST(Invariants, ScaffoldServerControlIsTheMeanForEveryCohort) {
  for (const auto& option : {"option1"s, "option2"s})
    for (const std::int64_t cohort : {0, 1, 2, 4}) {
      const Instance instance = random_quadratics(6);
      Testbed bed(instance, "scaffold", {{"step", 0.02}, {"control_variate", option}, {"cohort", cohort}});
      for (int r = 0; r < 8; ++r) {
        bed.rounds(1);
        EXPECT_LT((bed.vector("c") - mean_of(bed, "c_i", 5)).norm(), 1e-12) << option << ", cohort " << cohort;
      }
    }
}

TEST(Invariants, ShiftedGradientAtTheServerPointIsTheGlobalGradient) {
  const Instance instance = random_quadratics(8);
  Testbed bed(instance, "dane", {{"lambda", 1.0}});
  for (int r = 0; r < 4; ++r) {
    const Vector x = bed.x();
    bed.rounds(1);  // leaves the h_i that were taken at x
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_LT((instance.gradient(i, x) - bed.client_vector("h_i", i) - instance.gradient(x)).norm(), 1e-12);
  }
}

// h_{i,r+1} = ∇f_i(x_i) − mean_j ∇f_j(x_j) and x^{r+1} = x^r − (1/λ) mean ∇f_i(x_i) when m = λ.
TEST(Invariants, DriftCorrectionsAreGradientDifferencesAtTheClientPoints) {
  const Instance instance = random_quadratics(9);
  const double lambda = 2.0;
  Testbed bed(instance, "dane+", {{"lambda", lambda}, {"control_variate", "drift"s}});
  for (int r = 0; r < 5; ++r) {
    const Vector x = bed.x();
    bed.rounds(1);
    Vector mean = Vector::Zero(x.size());
    for (std::size_t i = 0; i < 5; ++i) mean += instance.gradient(i, bed.client_vector("x_i", i)) / 5.0;
    for (std::size_t i = 0; i < 5; ++i) {
      const Vector expected = instance.gradient(i, bed.client_vector("x_i", i)) - mean;
      EXPECT_LT((bed.client_vector("h_i", i) - expected).norm(), 1e-10);
    }
    EXPECT_LT((bed.x() - (x - mean / lambda)).norm(), 1e-10);
  }
}

TEST(Invariants, FedDynRemembersTheGradientsOfItsClients) {
  const Instance instance = random_quadratics(17);
  Testbed bed(instance, "feddyn", {{"alpha", 2.0}});
  for (int r = 0; r < 8; ++r) {
    bed.rounds(1);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_LT((bed.client_vector("g_i", i) - instance.gradient(i, bed.client_vector("theta_i", i))).norm(), 1e-10);
    EXPECT_LT((bed.vector("h") - mean_of(bed, "g_i", 5)).norm(), 1e-12);
    EXPECT_LT((bed.x() - mean_of(bed, "theta_i", 5)).norm(), 1e-12);
  }
}

// h is (1/n) Σ g_i for every cohort, too: both take the same steps.
TEST(Invariants, FedDynServerStateIsTheMeanForEveryCohort) {
  for (const std::int64_t cohort : {1, 2, 4}) {
    const Instance instance = random_quadratics(18);
    Testbed bed(instance, "feddyn", {{"alpha", 2.0}, {"cohort", cohort}});
    for (int r = 0; r < 8; ++r) {
      bed.rounds(1);
      EXPECT_LT((bed.vector("h") - mean_of(bed, "g_i", 5)).norm(), 1e-11) << "cohort " << cohort;
    }
  }
}

TEST(Invariants, FedPdMultipliersAreGradientsOfItsClients) {
  const Instance instance = random_quadratics(19);
  Testbed bed(instance, "fedpd", {{"step", 0.4}, {"p", 0.3}});
  for (int r = 0; r < 8; ++r) {
    bed.rounds(1);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_LT((bed.client_vector("lambda_i", i) + instance.gradient(i, bed.client_vector("x_i", i))).norm(), 1e-10);
  }
}

// v_r = a g_S(x_r) + (1 − a)[v_{r−1} + g_S(x_r) − g_S(x_{r−1})] with everyone in S is ∇f(x_r).
TEST(Invariants, CeLgdWithEveryoneTracksTheGradient) {
  const Instance instance = random_quadratics(20);
  Testbed bed(instance, "ce-lgd", {{"step", 0.05}, {"local_steps", std::int64_t{3}}, {"a", 0.2}});
  for (int r = 0; r < 8; ++r) {
    const Vector x = bed.x();
    bed.rounds(1);
    EXPECT_LT((bed.vector("v") - instance.gradient(x)).norm(), 1e-12);
  }
}

TEST(Invariants, MimeMvrWithEveryoneTracksTheGradientForEveryA) {
  const Instance instance = random_quadratics(21);
  for (const double a : {0.05, 0.5, 1.0}) {
    Testbed bed(instance, "mime-mvr", {{"step", 0.05}, {"local_steps", std::int64_t{3}}, {"a", a}});
    for (int r = 0; r < 8; ++r) {
      const Vector x = bed.x();
      bed.rounds(1);
      EXPECT_LT((bed.vector("m") - instance.gradient(x)).norm(), 1e-12);
    }
  }
}

// The exact control variate does not see a function that is added to every client; nor do the δ.
TEST(Invariants, ExactCorrectionsIgnoreACommonFunction) {
  const Instance plain = random_quadratics(10);
  Instance shifted = random_quadratics(10);
  const Matrix common = 3.0 * Matrix::Identity(12, 12);
  for (std::size_t i = 0; i < 5; ++i) {
    const Vector linear = -plain.gradient(i, Vector::Zero(12));
    const Matrix a = plain.hessians[i] + common;
    shifted.hessians[i] = a;
    shifted.clients[i] = make_client(DenseQuadratic(a, Vector(a.llt().solve(linear + common * Vector::Ones(12)))));
  }
  Testbed a(plain, "fedred-gd", {{"lambda", 1.0}, {"eta", 12.0}, {"p", 1.0}});
  Testbed b(shifted, "fedred-gd", {{"lambda", 1.0}, {"eta", 12.0}, {"p", 1.0}});
  a.start();
  b.start();
  for (std::size_t i = 0; i < 5; ++i) EXPECT_LT((a.client_vector("h_i", i) - b.client_vector("h_i", i)).norm(), 1e-11);
  const Constants moved = constants_of_hessians(shifted.hessians);
  EXPECT_NEAR(moved.delta_A, plain.constants.delta_A, 1e-10);
  EXPECT_NEAR(moved.delta_B, plain.constants.delta_B, 1e-10);
}

}  // namespace
}  // namespace driftless::test
