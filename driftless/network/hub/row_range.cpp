#include "driftless/network/hub/row_range.hpp"

#include <cmath>
#include <cstdint>

namespace driftless {

// Counts instead of returning early: without a branch the compiler vectorises the loop. NaN compares false.
RowRange range_of(std::span<const double> values, double most) {
  std::int64_t inside = 0;
  std::int64_t ordinary = 0;
  for (const double value : values) {
    inside += static_cast<std::int64_t>(std::fabs(value) <= most);
    ordinary += static_cast<std::int64_t>(std::fabs(value) <= suspicious_entry);
  }
  const auto size = static_cast<std::int64_t>(values.size());
  return {.inside = inside == size, .suspicious = ordinary != size};
}

std::size_t first_outside(std::span<const double> values, double most) {
  std::size_t at = 0;
  while (at < values.size() && std::fabs(values[at]) <= most) ++at;
  return at;
}

}  // namespace driftless
