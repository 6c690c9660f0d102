#include "driftless/kernels/dense_block.hpp"

#include "driftless/kernels/lane_sum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/kernels/dense_block.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, sum_lanes>;
using Reals = hn::Vec<Lanes>;
constexpr Lanes tag;

HWY_INLINE Reals load(const double* from) { return hn::LoadU(tag, from); }
HWY_INLINE Reals load(const float* from) { return hn::PromoteTo(tag, hn::LoadU(hn::Rebind<float, Lanes>(), from)); }

// `count` rows side by side: their sums do not wait for each other, and they share the loads of x.
template <std::size_t count, class Number>
HWY_INLINE void some_products(const DenseBlock<Number>& block, std::size_t first, const double* x, double* out) {
  const std::size_t stride = block.stride;
  const Number* rows = block.entries + first * stride;
  alignas(64) double lanes[count][sum_lanes];
  for (std::size_t lane = 0; lane < sum_lanes; lane += hn::Lanes(tag)) {
    Reals a = hn::Zero(tag), b = a, c = a, d = a;
    for (std::size_t k = lane; k < block.columns; k += sum_lanes) {
      const Reals at = load(x + k);
      a = hn::Add(a, hn::Mul(load(rows + k), at));
      if constexpr (count == 4) {
        b = hn::Add(b, hn::Mul(load(rows + stride + k), at));
        c = hn::Add(c, hn::Mul(load(rows + 2 * stride + k), at));
        d = hn::Add(d, hn::Mul(load(rows + 3 * stride + k), at));
      }
    }
    hn::Store(a, tag, lanes[0] + lane);
    if constexpr (count == 4) {
      hn::Store(b, tag, lanes[1] + lane);
      hn::Store(c, tag, lanes[2] + lane);
      hn::Store(d, tag, lanes[3] + lane);
    }
  }
  for (std::size_t j = 0; j < count; ++j) out[j] += folded(lanes[j]);
}

template <class Number>
void products(const DenseBlock<Number>& block, const double* x, double* out) {
  std::size_t j = 0;
  for (; j + 4 <= block.rows; j += 4) some_products<4>(block, j, x, out + j);
  for (; j < block.rows; ++j) some_products<1>(block, j, x, out + j);
}

// Four rows at a time, so that `out` is read and written a quarter as often; each number is still added in turn.
template <class Number>
void scaled_rows(const DenseBlock<Number>& block, const double* scales, double* out) {
  const std::size_t width = hn::Lanes(tag);
  std::size_t j = 0;
  for (; j + 4 <= block.rows; j += 4) {
    const Number* row = block.entries + j * block.stride;
    const Reals a = hn::Set(tag, scales[j]), b = hn::Set(tag, scales[j + 1]);
    const Reals c = hn::Set(tag, scales[j + 2]), d = hn::Set(tag, scales[j + 3]);
    for (std::size_t k = 0; k < block.columns; k += width) {
      Reals sum = hn::LoadU(tag, out + k);
      sum = hn::Add(sum, hn::Mul(a, load(row + k)));
      sum = hn::Add(sum, hn::Mul(b, load(row + block.stride + k)));
      sum = hn::Add(sum, hn::Mul(c, load(row + 2 * block.stride + k)));
      sum = hn::Add(sum, hn::Mul(d, load(row + 3 * block.stride + k)));
      hn::StoreU(sum, tag, out + k);
    }
  }
  for (; j < block.rows; ++j) {
    const Number* row = block.entries + j * block.stride;
    const Reals a = hn::Set(tag, scales[j]);
    for (std::size_t k = 0; k < block.columns; k += width)
      hn::StoreU(hn::Add(hn::LoadU(tag, out + k), hn::Mul(a, load(row + k))), tag, out + k);
  }
}

void double_products(const DenseBlock<double>& block, const double* x, double* out) { products(block, x, out); }
void float_products(const DenseBlock<float>& block, const double* x, double* out) { products(block, x, out); }
void double_rows(const DenseBlock<double>& block, const double* scales, double* out) {
  scaled_rows(block, scales, out);
}
void float_rows(const DenseBlock<float>& block, const double* scales, double* out) { scaled_rows(block, scales, out); }

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless {
namespace {

HWY_EXPORT(double_products);
HWY_EXPORT(float_products);
HWY_EXPORT(double_rows);
HWY_EXPORT(float_rows);

}  // namespace

void add_row_products(const DenseBlock<double>& block, const double* x, double* out) {
  HWY_DYNAMIC_DISPATCH(double_products)(block, x, out);
}
void add_row_products(const DenseBlock<float>& block, const double* x, double* out) {
  HWY_DYNAMIC_DISPATCH(float_products)(block, x, out);
}
void add_scaled_rows(const DenseBlock<double>& block, const double* scales, double* out) {
  HWY_DYNAMIC_DISPATCH(double_rows)(block, scales, out);
}
void add_scaled_rows(const DenseBlock<float>& block, const double* scales, double* out) {
  HWY_DYNAMIC_DISPATCH(float_rows)(block, scales, out);
}

}  // namespace driftless
#endif
