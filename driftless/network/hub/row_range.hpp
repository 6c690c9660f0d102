// How large the numbers of a row may be. Sums of rows within the range and squares of their norms are finite, so that
// one peer cannot make the arithmetic of the others overflow.
#pragma once

#include <cstddef>
#include <span>

namespace driftless {

inline constexpr double largest_entry = 1e150;
// No honest run comes near this; the hub remembers which site sent such a number first.
inline constexpr double suspicious_entry = 1e100;

struct RowRange {
  bool inside = true;       // all entries are finite and at most `most` in magnitude
  bool suspicious = false;  // one is beyond suspicious_entry
};
RowRange range_of(std::span<const double> values, double most = largest_entry);

// The first entry that is not inside; values.size() where all are.
std::size_t first_outside(std::span<const double> values, double most = largest_entry);

}  // namespace driftless
