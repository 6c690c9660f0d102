// Numbers as integers, so that sums have the same bits in any order and can be masked. A row is divided into blocks:
// its vectors, its matrices and its single numbers. In every exchange each block has one scale 2^e for all rows, the
// least multiple of 4 as e for which all entries of all rows are below it; an entry v becomes the integer nearest to v
// · 2^(bits − e). With n rows and bits = 62 − ⌈log₂ n⌉ no sum leaves 64 bits, and a total differs from the exact sum by
// at most n · 2^(e − bits − 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace driftless {

using Blocks = std::vector<std::size_t>;  // the widths of the blocks of a row, in their order

// The scale of a block as a number that peers can compare: the larger, the larger the scale.
using ScaleLevel = std::uint64_t;
inline constexpr ScaleLevel zero_level = 0;         // all entries are zero
inline constexpr ScaleLevel too_large_level = 209;  // an entry is not finite, or 2^508 or more
inline constexpr ScaleLevel scale_levels = too_large_level + 1;
ScaleLevel level_of(std::span<const double> block);

class FixedPoint {
 public:
  explicit FixedPoint(std::size_t rows);

  int bits() const { return bits_; }
  // total ← total + the integers of the block, modulo 2^64; both carry integers in the bits of their numbers.
  void add(std::span<const double> block, ScaleLevel level, std::span<double> total) const;
  // The numbers of integers, in place; NaN where the level is too large.
  void decode(std::span<double> block, ScaleLevel level) const;
  double unit(ScaleLevel level) const;  // 2^(e − bits)

 private:
  int bits_;
};

}  // namespace driftless
