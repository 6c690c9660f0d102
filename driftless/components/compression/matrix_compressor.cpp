#include "driftless/components/compression/matrix_compressor.hpp"

#include "driftless/components/curvature/symmetric.hpp"
#include "driftless/core/objective.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace driftless {
namespace {

// The code of the triangle as a vector. The other two see single entries or the whole matrix.
CompressorName entry_code(MatrixCompressorName name) {
  switch (name) {
    case MatrixCompressorName::top_k: return CompressorName::top_k;
    case MatrixCompressorName::rand_k: return CompressorName::rand_k;
    case MatrixCompressorName::natural: return CompressorName::natural;
    case MatrixCompressorName::identity:
    case MatrixCompressorName::rand_seq_k:
    case MatrixCompressorName::rank_k: break;
  }
  return CompressorName::identity;
}

// The triangle with entries off the diagonal times √2: its length is the Frobenius norm.
Vector isometric(VecIn triangle) {
  Vector v = std::sqrt(2.0) * triangle;
  for (Index row = 0; triangle_size(row) < v.size(); ++row) {
    const Index diagonal = triangle_size(row + 1) - 1;
    v[diagonal] = triangle[diagonal];
  }
  return v;
}

void keep_successive(VecIn v, VecOut coded, Index K, Stream& chance) {
  const auto first = static_cast<Index>(chance.index(static_cast<std::size_t>(v.size())));
  const double scale = static_cast<double>(v.size()) / static_cast<double>(K);
  coded.setZero();
  for (Index k = 0; k < K; ++k) {
    const Index at = (first + k) % v.size();
    coded[at] = scale * v[at];
  }
}

struct Pairs {
  Vector theta;
  Matrix vectors;  // orthonormal columns
};

// Ritz pairs of `steps` steps of Lanczos's method with full reorthogonalisation, from a start that is always the same;
// fewer where the space is invariant.
Pairs ritz_pairs(const Matrix& A, Index steps) {
  Stream chance(1, Purpose::generator);
  Matrix Q(A.rows(), steps);
  Matrix AQ(A.rows(), steps);
  Vector q(A.rows());
  for (double& entry : q) entry = chance.normal();
  const double negligible = 1e-14 * A.norm();
  Index count = 0;
  double length = q.norm();
  while (count < steps && length > (count == 0 ? 0.0 : negligible)) {
    Q.col(count) = q / length;
    AQ.col(count) = A * Q.col(count);
    q = AQ.col(count);
    ++count;
    for (int twice = 0; twice < 2; ++twice) q -= Q.leftCols(count) * (Q.leftCols(count).transpose() * q);
    length = q.norm();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> small(Q.leftCols(count).transpose() * AQ.leftCols(count));
  return {small.eigenvalues(), Q.leftCols(count) * small.eigenvectors()};
}

void keep_eigenpairs(VecIn triangle, VecOut coded, Index rank) {
  constexpr Index small = 64;
  Index d = 0;
  while (triangle_size(d) < triangle.size()) ++d;
  const Matrix A = unpacked(triangle, d);
  Pairs pairs;
  const Index steps = 2 * rank + 20;
  if (d <= small || steps >= d) {
    const Eigen::SelfAdjointEigenSolver<Matrix> all(A);
    pairs = {all.eigenvalues(), all.eigenvectors()};
  } else pairs = ritz_pairs(A, steps);
  std::vector<Index> order(static_cast<std::size_t>(pairs.theta.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(pairs.theta[a]) > std::abs(pairs.theta[b]); });
  coded.setZero();
  for (std::size_t k = 0; k < std::min(order.size(), static_cast<std::size_t>(rank)); ++k) {
    const Vector v = pairs.vectors.col(order[k]);
    for (Index row = 0; row < d; ++row)
      coded.segment(triangle_size(row), row + 1) += (pairs.theta[order[k]] * v[row]) * v.head(row + 1);
  }
}

}  // namespace

MatrixCompressor::MatrixCompressor(const MatrixCompressorOptions& options)
    : o_(options), entries_(CompressorOptions{.compressor = entry_code(options.compressor), .keep = options.keep}) {}

void MatrixCompressor::apply(VecIn triangle, VecOut coded, Stream& chance) const {
  switch (o_.compressor) {
    case MatrixCompressorName::identity: coded = triangle; return;
    case MatrixCompressorName::top_k:
      entries_.apply(isometric(triangle), coded, chance);
      for (Index k = 0; k < coded.size(); ++k) coded[k] = coded[k] == 0.0 ? 0.0 : triangle[k];
      return;
    case MatrixCompressorName::rand_k:
    case MatrixCompressorName::natural: entries_.apply(triangle, coded, chance); return;
    case MatrixCompressorName::rand_seq_k:
      keep_successive(triangle, coded, kept_entries(o_.keep, triangle.size()), chance);
      return;
    case MatrixCompressorName::rank_k: keep_eigenpairs(triangle, coded, static_cast<Index>(o_.rank)); return;
  }
}

std::uint64_t MatrixCompressor::bytes(Index d) const {
  const Index N = triangle_size(d);
  switch (o_.compressor) {
    case MatrixCompressorName::rand_seq_k: return 8 * static_cast<std::uint64_t>(kept_entries(o_.keep, N)) + 8;
    case MatrixCompressorName::rank_k:
      return 8 * std::min(static_cast<std::uint64_t>(o_.rank), static_cast<std::uint64_t>(d)) *
             static_cast<std::uint64_t>(d + 1);
    case MatrixCompressorName::identity:
    case MatrixCompressorName::top_k:
    case MatrixCompressorName::rand_k:
    case MatrixCompressorName::natural: break;
  }
  return entries_.bytes(N);
}

bool MatrixCompressor::unbiased() const {
  return o_.compressor == MatrixCompressorName::rand_seq_k ||
         (o_.compressor != MatrixCompressorName::rank_k && entries_.unbiased());
}

double MatrixCompressor::learning_rate(Index d) const {
  const Index N = triangle_size(d);
  if (o_.compressor == MatrixCompressorName::rand_seq_k)
    return static_cast<double>(kept_entries(o_.keep, N)) / static_cast<double>(N);  // 1/(1 + ω)
  return unbiased() ? entries_.alpha(N) : 1.0;
}

}  // namespace driftless
