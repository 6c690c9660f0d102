#include "driftless/objectives/linear_rows.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>

namespace driftless {

RowEntries entries_of(const Dataset& data, std::int32_t row) {
  DRIFTLESS_ASSERT(row >= 0 && static_cast<std::size_t>(row) < data.rows(), "a client's row lies in the data set");
  const auto* start = data.row_start.data() + row;
  return {static_cast<std::size_t>(start[0]), static_cast<std::size_t>(start[1])};
}

RowBlocks::RowBlocks(std::size_t rows, std::size_t block_rows, std::size_t most_parts)
    : rows_(rows), block_rows_(block_rows) {
  parts_ = std::clamp<std::size_t>(most_parts, 1, std::max<std::size_t>(1, count()));
}

std::size_t worthwhile_parts(std::size_t entries, std::size_t width) {
  constexpr std::size_t least = 1 << 15;  // entries, some 20 µs: less is not worth waking a thread
  constexpr std::size_t most = 16;
  return std::clamp<std::size_t>(entries / std::max(least, 8 * width), 1, most);
}

bool prefers_dense(std::size_t rows, std::size_t nonzeros, Index dim) {
  return static_cast<double>(nonzeros) > 0.25 * static_cast<double>(rows) * static_cast<double>(dim);
}

}  // namespace driftless
