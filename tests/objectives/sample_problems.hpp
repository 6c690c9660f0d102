// Small random matrices, points and data sets shared by the tests of the objectives.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/data/dataset.hpp"

#include <Eigen/QR>
#include <cstdint>
#include <numeric>
#include <vector>

namespace driftless::test {

inline Matrix random_matrix(std::uint64_t seed, Index rows, Index cols, double low = -1.0, double high = 1.0) {
  Stream stream(seed, Purpose::generator);
  return Matrix::NullaryExpr(rows, cols, [&] { return stream.uniform(low, high); });
}

inline Vector random_point(std::uint64_t seed, Index dim, double size = 1.0) {
  return random_matrix(seed, dim, 1, -size, size).col(0);
}

inline Matrix random_symmetric(std::uint64_t seed, Index dim) {
  const Matrix a = random_matrix(seed, dim, dim);
  return a + a.transpose();
}

inline Matrix random_definite(std::uint64_t seed, Index dim) {
  const Matrix a = random_matrix(seed, dim, dim);
  return a * a.transpose() + 0.5 * Matrix::Identity(dim, dim);
}

inline Matrix random_rotation(std::uint64_t seed, Index dim) {
  return Eigen::HouseholderQR<Matrix>(random_matrix(seed, dim, dim)).householderQ();
}

// Rows with about the given share of nonzero entries and labels ±1; row 1 is empty.
inline Dataset random_dataset(std::uint64_t seed, std::size_t rows, Index dim, double share) {
  Stream stream(seed, Purpose::generator);
  Dataset data;
  data.name = "random";
  data.dim = dim;
  data.row_start = {0};
  for (std::size_t j = 0; j < rows; ++j) {
    for (Index k = 0; k < dim; ++k) {
      if (j == 1 || !stream.bernoulli(share)) continue;
      data.column.push_back(static_cast<std::int32_t>(k));
      data.value.push_back(stream.uniform(-2.0, 2.0));
    }
    data.row_start.push_back(static_cast<std::int64_t>(data.column.size()));
    data.label.push_back(stream.bernoulli(0.5) ? 1.0 : -1.0);
  }
  return data;
}

inline std::vector<std::int32_t> first_indices(std::size_t count) {
  std::vector<std::int32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

template <class F>
Vector gradient_of(const F& f, VecIn x) {
  Vector g(f.dim());
  f.gradient(x, g);
  return g;
}

inline Matrix dense_copy(const Dataset& data) {
  Matrix a = Matrix::Zero(static_cast<Index>(data.rows()), data.dim);
  for (std::size_t j = 0; j < data.rows(); ++j)
    for (auto e = data.row_start[j]; e < data.row_start[j + 1]; ++e)
      a(static_cast<Index>(j), data.column[static_cast<std::size_t>(e)]) = data.value[static_cast<std::size_t>(e)];
  return a;
}

}  // namespace driftless::test
