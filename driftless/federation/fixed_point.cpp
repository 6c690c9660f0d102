#include "driftless/federation/fixed_point.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

// Level L stands for the exponent 4L − 324: level 1 holds all numbers up to 2^−320, the last but one those below 2^508.
constexpr int step = 4;
constexpr int offset = 324;
int exponent_of(ScaleLevel level) { return step * static_cast<int>(level) - offset; }

double largest_of(std::span<const double> block) {
  double largest = 0.0;
  for (const double value : block) {
    if (!(std::fabs(value) <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

}  // namespace

ScaleLevel level_of(std::span<const double> block) {
  const double largest = largest_of(block);
  if (largest == 0.0) return zero_level;
  if (!(largest < std::ldexp(1.0, exponent_of(too_large_level - 1)))) return too_large_level;
  const int above = std::ilogb(largest) + 1;  // largest < 2^above
  return above + offset <= step ? 1 : static_cast<ScaleLevel>((above + offset + step - 1) / step);
}

FixedPoint::FixedPoint(std::size_t rows)
    : bits_(62 - static_cast<int>(std::bit_width(std::max<std::size_t>(rows, 1) - 1))) {
  DRIFTLESS_ASSERT(bits_ > 32, "more rows than integers of 64 bits can add");
}

double FixedPoint::unit(ScaleLevel level) const { return std::ldexp(1.0, exponent_of(level) - bits_); }

void FixedPoint::add(std::span<const double> block, ScaleLevel level, std::span<double> total) const {
  if (level == zero_level || level == too_large_level) return;
  const double scale = std::ldexp(1.0, bits_ - exponent_of(level));
  for (std::size_t k = 0; k < block.size(); ++k) {
    const std::int64_t integer = std::llrint(block[k] * scale);
    total[k] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(total[k]) + static_cast<std::uint64_t>(integer));
  }
}

void FixedPoint::decode(std::span<double> block, ScaleLevel level) const {
  if (level == zero_level || level == too_large_level) {
    std::ranges::fill(block, level == zero_level ? 0.0 : std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const double scale = unit(level);
  for (double& number : block)
    number = static_cast<double>(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(number))) * scale;
}

}  // namespace driftless
