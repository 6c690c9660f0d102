#include "driftless/kernels/logistic.hpp"

#include "driftless/core/check.hpp"
#include "driftless/kernels/lane_sum.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/kernels/logistic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format off: it needs what stands before it
#include "driftless/kernels/exponential.inl"
// clang-format on

#ifndef DRIFTLESS_KERNELS_LOGISTIC_ONCE
#define DRIFTLESS_KERNELS_LOGISTIC_ONCE
namespace driftless {

// Factors 1 + e ≤ 2 whose product surely stays below 2^1023.
inline constexpr std::size_t longest_product = 896;

enum class Wanted { value, slopes, both };

// log(1 + exp(−m)) = max(−m, 0) + log(1 + exp(−|m|)): eight sums of the former and eight products whose logarithm is
// the latter, so that hundreds of rows share one logarithm.
struct LossLanes {
  alignas(64) double plain[sum_lanes];
  alignas(64) double product[sum_lanes];
};

}  // namespace driftless
#endif

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

// The eight rows at t and y.
template <Wanted wanted>
HWY_INLINE void eight_rows(const double* t, const double* y, double weight, double* slopes, LossLanes& sums) {
  const Reals one = hn::Set(tag, 1.0);
  for (std::size_t lane = 0; lane < sum_lanes; lane += hn::Lanes(tag)) {
    const Reals label = hn::LoadU(tag, y + lane);
    const Reals margin = hn::Mul(label, hn::LoadU(tag, t + lane));
    const Reals tail = exp_of_negative(hn::Neg(hn::Abs(margin)));
    const Reals denominator = hn::Add(one, tail);
    if constexpr (wanted != Wanted::slopes) {
      // Beside 1 a small tail would be rounded away: log(1 + e) = e − e²/2 to the last bit.
      const auto small = hn::Lt(tail, hn::Set(tag, 0x1p-27));
      const Reals series = hn::Sub(tail, hn::Mul(hn::Set(tag, 0.5), hn::Mul(tail, tail)));
      const Reals plain = hn::Add(hn::Max(hn::Neg(margin), hn::Zero(tag)), hn::IfThenElseZero(small, series));
      hn::Store(hn::Add(hn::Load(tag, sums.plain + lane), plain), tag, sums.plain + lane);
      const Reals factor = hn::IfThenElse(small, one, denominator);
      hn::Store(hn::Mul(hn::Load(tag, sums.product + lane), factor), tag, sums.product + lane);
    }
    if constexpr (wanted != Wanted::value) {
      const Reals numerator = hn::IfThenElse(hn::Lt(margin, hn::Zero(tag)), one, tail);
      const Reals scale = hn::Mul(hn::Set(tag, -weight), label);
      hn::StoreU(hn::Div(hn::Mul(scale, numerator), denominator), tag, slopes + lane);
    }
  }
}

// Rows whose products may be collected in one. The last few are filled up with margins so large that they add nothing.
template <Wanted wanted>
void some_rows(const double* t, const double* y, double weight, double* slopes, std::size_t rows, LossLanes& sums) {
  for (std::size_t lane = 0; lane < sum_lanes; ++lane) {
    sums.plain[lane] = 0.0;
    sums.product[lane] = 1.0;
  }
  std::size_t row = 0;
  for (; row + sum_lanes <= rows; row += sum_lanes) eight_rows<wanted>(t + row, y + row, weight, slopes + row, sums);
  if (row == rows) return;
  double last_t[sum_lanes];
  double last_y[sum_lanes];
  double last_slopes[sum_lanes];
  for (std::size_t lane = 0; lane < sum_lanes; ++lane) {
    const bool inside = row + lane < rows;
    last_t[lane] = inside ? t[row + lane] : 1e3;
    last_y[lane] = inside ? y[row + lane] : 1.0;
  }
  eight_rows<wanted>(last_t, last_y, weight, last_slopes, sums);
  if constexpr (wanted != Wanted::value)
    for (std::size_t lane = 0; row + lane < rows; ++lane) slopes[row + lane] = last_slopes[lane];
}

void value_rows(const double* t, const double* y, std::size_t rows, LossLanes& sums) {
  some_rows<Wanted::value>(t, y, 1.0, nullptr, rows, sums);
}
void slope_rows(const double* t, const double* y, double weight, double* slopes, std::size_t rows) {
  LossLanes unused;
  some_rows<Wanted::slopes>(t, y, weight, slopes, rows, unused);
}
void value_slope_rows(const double* t, const double* y, double weight, double* slopes, std::size_t rows,
                      LossLanes& sums) {
  some_rows<Wanted::both>(t, y, weight, slopes, rows, sums);
}

HWY_INLINE Reals curvature(Reals t, double weight) {
  const Reals tail = exp_of_negative(hn::Neg(hn::Abs(t)));
  const Reals inverse = hn::Div(hn::Set(tag, 1.0), hn::Add(hn::Set(tag, 1.0), tail));
  return hn::Mul(hn::Set(tag, weight), hn::Mul(tail, hn::Mul(inverse, inverse)));
}

void curvature_rows(const double* t, double weight, double* curvatures, std::size_t rows) {
  const std::size_t width = hn::Lanes(tag);
  std::size_t row = 0;
  for (; row + width <= rows; row += width)
    hn::StoreU(curvature(hn::LoadU(tag, t + row), weight), tag, curvatures + row);
  for (; row < rows; ++row) curvatures[row] = hn::GetLane(curvature(hn::Set(tag, t[row]), weight));
}

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless {
namespace {

HWY_EXPORT(value_rows);
HWY_EXPORT(slope_rows);
HWY_EXPORT(value_slope_rows);
HWY_EXPORT(curvature_rows);

// log p for a normal p ≥ 1: p = 2^k m with m in [√½, √2), log m = 2 artanh((m − 1)/(m + 1)).
double log_of_product(double p) {
  constexpr std::uint64_t half_root = 0x3fe6a09e667f3bcdU;  // the bits of √½
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(p);
  const std::int64_t k = static_cast<std::int64_t>(bits - half_root) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(k) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double series = 0.0;
  for (int odd = 23; odd >= 3; odd -= 2) series = z * (series + 1.0 / odd);
  const double two_s = 2.0 * s;
  const auto exponent = static_cast<double>(k);
  return exponent * 0x1.62e42feep-1 + (two_s + (two_s * series + exponent * 0x1.a39ef35793c76p-33));
}

// Σ over pieces of rows that are short enough for one product each; piece(first, count, sums) runs a kernel.
template <class Piece>
double sum_of_pieces(std::size_t rows, const Piece& piece) {
  LossLanes sums;
  double sum = 0.0;
  for (std::size_t first = 0; first < rows; first += longest_product) {
    piece(first, std::min(longest_product, rows - first), sums);
    sum += folded(sums.plain) + log_of_product(folded(sums.product, std::multiplies<>()));
  }
  return sum;
}

}  // namespace

double logistic_value(std::span<const double> predictions, std::span<const double> labels) {
  DRIFTLESS_ASSERT(predictions.size() == labels.size(), "one label per prediction");
  return sum_of_pieces(labels.size(), [&](std::size_t first, std::size_t count, LossLanes& sums) {
    HWY_DYNAMIC_DISPATCH(value_rows)(predictions.data() + first, labels.data() + first, count, sums);
  });
}

void logistic_slopes(std::span<const double> predictions, std::span<const double> labels, double weight,
                     std::span<double> slopes) {
  DRIFTLESS_ASSERT(predictions.size() == labels.size() && slopes.size() == labels.size(), "one label per prediction");
  HWY_DYNAMIC_DISPATCH(slope_rows)(predictions.data(), labels.data(), weight, slopes.data(), labels.size());
}

double logistic_value_slopes(std::span<const double> predictions, std::span<const double> labels, double weight,
                             std::span<double> slopes) {
  DRIFTLESS_ASSERT(predictions.size() == labels.size() && slopes.size() == labels.size(), "one label per prediction");
  return sum_of_pieces(labels.size(), [&](std::size_t first, std::size_t count, LossLanes& sums) {
    HWY_DYNAMIC_DISPATCH(value_slope_rows)
    (predictions.data() + first, labels.data() + first, weight, slopes.data() + first, count, sums);
  });
}

void logistic_curvatures(std::span<const double> predictions, double weight, std::span<double> curvatures) {
  DRIFTLESS_ASSERT(predictions.size() == curvatures.size(), "one curvature per prediction");
  HWY_DYNAMIC_DISPATCH(curvature_rows)(predictions.data(), weight, curvatures.data(), curvatures.size());
}

}  // namespace driftless
#endif
