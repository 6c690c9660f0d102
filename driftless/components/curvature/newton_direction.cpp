#include "driftless/components/curvature/newton_direction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <optional>

namespace driftless {
namespace {

// D⁻¹ H D⁻¹; a variable without curvature is not scaled.
Matrix scaled(const Matrix& H, const Vector& d) {
  const Vector inverse = d.cwiseInverse();
  return inverse.asDiagonal() * H * inverse.asDiagonal();
}

// −D⁻¹ (D⁻¹ H D⁻¹ + τ I)⁻¹ D⁻¹ g; none where that matrix is not safely positive definite.
std::optional<Vector> positive_solution(const Matrix& S, const Vector& d, const Vector& g, double tau, double least) {
  Matrix shifted = S;
  shifted.diagonal().array() += tau;
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(shifted);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const double pivot = shifted.diagonal().cwiseAbs().minCoeff();  // of L, in place
  if (!(pivot * pivot >= least)) return std::nullopt;
  return Vector(-factor.solve(g.cwiseQuotient(d)).cwiseQuotient(d));
}

// −|H|⁻¹ g
Vector absolute_solution(const Matrix& H, const Vector& g) {
  constexpr double least_scale = 1e-6;       // of D², relative to the largest
  constexpr double least_eigenvalue = 1e-6;  // likewise of |Λ|
  const Vector diagonal = H.diagonal().cwiseAbs();
  const double largest = diagonal.maxCoeff() > 0.0 ? diagonal.maxCoeff() : H.cwiseAbs().maxCoeff();
  const Vector d = diagonal.cwiseMax(least_scale * largest).cwiseSqrt();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(scaled(H, d));
  const Matrix& V = eigen.eigenvectors();
  const Vector sizes = eigen.eigenvalues().cwiseAbs();
  const Vector along = V.transpose() * g.cwiseQuotient(d);
  return -(V * along.cwiseQuotient(sizes.cwiseMax(least_eigenvalue * sizes.maxCoeff()))).cwiseQuotient(d);
}

bool is_degenerate(const Matrix& H) { return !H.allFinite() || H.isZero(0.0); }

// −(H + τ D²)⁻¹ g; none where that takes more than a τ of the size of rounding.
std::optional<Vector> convex_solution(const Matrix& H, const Vector& g) {
  const Vector diagonal = H.diagonal();
  if (!(diagonal.minCoeff() >= 0.0)) return std::nullopt;
  const Vector d = diagonal.unaryExpr([](double h) { return h > 0.0 ? std::sqrt(h) : 1.0; });
  const Matrix S = scaled(H, d);
  const double rounding = 8.0 * static_cast<double>(g.size()) * std::numeric_limits<double>::epsilon();
  for (const double tau : {0.0, rounding, 100.0 * rounding})
    if (auto p = positive_solution(S, d, g, tau, 0.5 * rounding)) return p;
  return std::nullopt;
}

NewtonDirection with_slopes(const Matrix& H, const Vector& g, Vector p) {
  NewtonDirection result{.p = std::move(p)};
  result.slope = g.dot(result.p);
  result.curvature = result.p.dot(H * result.p);
  return result;
}

}  // namespace

NewtonDirection newton_direction(const Matrix& H, const Vector& g) {
  if (is_degenerate(H)) return with_slopes(H, g, -g);
  std::optional<Vector> p = convex_solution(H, g);
  return with_slopes(H, g, p ? *std::move(p) : absolute_solution(H, g));
}

std::optional<NewtonDirection> convex_newton_direction(const Matrix& H, const Vector& g) {
  if (is_degenerate(H)) return std::nullopt;
  std::optional<Vector> p = convex_solution(H, g);
  if (!p) return std::nullopt;
  return with_slopes(H, g, *std::move(p));
}

}  // namespace driftless
