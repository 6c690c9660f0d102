// One pass over the rows of a client: it computes the predictions of a block of rows, maps them (to slopes, for a
// gradient) and adds A'z of the result while the block is in the cache. All orders of summation are fixed, so equal
// input gives equal bits; idle threads of the pool may compute chunks.
//
// With P predictions per row, x and A'z consist of P vectors of the length of one prediction.
#pragma once

#include "driftless/core/chunks.hpp"
#include "driftless/core/vector.hpp"
#include "driftless/kernels/lane_sum.hpp"
#include "driftless/objectives/linear/linear_rows.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <span>

namespace driftless {

// The predictions of some rows, one array of rows for each of the P.
struct PredictionBlock {
  double* at = nullptr;
  std::size_t rows = 0;
  std::size_t stride = 0;  // from one array to the next
  std::size_t predictions = 1;

  std::span<double> of(std::size_t k) const { return {at + k * stride, rows}; }
};

template <class Rows>
class RowPass {
 public:
  using AddTransposed = void (Rows::*)(std::size_t block, const double* y, double* sum) const;

  // `intercept`: a last column of ones.
  RowPass(const Rows& rows, bool intercept, std::size_t predictions = 1)
      : rows_(rows), intercept_(intercept), predictions_(predictions) {}

  // z ← A direction, mapped in place by map(first row, z), and g += A'z unless g is null. Returns the sum of the
  // returned values of `map`, which takes a span or, for several predictions, a PredictionBlock. Without a direction z
  // starts at zero.
  template <class Map>
  double operator()(const Eigen::Ref<const Vector>* direction, VecOut* g, const Map& map,
                    AddTransposed add_transposed = &Rows::add_transposed) const {
    const RowBlocks& blocks = rows_.blocks();
    const std::size_t chunks = blocks.chunks();
    const std::size_t size = vector_size() * predictions_;
    const std::span<double> space = scratch<RowBlocks>(size * (1 + (g != nullptr ? chunks : 0)));
    double* source = space.data();
    if (direction != nullptr) spread(*direction, source);
    std::array<double, most_chunks> mapped{};
    const auto run = [&](std::size_t chunk) {
      double* sum = g != nullptr ? source + size * (chunk + 1) : nullptr;
      if (sum != nullptr) std::fill_n(sum, size, 0.0);
      for (std::size_t b = blocks.first_of_chunk(chunk); b < blocks.first_of_chunk(chunk + 1); ++b) {
        const PredictionBlock z = products(b, direction != nullptr ? source : nullptr);
        if constexpr (std::invocable<Map, std::size_t, PredictionBlock>) mapped[chunk] += map(blocks.first(b), z);
        else mapped[chunk] += map(blocks.first(b), z.of(0));
        if (sum != nullptr) add_products(b, z, add_transposed, sum);
      }
    };
    if (chunks == 1) run(0);
    else for_each_chunk(chunks, std::ref(run));
    if (g != nullptr) collect(source + size, chunks, *g);
    double total = 0.0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) total += mapped[chunk];
    return total;
  }

 private:
  static constexpr std::size_t most_chunks = 16;

  // Of a transformed vector with the number that rows may write behind it, and the entry of the intercept.
  std::size_t vector_size() const { return rows_.width() + 2; }
  Index length() const { return rows_.dim() + (intercept_ ? 1 : 0); }

  void spread(VecIn x, double* source) const {
    for (std::size_t k = 0; k < predictions_; ++k, source += vector_size()) {
      const auto part = x.segment(static_cast<Index>(k) * length(), length());
      rows_.spread(part, source);
      source[vector_size() - 1] = intercept_ ? part[length() - 1] : 0.0;
    }
  }

  // A x of one block; zeros without a source.
  PredictionBlock products(std::size_t block, const double* source) const {
    const std::size_t count = rows_.blocks().size(block);
    const std::span<double> z = scratch<PredictionBlock>((count + 1) * predictions_);
    for (std::size_t k = 0; k < predictions_; ++k) {
      const double* x = source != nullptr ? source + k * vector_size() : nullptr;
      std::ranges::fill(z.subspan(k * (count + 1), count + 1), x != nullptr ? x[vector_size() - 1] : 0.0);
      if (x != nullptr) rows_.add_products(block, x, z.data() + k * (count + 1));
    }
    return {z.data(), count, count + 1, predictions_};
  }

  void add_products(std::size_t block, const PredictionBlock& z, AddTransposed add_transposed, double* sum) const {
    for (std::size_t k = 0; k < predictions_; ++k, sum += vector_size()) {
      double* row = z.at + k * z.stride;
      row[z.rows] = 0.0;
      (rows_.*add_transposed)(block, row, sum);
      if (intercept_) sum[vector_size() - 1] += lane_sum(z.of(k));
    }
  }

  // g += the sums of the chunks, added in their order.
  void collect(double* sums, std::size_t chunks, VecOut g) const {
    const std::size_t size = vector_size() * predictions_;
    for (std::size_t chunk = 1; chunk < chunks; ++chunk)
      for (std::size_t k = 0; k < size; ++k) sums[k] += sums[size * chunk + k];
    for (std::size_t k = 0; k < predictions_; ++k, sums += vector_size()) {
      const Index first = static_cast<Index>(k) * length();
      rows_.collect(sums, g.segment(first, length()));
      if (intercept_) g[first + length() - 1] += sums[vector_size() - 1];
    }
  }

  const Rows& rows_;
  bool intercept_;
  std::size_t predictions_;
};

// triangle += Σ_j w_j a_j a_j', where a_j ends with 1 if there is an intercept. Returns the passes that it is worth.
template <class Rows>
std::size_t add_weighted_gram(const Rows& rows, std::span<const double> weights, bool intercept, VecOut triangle) {
  rows.add_gram(weights.data(), triangle.data());
  if (!intercept) return rows.gram_passes();
  VecOut last = triangle.tail(rows.dim() + 1);
  RowPass(rows, true)(nullptr, &last, [&](std::size_t first, std::span<double> z) {
    std::copy_n(weights.data() + first, z.size(), z.data());
    return 0.0;
  });
  return rows.gram_passes();
}

// max_j κ_j‖a_j‖²: the least bound of the curvature of a row's loss where some prediction has the curvature κ_j.
template <class Rows, class LargestCurvature>
double largest_row_curvature(const Rows& rows, bool intercept, const LargestCurvature& of_row) {
  struct Space {};
  const std::span<double> space = scratch<Space>(padded(static_cast<std::size_t>(rows.dim())));
  std::ranges::fill(space, 0.0);
  double largest = 0.0;
  for (std::size_t row = 0; row < rows.blocks().rows(); ++row) {
    rows.add(row, 1.0, space.data());
    const double norm = rows.dot(row, space.data()) + (intercept ? 1.0 : 0.0);  // ‖a_j‖²
    rows.add(row, -1.0, space.data());                                          // zero again
    if (norm > 0.0) largest = std::max(largest, of_row(row) * norm);
  }
  return largest;
}

}  // namespace driftless
