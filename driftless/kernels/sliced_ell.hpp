// A sparse matrix A in the sliced ELLPACK format with slices of eight rows (SELL-8): out += scale · A x. Kreutzer,
// Hager, Wellein, Fehske, Bishop, "A unified sparse matrix data format for efficient general sparse matrix-vector
// multiplication on modern processors with wide SIMD units", SIAM J. Sci. Comput. 36(5), 2014.
//
// Rows are sorted by length and the rows of a slice are padded to one length, so that eight sums are under way at once.
// Column indices take 8, 16 or 32 bits, whichever holds them; a matrix of ones has no values. Long rows may be split
// into chunks. The transposed matrix in the same format gives A'y without conflicting writes. Everything is scalar
// arithmetic in a fixed order, so every machine gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace driftless {

// Compressed sparse rows. Without values every entry is one.
struct CsrMatrix {
  std::size_t columns = 0;
  std::vector<std::uint64_t> start = {0};  // rows + 1 offsets
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  std::size_t rows() const { return start.size() - 1; }
  std::size_t entries() const { return column.size(); }
  CsrMatrix transposed() const;
};

enum class EntryPrecision { float64, float32 };

class SlicedEll {
 public:
  struct Options {
    EntryPrecision precision = EntryPrecision::float64;
    std::size_t longest = SIZE_MAX;  // longer rows are split
  };
  SlicedEll() = default;
  SlicedEll(const CsrMatrix& matrix, const Options& options);

  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return rows_; }
  std::size_t entries() const { return entries_; }
  std::size_t bytes() const;
  int index_bits() const;

  // out += scale · A x. Rows are padded with the index columns() and slices with the index rows(): x has columns() + 1
  // numbers, the last of them 0, and out has rows() + 1, the last of them meaningless.
  void add_product(const double* x, double scale, double* out) const;
  // out += scale · A'y, with the roles of rows and columns exchanged.
  void add_transposed(const double* y, double scale, double* out) const;

  // The matrix as it was given, in single precision if stored so. Reuses the memory of `matrix`. As for_each_entry for
  // all rows, but without its costs for each of them. Rows must not have been split.
  void copy_to(CsrMatrix& matrix) const;
  // visit(column, value) for the entries of one row. Rows must not have been split.
  template <class Visit>
  void for_each_entry(std::size_t row, const Visit& visit) const;

 private:
  static constexpr std::size_t lanes = 8;  // rows of a slice

  // Successive slices of the same padded length.
  struct Group {
    std::uint32_t length;
    std::uint32_t slices;
  };
  // The entries of a row are at first, first + 8, …
  struct RowLocation {
    std::uint32_t first = 0;
    std::uint32_t length = 0;
  };
  struct NoValues {};
  using Indices = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;
  using Values = std::variant<NoValues, std::vector<double>, std::vector<float>>;

  struct Chunk;
  static std::vector<Chunk> sorted_chunks(const CsrMatrix& matrix, std::size_t longest);
  template <class Column>
  void fill(const CsrMatrix& matrix, std::span<const Chunk> chunks, std::size_t slots, std::vector<Column>& indices);

  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  std::size_t entries_ = 0;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> row_;  // of every lane of every slice
  Indices indices_;
  Values values_;
  std::vector<RowLocation> location_;  // of every row; empty if rows were split
};

template <class Visit>
void SlicedEll::for_each_entry(std::size_t row, const Visit& visit) const {
  const RowLocation location = location_[row];
  std::visit(
      [&](const auto& indices, const auto& values) {
        std::size_t at = location.first;
        for (std::uint32_t e = 0; e < location.length; ++e, at += lanes) {
          if constexpr (std::is_same_v<std::decay_t<decltype(values)>, NoValues>)
            visit(static_cast<std::size_t>(indices[at]), 1.0);
          else visit(static_cast<std::size_t>(indices[at]), static_cast<double>(values[at]));
        }
      },
      indices_, values_);
}

}  // namespace driftless
