// The lemmas of Jiang, Rodomanov, Stich, ICML 2024, by their numbers, on random vectors, sequences and quadratics. A
// test with a constant made smaller shows where an inequality is tight.
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

constexpr double slack = 1e-12;

class PaperLemma : public testing::Test {
 protected:
  Vector random(double scale = 1.0, Index dim = 12) {
    Vector v(dim);
    for (double& entry : v) entry = scale * stream.normal();
    return v;
  }
  std::vector<Vector> points(double scale = 1.0) {
    std::vector<Vector> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(random(scale));
    return all;
  }
  Vector mean(const std::vector<Vector>& all) const {
    Vector sum = Vector::Zero(all.front().size());
    for (const Vector& one : all) sum += one;
    return sum / static_cast<double>(all.size());
  }
  template <class Body>
  double mean_of(Body&& body) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += body(i);
    return sum / static_cast<double>(n);
  }
  // F_i(y) = f_i(y) − ⟨h_i, y⟩ + (λ/2)‖y − x‖² with h_i = ∇f_i(x) − ∇f(x), and its gradient.
  double local_value(std::size_t i, const Vector& y, const Vector& x, double lambda) const {
    return quadratics.clients[i]->value(y) - correction(i, x).dot(y) + lambda / 2 * (y - x).squaredNorm();
  }
  Vector local_gradient(std::size_t i, const Vector& y, const Vector& x, double lambda) const {
    return quadratics.gradient(i, y) - correction(i, x) + lambda * (y - x);
  }
  Vector correction(std::size_t i, const Vector& x) const { return quadratics.gradient(i, x) - quadratics.gradient(x); }

  static constexpr std::size_t n = 5;
  Instance quadratics = random_quadratics(81);
  const Constants& c = quadratics.constants;
  Stream stream{82, Purpose::generator};
};

TEST_F(PaperLemma, L10BoundsProductsAndSquaresOfSums) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vector x = random(), y = random(3.0);
    const double gamma = stream.gamma(1.0) + 0.01;
    const double bound = x.squaredNorm() / (2 * gamma) + gamma / 2 * y.squaredNorm();
    EXPECT_LE(std::abs(x.dot(y)), bound);
    EXPECT_LE((x + y).squaredNorm(), (1 + gamma) * x.squaredNorm() + (1 + 1 / gamma) * y.squaredNorm() + slack * bound);
  }
}

TEST_F(PaperLemma, L11BoundsALinearFunctionWithASquareFromBelow) {
  for (int trial = 0; trial < 50; ++trial) {
    const Vector x = random();
    const double a = stream.gamma(1.0) + 0.01;
    const auto value = [&](const Vector& y) { return x.dot(y) + a / 2 * y.squaredNorm(); };
    EXPECT_GE(value(random(1 / a)), -x.squaredNorm() / (2 * a));
    EXPECT_NEAR(value(-x / a), -x.squaredNorm() / (2 * a), slack * x.squaredNorm() / a) << "equality";
  }
}

TEST_F(PaperLemma, L12BoundsSequencesThatGrowByTheirRoot) {
  for (int trial = 0; trial < 20; ++trial) {
    double x = stream.uniform(0.0, 4.0), sum = 0.0;
    const double first = x;
    for (int r = 0; r < 30; ++r) {
      const double a = stream.uniform();
      const double root = (a + std::sqrt(a * a + 4 * x)) / 2;  // the largest next x: x⁺ − x = a √x⁺
      x = root * root;
      sum += a;
      EXPECT_LE(x, std::pow(std::sqrt(first) + sum, 2) * (1 + slack));
      EXPECT_LE(x, 2 * first + 2 * sum * sum);
    }
  }
}

TEST_F(PaperLemma, L13BoundsWeightedSumsOfRecurrences) {
  for (const double q : {0.3, 0.9, 0.999}) {
    double D = 2.0, sum = 0.0, weights = 0.0;
    const double first = D;
    for (int k = 1; k <= 40; ++k) {
      const double F = stream.uniform() * q * D;  // F + D⁺ = q D
      D = q * D - F;
      sum += F / std::pow(q, k);
      weights += 1 / std::pow(q, k);
      EXPECT_LE(sum / weights + (1 - q) / (1 - std::pow(q, k)) * D,
                (1 - q) / (1 / std::pow(q, k) - 1) * first * (1 + 1e-9));
    }
  }
}

TEST_F(PaperLemma, L14SplitsMeanSquaredDistances) {
  const std::vector<Vector> x = points();
  const Vector v = random(), middle = mean(x);
  const double left = mean_of([&](std::size_t i) { return (x[i] - v).squaredNorm(); });
  const double spread = mean_of([&](std::size_t i) { return (x[i] - middle).squaredNorm(); });
  EXPECT_NEAR(left, (middle - v).squaredNorm() + spread, slack * left);
}

TEST_F(PaperLemma, L15And16HoldForSmoothConvexFunctions) {
  for (std::size_t i = 0; i < n; ++i) {
    const Vector x = random(), y = random();
    const Vector gx = quadratics.gradient(i, x), gy = quadratics.gradient(i, y);
    const double distance = (x - y).squaredNorm();
    EXPECT_LE(quadratics.clients[i]->value(y),
              quadratics.clients[i]->value(x) + gx.dot(y - x) + c.L / 2 * distance * (1 + slack));
    EXPECT_GE((gx - gy).dot(x - y),
              c.mu * c.L / (c.mu + c.L) * distance + (gx - gy).squaredNorm() / (c.mu + c.L) - slack * c.L * distance);
  }
}

TEST_F(PaperLemma, L17HessiansBoundDifferencesOfGradients) {
  Matrix average = Matrix::Zero(12, 12);
  for (const Matrix& H : quadratics.hessians) average += H / static_cast<double>(n);
  for (const double p : {1.0, 2.0, 3.5}) {
    const double delta =
        mean_of([&](std::size_t i) { return std::pow(spectral_norm(quadratics.hessians[i] - average), p); });
    for (int trial = 0; trial < 20; ++trial) {
      const Vector x = random(), y = random();
      const double differences =
          mean_of([&](std::size_t i) { return std::pow((correction(i, x) - correction(i, y)).norm(), p); });
      EXPECT_LE(differences, delta * std::pow((x - y).norm(), p));
    }
  }
}

TEST_F(PaperLemma, L19And20BoundOneRoundForAnyLocalPoints) {
  for (const double share : {0.0, 0.5, 0.8}) {
    const double lambda = c.delta_A / (1 - share);
    for (int trial = 0; trial < 20; ++trial) {
      const Vector x = random(), target = random(2.0);
      std::vector<Vector> next = points();
      for (std::size_t i = 0; i < n; ++i) {
        const double bound = local_value(i, next[i], x, lambda) +
                             local_gradient(i, next[i], x, lambda).dot(target - next[i]) +
                             (c.mu + lambda) / 2 * (next[i] - target).squaredNorm();
        EXPECT_GE(local_value(i, target, x, lambda), bound - slack * std::abs(bound)) << "lemma 19";
      }
      const double left = quadratics.value(mean(next)) - quadratics.value(target) + mean_of([&](std::size_t i) {
                            return (c.mu + lambda) / 2 * (next[i] - target).squaredNorm() +
                                   share * lambda / 2 * (next[i] - x).squaredNorm();
                          });
      const double right = lambda / 2 * (x - target).squaredNorm() + mean_of([&](std::size_t i) {
                             return local_gradient(i, next[i], x, lambda).dot(next[i] - target);
                           });
      EXPECT_LE(left, right + slack * std::abs(right)) << "lemma 20";
    }
  }
}

// With C_r of the errors of round r − 1 (E-9), and λ ≥ 2 δ_A, which the lemma leaves out (E-7).
TEST_F(PaperLemma, L22SumsTheErrorsOfLocalSolves) {
  const double lambda = 2 * c.delta_A, q = lambda / (lambda + c.mu);
  const Vector& best = quadratics.minimizer;
  Testbed bed(quadratics, "dane+",
              {{"lambda", lambda}, {"solver", "prox-gradient"s}, {"eta", c.L}, {"local_steps", std::int64_t{2}}});
  Vector x = quadratics.start;
  double gaps = 0.0, moves = 0.0, errors = 0.0;
  for (int r = 1; r <= 25; ++r) {
    bed.rounds(1);
    const auto at = [&](std::size_t i) -> const Vector& { return bed.client_vector("x_i", i); };
    const double weight = std::pow(q, -r);
    gaps += weight * (quadratics.value(bed.x()) - quadratics.minimum);
    moves += weight * mean_of([&](std::size_t i) { return (at(i) - x).squaredNorm(); });
    errors +=
        std::sqrt(weight * mean_of([&](std::size_t i) { return local_gradient(i, at(i), x, lambda).squaredNorm(); }));
    const double spread = weight * mean_of([&](std::size_t i) { return (at(i) - best).squaredNorm(); });
    EXPECT_LE(2 / (c.mu + lambda) * gaps + spread + lambda / (2 * (c.mu + lambda)) * moves,
              2 * (quadratics.start - best).squaredNorm() + 4 / std::pow(c.mu + lambda, 2) * errors * errors);
    x = bed.x();
  }
}

TEST_F(PaperLemma, L26And27CompareLocalProblemsWithF) {
  const double lambda = 1.7;
  for (int trial = 0; trial < 20; ++trial)
    for (std::size_t i = 0; i < n; ++i) {
      const Vector x = random(), y = random();
      const double distance = (y - x).norm();
      EXPECT_LE((local_gradient(i, y, x, lambda) - quadratics.gradient(y)).norm(),
                (c.delta_B + lambda) * distance * (1 + slack));
      const double fall = local_value(i, x, x, lambda) - local_value(i, y, x, lambda);
      const double bound = quadratics.value(x) - quadratics.value(y) - (lambda - c.delta_B) / 2 * distance * distance;
      EXPECT_LE(fall, bound + slack * (std::abs(bound) + c.L * distance * distance));
    }
}

TEST_F(PaperLemma, L31BoundsARoundOfTheDriftRuleForEveryLambda) {
  const Vector& best = quadratics.minimizer;
  for (const double lambda : {0.5, 2.0, 8.0}) {
    Testbed bed(quadratics, "dane+", {{"lambda", lambda}, {"control_variate", "drift"s}});
    bed.rounds(1);
    for (int r = 0; r < 8; ++r) {
      const Vector x = bed.x();
      std::vector<Vector> h;
      for (std::size_t i = 0; i < n; ++i) h.push_back(bed.client_vector("h_i", i));
      bed.rounds(1);
      const auto at = [&](std::size_t i) -> const Vector& { return bed.client_vector("x_i", i); };
      const auto optimal = [&](std::size_t i) { return quadratics.gradient(i, best); };
      const double left = (bed.x() - best).squaredNorm() + mean_of([&](std::size_t i) {
                            return 2 * c.mu * c.L / (lambda * (c.mu + c.L)) * (at(i) - best).squaredNorm() +
                                   (bed.client_vector("h_i", i) - optimal(i)).squaredNorm() / (lambda * lambda);
                          });
      const double right = (x - best).squaredNorm() + mean_of([&](std::size_t i) {
                             const Vector g = quadratics.gradient(i, at(i));
                             return ((h[i] - optimal(i)).squaredNorm() - (g - h[i]).squaredNorm()) / (lambda * lambda) -
                                    2 / (lambda * (c.mu + c.L)) * (g - optimal(i)).squaredNorm();
                           });
      EXPECT_LE(left, right + 1e-9 * (x - best).squaredNorm() + 1e-15);
    }
  }
}

}  // namespace
}  // namespace driftless::test
