#include "driftless/kernels/dense_gram.hpp"

#include "driftless/kernels/lane_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/kernels/dense_gram.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef DRIFTLESS_KERNELS_DENSE_GRAM_ONCE
#define DRIFTLESS_KERNELS_DENSE_GRAM_ONCE
namespace driftless {

inline constexpr std::size_t tile_numbers = sum_lanes * sum_lanes;

}  // namespace driftless
#endif

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, sum_lanes>;
using Reals = hn::Vec<Lanes>;
constexpr Lanes tag;

HWY_INLINE Reals load(const double* from) { return hn::LoadU(tag, from); }
HWY_INLINE Reals load(const float* from) { return hn::PromoteTo(tag, hn::LoadU(hn::Rebind<float, Lanes>(), from)); }

// Panels of eight columns, the rows of each one after the other: plain, and times the weights.
template <class Number>
void pack(const DenseBlock<Number>& block, const double* weights, double* plain, double* scaled) {
  const std::size_t panel = block.rows * sum_lanes;
  for (std::size_t j = 0; j < block.rows; ++j) {
    const Reals weight = hn::Set(tag, weights[j]);
    for (std::size_t k = 0; k < block.stride; k += hn::Lanes(tag)) {
      const Reals entries = load(block.entries + j * block.stride + k);
      const std::size_t to = k / sum_lanes * panel + j * sum_lanes + k % sum_lanes;
      hn::StoreU(entries, tag, plain + to);
      hn::StoreU(hn::Mul(weight, entries), tag, scaled + to);
    }
  }
}

HWY_INLINE void add_to(double* out, Reals sum) { hn::StoreU(hn::Add(hn::LoadU(tag, out), sum), tag, out); }

// Four rows, those of `scaled`, of `panels` ≤ 3 tiles side by side.
template <std::size_t panels>
HWY_INLINE void four_rows(const double* scaled, const double* plain, std::size_t rows, double* tiles) {
  const std::size_t panel = rows * sum_lanes;
  for (std::size_t lane = 0; lane < sum_lanes; lane += hn::Lanes(tag)) {
    Reals a0 = hn::Zero(tag), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    Reals c0 = a0, c1 = a0, c2 = a0, c3 = a0;
    for (std::size_t j = 0; j < panel; j += sum_lanes) {
      const Reals s0 = hn::Set(tag, scaled[j]), s1 = hn::Set(tag, scaled[j + 1]);
      const Reals s2 = hn::Set(tag, scaled[j + 2]), s3 = hn::Set(tag, scaled[j + 3]);
      const Reals a = hn::LoadU(tag, plain + j + lane);
      a0 = hn::Add(a0, hn::Mul(s0, a));
      a1 = hn::Add(a1, hn::Mul(s1, a));
      a2 = hn::Add(a2, hn::Mul(s2, a));
      a3 = hn::Add(a3, hn::Mul(s3, a));
      if constexpr (panels > 1) {
        const Reals b = hn::LoadU(tag, plain + panel + j + lane);
        b0 = hn::Add(b0, hn::Mul(s0, b));
        b1 = hn::Add(b1, hn::Mul(s1, b));
        b2 = hn::Add(b2, hn::Mul(s2, b));
        b3 = hn::Add(b3, hn::Mul(s3, b));
      }
      if constexpr (panels > 2) {
        const Reals c = hn::LoadU(tag, plain + 2 * panel + j + lane);
        c0 = hn::Add(c0, hn::Mul(s0, c));
        c1 = hn::Add(c1, hn::Mul(s1, c));
        c2 = hn::Add(c2, hn::Mul(s2, c));
        c3 = hn::Add(c3, hn::Mul(s3, c));
      }
    }
    const auto store = [&](double* tile, Reals r0, Reals r1, Reals r2, Reals r3) HWY_ATTR {
      add_to(tile + lane, r0);
      add_to(tile + lane + sum_lanes, r1);
      add_to(tile + lane + 2 * sum_lanes, r2);
      add_to(tile + lane + 3 * sum_lanes, r3);
    };
    store(tiles, a0, a1, a2, a3);
    if constexpr (panels > 1) store(tiles + tile_numbers, b0, b1, b2, b3);
    if constexpr (panels > 2) store(tiles + 2 * tile_numbers, c0, c1, c2, c3);
  }
}

template <class Number>
void gram(const DenseBlock<Number>& block, const double* weights, double* space, double* tiles) {
  const std::size_t panel = block.rows * sum_lanes;
  const std::size_t panels = block.stride / sum_lanes;
  double* const plain = space;
  double* const scaled = space + panel * panels;
  pack(block, weights, plain, scaled);
  for (std::size_t i = 0; i < panels; tiles += ++i * tile_numbers)
    for (std::size_t k = 0; k <= i; k += 3)
      for (std::size_t half = 0; half < sum_lanes; half += 4) {
        const double* const rows = scaled + i * panel + half;
        double* const out = tiles + k * tile_numbers + half * sum_lanes;
        if (k + 2 <= i) four_rows<3>(rows, plain + k * panel, block.rows, out);
        else if (k + 1 <= i) four_rows<2>(rows, plain + k * panel, block.rows, out);
        else four_rows<1>(rows, plain + k * panel, block.rows, out);
      }
}

void double_gram(const DenseBlock<double>& block, const double* weights, double* space, double* tiles) {
  gram(block, weights, space, tiles);
}
void float_gram(const DenseBlock<float>& block, const double* weights, double* space, double* tiles) {
  gram(block, weights, space, tiles);
}

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless {
namespace {

HWY_EXPORT(double_gram);
HWY_EXPORT(float_gram);

}  // namespace

void add_gram_tiles(const DenseBlock<double>& block, const double* weights, double* space, double* tiles) {
  HWY_DYNAMIC_DISPATCH(double_gram)(block, weights, space, tiles);
}
void add_gram_tiles(const DenseBlock<float>& block, const double* weights, double* space, double* tiles) {
  HWY_DYNAMIC_DISPATCH(float_gram)(block, weights, space, tiles);
}

void add_tiles_to_triangle(const double* tiles, std::size_t columns, double* triangle) {
  for (std::size_t row = 0; row < columns; triangle += ++row) {
    const std::size_t above = row / sum_lanes;
    const double* tile = tiles + above * (above + 1) / 2 * tile_numbers + row % sum_lanes * sum_lanes;
    for (std::size_t column = 0; column <= row; ++column)
      triangle[column] += tile[column / sum_lanes * tile_numbers + column % sum_lanes];
  }
}

}  // namespace driftless
#endif
