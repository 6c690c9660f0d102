#include "driftless/federation/mixing_weights.hpp"

#include "driftless/core/check.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace driftless {
namespace {

Matrix dense(std::span<const std::vector<MixingWeights::Entry>> rows) {
  const auto n = static_cast<Index>(rows.size());
  Matrix W = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (const auto& [j, w] : rows[static_cast<std::size_t>(i)]) W(i, static_cast<Index>(j)) = w;
  return W;
}

}  // namespace

MixingWeights::MixingWeights(std::vector<std::vector<Entry>> rows) : rows_(std::move(rows)) {
  constexpr double rounding = 1e-12;
  const Matrix W = dense(rows_);
  const auto n = W.rows();
  DRIFTLESS_ASSERT(n > 0 && (W - W.transpose()).cwiseAbs().maxCoeff() <= rounding, "mixing weights must be symmetric");
  DRIFTLESS_ASSERT((W.rowwise().sum().array() - 1.0).abs().maxCoeff() <= rounding, "rows of mixing weights sum to 1");
  for (ClientId i = 0; i < rows_.size(); ++i)
    for (const auto& [j, w] : rows_[i]) messages_ += j == i ? 0 : 1;
  // The mean is the eigenvector of 1; without it the largest eigenvalue is ρ.
  const Matrix rest = W - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
  rho_ = Eigen::SelfAdjointEigenSolver<Matrix>(rest, Eigen::EigenvaluesOnly).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace driftless
