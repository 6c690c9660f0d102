#include "driftless/objectives/linear/dictionary_codes.hpp"

#include <algorithm>
#include <unordered_map>

namespace driftless {
namespace {

constexpr std::size_t most_codes = 1024;      // of one merged group: their table fits into the first-level cache
constexpr double largest_useful_ratio = 0.6;  // of entries to those of A; above it plain rows are as fast
constexpr std::uint32_t no_code = 0;

// Maps columns to groups; none if there are more groups than one-hot data would have.
class ColumnGroups {
 public:
  static std::optional<ColumnGroups> find(const CsrMatrix& rows, const CsrMatrix& columns) {
    const double mean_length = static_cast<double>(rows.entries()) / static_cast<double>(rows.rows());
    const auto most_groups = static_cast<std::size_t>(1.5 * mean_length + 2.0);
    ColumnGroups found;
    found.of_column_.assign(columns.rows(), 0);
    for (std::size_t column = 0; column < columns.rows(); ++column) {
      if (columns.start[column] == columns.start[column + 1]) continue;
      if (!found.assign(column, columns, rows.rows(), most_groups)) return std::nullopt;
    }
    return found;
  }

  std::size_t count() const { return taken_.size(); }
  std::size_t of(std::size_t column) const { return of_column_[column]; }

 private:
  // Assigns the column to the latest group that shares no row with it: the columns of one category are usually
  // adjacent.
  bool assign(std::size_t column, const CsrMatrix& columns, std::size_t rows, std::size_t most) {
    const auto first = columns.column.begin() + static_cast<std::ptrdiff_t>(columns.start[column]);
    const auto last = columns.column.begin() + static_cast<std::ptrdiff_t>(columns.start[column + 1]);
    for (std::size_t group = taken_.size(); group-- > 0;)
      if (std::none_of(first, last, [&](std::uint32_t row) { return taken_[group][row]; })) {
        put(column, group, first, last);
        return true;
      }
    if (taken_.size() == most) return false;
    taken_.emplace_back(rows, false);
    put(column, taken_.size() - 1, first, last);
    return true;
  }
  template <class Row>
  void put(std::size_t column, std::size_t group, Row first, Row last) {
    of_column_[column] = group;
    for (Row row = first; row != last; ++row) taken_[group][*row] = true;
  }

  std::vector<std::size_t> of_column_;
  std::vector<std::vector<bool>> taken_;  // for each group, the rows that have a column of it
};

// Merges groups in their order, as long as few codes occur.
class Merger {
 public:
  Merger(const CsrMatrix& rows, const ColumnGroups& groups) : rows_(rows), groups_(groups) {
    codes_.columns_of_code.columns = rows.columns;
    row_codes_.resize(rows.rows());
  }

  DictionaryCodes merged() {
    current_.assign(rows_.rows(), no_code);
    known_ = {{}};
    for (std::size_t group = 0; group < groups_.count(); ++group)
      if (!extend(group)) {
        close();
        extend(group);
      }
    close();
    return finish();
  }

 private:
  // Adds the group's columns to the current codes. Returns false, and changes nothing, if there would be too many
  // codes.
  bool extend(std::size_t group) {
    const std::size_t most = known_.size() == 1 ? SIZE_MAX : std::min(most_codes, rows_.rows() / 8);
    std::unordered_map<std::uint64_t, std::uint32_t> codes;
    std::vector<std::vector<std::uint32_t>> known = {{}};
    std::vector<std::uint32_t> current(rows_.rows());
    for (std::size_t row = 0; row < rows_.rows(); ++row) {
      const std::optional<std::uint32_t> column = column_in(row, group);
      if (current_[row] == no_code && !column) continue;
      const std::uint64_t key = (std::uint64_t{current_[row]} << 32) | (column ? *column + 1 : 0);
      const auto [entry, is_new] = codes.try_emplace(key, static_cast<std::uint32_t>(known.size()));
      if (is_new) {
        if (known.size() > most) return false;
        known.push_back(known_[current_[row]]);
        if (column) known.back().push_back(*column);
      }
      current[row] = entry->second;
    }
    known_ = std::move(known);
    current_ = std::move(current);
    return true;
  }

  std::optional<std::uint32_t> column_in(std::size_t row, std::size_t group) const {
    for (std::uint64_t e = rows_.start[row]; e < rows_.start[row + 1]; ++e)
      if (groups_.of(rows_.column[e]) == group) return rows_.column[e];
    return std::nullopt;
  }

  // Gives the current codes their final numbers. Code 0 stands for no column and gets none.
  void close() {
    CsrMatrix& columns = codes_.columns_of_code;
    const auto before = static_cast<std::uint32_t>(columns.rows());
    for (std::size_t code = 1; code < known_.size(); ++code) {
      columns.column.insert(columns.column.end(), known_[code].begin(), known_[code].end());
      columns.start.push_back(columns.column.size());
    }
    for (std::size_t row = 0; row < rows_.rows(); ++row)
      if (current_[row] != no_code) row_codes_[row].push_back(before + current_[row] - 1);
    current_.assign(rows_.rows(), no_code);
    known_ = {{}};
  }

  DictionaryCodes finish() {
    CsrMatrix& rows = codes_.codes_of_row;
    rows.columns = codes_.columns_of_code.rows();
    for (const std::vector<std::uint32_t>& codes : row_codes_) {
      rows.column.insert(rows.column.end(), codes.begin(), codes.end());
      rows.start.push_back(rows.column.size());
    }
    return std::move(codes_);
  }

  const CsrMatrix& rows_;
  const ColumnGroups& groups_;
  std::vector<std::vector<std::uint32_t>> known_;  // the columns of each current code
  std::vector<std::uint32_t> current_;             // the current code of each row
  std::vector<std::vector<std::uint32_t>> row_codes_;
  DictionaryCodes codes_;
};

// The first rows: a sample by which data without one-hot columns is recognised quickly.
CsrMatrix first_rows(const CsrMatrix& rows, std::size_t count) {
  CsrMatrix some;
  some.columns = rows.columns;
  some.start.assign(rows.start.begin(), rows.start.begin() + static_cast<std::ptrdiff_t>(count) + 1);
  some.column.assign(rows.column.begin(), rows.column.begin() + static_cast<std::ptrdiff_t>(some.start.back()));
  return some;
}

}  // namespace

std::optional<DictionaryCodes> find_dictionary_codes(const CsrMatrix& columns_of_row, bool always) {
  constexpr std::size_t fewest_rows = 1024;  // with fewer, the tables of codes are hardly smaller than the rows
  if (columns_of_row.entries() == 0 || (!always && columns_of_row.rows() < fewest_rows)) return std::nullopt;
  const CsrMatrix sample = first_rows(columns_of_row, std::min(fewest_rows / 4, columns_of_row.rows()));
  if (sample.entries() > 0 && !ColumnGroups::find(sample, sample.transposed())) return std::nullopt;
  const std::optional<ColumnGroups> groups = ColumnGroups::find(columns_of_row, columns_of_row.transposed());
  if (!groups) return std::nullopt;
  DictionaryCodes codes = Merger(columns_of_row, *groups).merged();
  const double ratio = static_cast<double>(codes.entries()) / static_cast<double>(columns_of_row.entries());
  if (!always && ratio > largest_useful_ratio) return std::nullopt;
  return codes;
}

}  // namespace driftless
