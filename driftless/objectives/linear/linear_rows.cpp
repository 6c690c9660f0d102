#include "driftless/objectives/linear/linear_rows.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>

namespace driftless {

void check_rows(const RowsView& data, RowList rows) {
  for (const std::int32_t row : rows)
    DRIFTLESS_ASSERT(row >= 0 && static_cast<std::size_t>(row) < data.rows(), "a client's row lies in the data set");
}

RowBlocks::RowBlocks(std::size_t rows, std::size_t most_rows, std::size_t most_chunks) : rows_(rows) {
  const std::size_t blocks = std::max<std::size_t>(1, (rows + most_rows - 1) / most_rows);
  block_rows_ = std::max<std::size_t>(1, (rows + blocks - 1) / blocks);
  chunks_ = std::clamp<std::size_t>(most_chunks, 1, std::max<std::size_t>(1, count()));
}

std::size_t worthwhile_chunks(std::size_t rows, std::size_t entries, std::size_t width) {
  constexpr std::size_t least = 1 << 13;  // about 6 µs of work; waking another thread for less does not pay
  constexpr std::size_t most = 16;
  const std::size_t work = entries + 2 * rows;  // the loss of a row costs as much as two entries
  return std::clamp<std::size_t>(work / std::max(least, 8 * width), 1, most);
}

bool prefers_dense(const RowsView& data, RowList rows) {
  check_rows(data, rows);
  std::size_t nonzeros = 0;
  bool equal = true;
  double common = 0.0;
  for (const std::int32_t row : rows)
    data.for_each_entry(static_cast<std::size_t>(row), [&](std::size_t, double value) {
      if (nonzeros++ == 0) common = value;
      equal = equal && value == common;
    });
  const double break_even = equal ? 1.0 / 2.0 : 1.0 / 3.0;  // measured
  return static_cast<double>(nonzeros) >
         break_even * static_cast<double>(rows.size()) * static_cast<double>(data.dim());
}

}  // namespace driftless
