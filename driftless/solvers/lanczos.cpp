#include "driftless/solvers/lanczos.hpp"

#include "driftless/core/check.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double rounding = 1e-14;  // of products and projections, relative to ‖A‖

class Lanczos {
 public:
  Lanczos(Index dim, const Product& product, Stream start, const LanczosOptions& options)
      : product_(product),
        options_(options),
        columns_(lanczos_columns(dim)),
        basis_(dim, columns_),
        projection_(Matrix::Zero(columns_, columns_)),
        next_(dim),
        image_(dim) {
    for (double& entry : next_) entry = start.normal();
    next_.normalize();
  }

  SpectrumEnds run() {
    constexpr Index between_looks = 8;
    Index looked = 0;
    while (ends_.products < options_.most_products && !options_.stop_token.stop_requested()) {
      extend();
      if (!std::isfinite(residual_) || !std::isfinite(scale_)) return not_finite();
      const bool invariant = residual_ <= rounding * scale_;  // V spans the invariant subspace of the start
      if (!invariant && size_ < columns_ && size_ - looked < between_looks) continue;
      look();
      looked = size_;
      ends_.converged = invariant || size_ == basis_.rows() || good_enough();
      if (ends_.converged) return ends_;
      if (size_ == columns_) looked = restart();
    }
    if (size_ > looked) look();
    return ends_;
  }

 private:
  // A product left the range of numbers, so nothing is known.
  SpectrumEnds not_finite() const {
    const double unknown = std::numeric_limits<double>::infinity();
    return {.low = {-unknown, unknown}, .high = {unknown, unknown}, .products = ends_.products, .converged = false};
  }

  // One more column v, with w = A v projected out of the basis, twice because of rounding.
  void extend() {
    basis_.col(size_) = next_;
    product_(next_, image_);
    ++ends_.products;
    scale_ = std::max(scale_, image_.norm());
    const auto v = basis_.leftCols(++size_);
    Vector column = v.transpose() * image_;
    image_ -= v * column;
    const Vector correction = v.transpose() * image_;
    image_ -= v * correction;
    column += correction;
    projection_.col(size_ - 1).head(size_) = column;
    projection_.row(size_ - 1).head(size_) = column.transpose();
    residual_ = image_.norm();  // β
    if (residual_ > 0.0) next_ = image_ / residual_;
  }

  void look() {
    pairs_.compute(projection_.topLeftCorner(size_, size_));
    DRIFTLESS_ASSERT(pairs_.info() == Eigen::Success, "the eigenvalues of a finite symmetric matrix exist");
    ends_.low = pair(0);
    if (options_.floor)  // floor <= λ_min <= θ
      ends_.low.error = std::min(ends_.low.error, std::abs(ends_.low.value - *options_.floor) + rounding * scale_);
    ends_.high = pair(size_ - 1);
  }
  Eigenvalue pair(Index k) const {
    const double error = std::abs(residual_ * pairs_.eigenvectors()(size_ - 1, k));  // ‖A V s_k − θ_k V s_k‖ = |β s_mk|
    return {.value = pairs_.eigenvalues()[k], .error = error + rounding * scale_};
  }

  bool good_enough() const {
    const auto good = [&](const Eigenvalue& e) {
      return e.error <= std::max(options_.tolerance * std::abs(e.value), 2.0 * rounding * scale_);
    };
    switch (options_.wanted) {
      case Wanted::both: return good(ends_.low) && good(ends_.high);
      case Wanted::largest: return good(ends_.high);
      case Wanted::norm: break;
    }
    const bool high_leads = std::abs(ends_.high.value) >= std::abs(ends_.low.value);
    const Eigenvalue& lead = high_leads ? ends_.high : ends_.low;
    const Eigenvalue& other = high_leads ? ends_.low : ends_.high;
    return good(lead) && (good(other) || std::abs(other.value) + other.error <= std::abs(lead.value));
  }

  // Keeps the outer half of the pairs; the new column finds their couplings by projection like any other.
  Index restart() {
    const Index kept = size_ / 2;
    const Index low = options_.wanted == Wanted::largest ? 0 : kept / 2;
    Matrix chosen(size_, kept);
    chosen.leftCols(low) = pairs_.eigenvectors().leftCols(low);
    chosen.rightCols(kept - low) = pairs_.eigenvectors().rightCols(kept - low);
    projection_.setZero();
    projection_.diagonal().head(low) = pairs_.eigenvalues().head(low);
    projection_.diagonal().segment(low, kept - low) = pairs_.eigenvalues().tail(kept - low);
    // Block by block of rows, so that no second basis is needed.
    constexpr Index rows_at_once = 1024;
    for (Index row = 0; row < basis_.rows(); row += rows_at_once) {
      const Index rows = std::min(rows_at_once, basis_.rows() - row);
      const Matrix block = basis_.block(row, 0, rows, size_) * chosen;
      basis_.block(row, 0, rows, kept) = block;
    }
    size_ = kept;
    return kept;
  }

  const Product& product_;
  const LanczosOptions& options_;
  Index columns_;
  Matrix basis_;       // V, of which size_ columns are in use
  Matrix projection_;  // T = V'A V
  Index size_ = 0;
  Vector next_;
  Vector image_;
  double residual_ = 0.0;  // β of the last column
  double scale_ = 0.0;     // a lower bound of ‖A‖
  Eigen::SelfAdjointEigenSolver<Matrix> pairs_;
  SpectrumEnds ends_;
};

}  // namespace

Eigenvalue SpectrumEnds::norm() const {
  const Eigenvalue& lead = std::abs(high.value) >= std::abs(low.value) ? high : low;
  return {.value = std::abs(lead.value), .error = lead.error};
}

Index lanczos_columns(Index dim) {
  constexpr Index room = (Index{16} << 20) / static_cast<Index>(sizeof(double));
  constexpr Index few = 40;
  constexpr Index many = 240;
  return std::min(dim, std::clamp(room / dim, few, many));
}

SpectrumEnds spectrum_ends(Index dim, const Product& product, Stream start, const LanczosOptions& options) {
  return Lanczos(dim, product, start, options).run();
}

}  // namespace driftless
