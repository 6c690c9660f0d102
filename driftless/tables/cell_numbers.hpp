// Sums over the cells of a column that are numbers, or stand for numbers.
#pragma once

#include "driftless/kernels/lane_sum.hpp"
#include "driftless/tables/design.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace driftless {

// The cells of a column as numbers: the value, or the index of the level; NaN where there is none.
class CellNumbers {
 public:
  CellNumbers(const CodedColumn& column, const Table& table)
      : cells_(requested_column(table, column.name)), level_(level_of_texts(cells_, column.levels)) {}

  double operator()(std::uint32_t row) const {
    if (is_missing(cells_, row)) return nan_;
    if (cells_.type == CellType::number) return cells_.number[row];
    const std::int32_t level = level_[static_cast<std::size_t>(cells_.code[row])];
    return level < 0 ? nan_ : level;
  }

  // Σ term(value) over the rows with a value.
  template <class Term>
  double sum(std::span<const std::uint32_t> rows, const Term& term) const {
    const auto sum_of = [&](const auto& value_of) {
      return lane_sum(rows.size(), [&](std::size_t k) {
        const double value = value_of(rows[k]);
        return std::isnan(value) ? 0.0 : term(value);
      });
    };
    if (cells_.type != CellType::number) return sum_of(*this);
    return sum_of([number = cells_.number.data()](std::uint32_t row) { return number[row]; });
  }

 private:
  static constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

  const TableColumn& cells_;
  std::vector<std::int32_t> level_;
};

}  // namespace driftless
