#include "driftless/objectives/quadratic/constants.hpp"

#include "driftless/core/check.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

struct Extremes {
  double low;
  double high;
  double norm() const { return std::max(std::abs(low), std::abs(high)); }
};

Extremes extremes(const Vector& spectrum) { return {spectrum.minCoeff(), spectrum.maxCoeff()}; }

Extremes extremes(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric, Eigen::EigenvaluesOnly);
  DRIFTLESS_ASSERT(solver.info() == Eigen::Success, "the eigenvalues of a finite symmetric matrix exist");
  return extremes(solver.eigenvalues());
}

// Collects the constants client by client.
class Collector {
 public:
  explicit Collector(std::size_t clients) {
    DRIFTLESS_ASSERT(clients > 0, "a federation has a client");
    out_.clients = clients;
    out_.mu = std::numeric_limits<double>::infinity();
  }
  void client(Extremes hessian, Extremes deviation) {
    out_.L = std::max(out_.L, hessian.norm());
    out_.mu = std::min(out_.mu, hessian.low);
    if (seen_++ == 0) out_.delta_1 = deviation.norm();
    out_.delta_B = std::max(out_.delta_B, deviation.norm());
    squares_ += deviation.norm() * deviation.norm();
  }
  Constants finish(Extremes mean, double largest_mean_square) {
    out_.L_f = mean.norm();
    out_.mu_f = mean.low;
    out_.delta_A = std::sqrt(std::max(0.0, largest_mean_square));
    out_.delta_A_up = std::sqrt(squares_ / static_cast<double>(out_.clients));
    return out_;
  }

 private:
  std::size_t seen_ = 0;
  double squares_ = 0.0;
  Constants out_;
};

}  // namespace

Constants constants_of_spectra(const Matrix& spectra) {
  Collector collector(static_cast<std::size_t>(spectra.cols()));
  const Vector mean = spectra.rowwise().mean();
  const Matrix deviation = spectra.colwise() - mean;
  for (Index i = 0; i < spectra.cols(); ++i) {
    collector.client(extremes(Vector(spectra.col(i))), extremes(Vector(deviation.col(i))));
  }
  return collector.finish(extremes(mean), deviation.cwiseAbs2().rowwise().mean().maxCoeff());
}

Constants constants_of_hessians(std::span<const Matrix> hessians) {
  Collector collector(hessians.size());
  const double n = static_cast<double>(hessians.size());
  Matrix mean = Matrix::Zero(hessians[0].rows(), hessians[0].cols());
  for (const Matrix& a : hessians) mean += a / n;
  Matrix mean_square = Matrix::Zero(mean.rows(), mean.cols());
  for (const Matrix& a : hessians) {
    const Matrix deviation = a - mean;
    collector.client(extremes(a), extremes(deviation));
    mean_square.noalias() += deviation * deviation / n;
  }
  return collector.finish(extremes(mean), extremes(mean_square).high);
}

double spectral_norm(const Matrix& symmetric) { return extremes(symmetric).norm(); }

Constants with_bounded_regularizer(Constants constants, double beta) {
  constants.L += 2.0 * beta;
  constants.L_f += 2.0 * beta;
  constants.L_sample += 2.0 * beta;
  constants.mu -= 0.5 * beta;
  constants.mu_f -= 0.5 * beta;
  return constants;
}

}  // namespace driftless
