#include "driftless/kernels/sliced_ell.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace driftless {
namespace {

// Eight indices, one after the other, out of words of eight bytes: that takes fewer loads than one load per index, and
// loads are the bottleneck here. The empty asm stops the compiler from reloading the word for each index.
template <class Column>
class EightIndices {
 public:
  explicit EightIndices(const Column* from) : from_(from) {}
  template <std::size_t lane>
  std::size_t next() {
    constexpr std::size_t per_word = sizeof(word_) / sizeof(Column);
    if constexpr (lane % per_word == 0) std::memcpy(&word_, from_ + lane, sizeof(word_));
    else word_ >>= 8 * sizeof(Column);
    asm("" : "+r"(word_));
    return static_cast<Column>(word_);
  }

 private:
  const Column* from_;
  std::uint64_t word_ = 0;
};

struct Ones {
  double operator()(std::size_t, double x) const { return x; }
  void next() {}
};

template <class Value>
struct Times {
  const Value* value;
  double operator()(std::size_t lane, double x) const { return static_cast<double>(value[lane]) * x; }
  void next() { value += 8; }
};

Ones factors(const auto&) { return {}; }
template <class Value>
Times<Value> factors(const std::vector<Value>& values) {
  return {values.data()};
}

// sums_l = Σ over `length` steps of factor · x at the index of lane l.
template <class Column, class Factors>
void sum_slice(const Column*& indices, Factors& factor, std::uint32_t length, const double* x, double* sums) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0, g = 0.0, h = 0.0;
  for (std::uint32_t step = 0; step < length; ++step, indices += 8, factor.next()) {
    EightIndices<Column> at(indices);
    a += factor(0, x[at.template next<0>()]);
    b += factor(1, x[at.template next<1>()]);
    c += factor(2, x[at.template next<2>()]);
    d += factor(3, x[at.template next<3>()]);
    e += factor(4, x[at.template next<4>()]);
    f += factor(5, x[at.template next<5>()]);
    g += factor(6, x[at.template next<6>()]);
    h += factor(7, x[at.template next<7>()]);
  }
  sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d, sums[4] = e, sums[5] = f, sums[6] = g, sums[7] = h;
}

template <class Column, class Factors>
void scatter_slice(const Column*& indices, Factors& factor, std::uint32_t length, const double* y, double* out) {
  for (std::uint32_t step = 0; step < length; ++step, indices += 8, factor.next())
    for (std::size_t lane = 0; lane < 8; ++lane) out[indices[lane]] += factor(lane, y[lane]);
}

}  // namespace

CsrMatrix CsrMatrix::transposed() const {
  CsrMatrix result;
  result.columns = rows();
  result.start.assign(columns + 1, 0);
  for (const std::uint32_t c : column) ++result.start[c + 1];
  for (std::size_t k = 0; k < columns; ++k) result.start[k + 1] += result.start[k];
  result.column.resize(entries());
  result.value.resize(value.size());
  std::vector<std::uint64_t> next(result.start.begin(), result.start.end() - 1);
  for (std::size_t r = 0; r < rows(); ++r)
    for (std::uint64_t e = start[r]; e < start[r + 1]; ++e) {
      const std::uint64_t to = next[column[e]]++;
      result.column[to] = static_cast<std::uint32_t>(r);
      if (!value.empty()) result.value[to] = value[e];
    }
  return result;
}

// A row, or a piece of a row that was split.
struct SlicedEll::Chunk {
  std::uint32_t row;
  std::uint32_t length;
  std::uint64_t first;  // in the compressed rows
};

std::vector<SlicedEll::Chunk> SlicedEll::sorted_chunks(const CsrMatrix& matrix, std::size_t longest) {
  std::vector<Chunk> chunks;
  chunks.reserve(matrix.rows());
  for (std::size_t r = 0; r < matrix.rows(); ++r)
    for (std::uint64_t from = matrix.start[r]; from < matrix.start[r + 1];) {
      const std::uint64_t length = std::min<std::uint64_t>(longest, matrix.start[r + 1] - from);
      chunks.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(length), from});
      from += length;
    }
  std::ranges::stable_sort(chunks, {}, &Chunk::length);
  return chunks;
}

SlicedEll::SlicedEll(const CsrMatrix& matrix, const Options& options)
    : columns_(matrix.columns), rows_(matrix.rows()), entries_(matrix.entries()) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  DRIFTLESS_ASSERT(columns_ < most && rows_ < most, "row and column indices have 32 bits");
  const std::vector<Chunk> chunks = sorted_chunks(matrix, options.longest);
  std::size_t slots = 0;
  for (std::size_t first = 0; first < chunks.size(); first += lanes) {
    const std::uint32_t length = chunks[std::min(first + lanes, chunks.size()) - 1].length;  // of the longest
    if (groups_.empty() || groups_.back().length != length) groups_.push_back({length, 0});
    ++groups_.back().slices;
    slots += lanes * length;
  }
  row_.assign((chunks.size() + lanes - 1) / lanes * lanes, static_cast<std::uint32_t>(rows_));
  for (std::size_t c = 0; c < chunks.size(); ++c) row_[c] = chunks[c].row;
  if (options.longest == SIZE_MAX) {
    DRIFTLESS_ASSERT(slots <= most, "the location of a row has 32 bits");
    location_.resize(rows_);
  }
  if (!matrix.value.empty()) {
    if (options.precision == EntryPrecision::float64) values_ = std::vector<double>(slots);
    else values_ = std::vector<float>(slots);
  }
  if (columns_ <= std::numeric_limits<std::uint8_t>::max()) indices_.emplace<0>();
  else if (columns_ <= std::numeric_limits<std::uint16_t>::max()) indices_.emplace<1>();
  else indices_.emplace<2>();
  std::visit([&](auto& indices) { fill(matrix, chunks, slots, indices); }, indices_);
}

template <class Column>
void SlicedEll::fill(const CsrMatrix& matrix, std::span<const Chunk> chunks, std::size_t slots,
                     std::vector<Column>& indices) {
  indices.assign(slots, static_cast<Column>(columns_));
  std::size_t slice_start = 0;
  std::size_t next = 0;
  for (const Group& group : groups_)
    for (std::uint32_t slice = 0; slice < group.slices; ++slice, slice_start += lanes * group.length)
      for (std::size_t lane = 0; lane < lanes && next < chunks.size(); ++lane, ++next) {
        const Chunk& chunk = chunks[next];
        if (!location_.empty()) location_[chunk.row] = {static_cast<std::uint32_t>(slice_start + lane), chunk.length};
        for (std::uint32_t e = 0; e < chunk.length; ++e) {
          const std::size_t slot = slice_start + lane + lanes * e;
          indices[slot] = static_cast<Column>(matrix.column[chunk.first + e]);
          if (auto* doubles = std::get_if<std::vector<double>>(&values_))
            (*doubles)[slot] = matrix.value[chunk.first + e];
          else if (auto* floats = std::get_if<std::vector<float>>(&values_))
            (*floats)[slot] = static_cast<float>(matrix.value[chunk.first + e]);
        }
      }
}

void SlicedEll::add_product(const double* x, double scale, double* out) const {
  std::visit(
      [&](const auto& indices, const auto& values) {
        const auto* index = indices.data();
        auto factor = factors(values);
        const std::uint32_t* row = row_.data();
        double sums[lanes];
        for (const Group& group : groups_)
          for (std::uint32_t slice = 0; slice < group.slices; ++slice, row += lanes) {
            sum_slice(index, factor, group.length, x, sums);
            for (std::size_t lane = 0; lane < lanes; ++lane) out[row[lane]] += scale * sums[lane];
          }
      },
      indices_, values_);
}

void SlicedEll::add_transposed(const double* y, double scale, double* out) const {
  std::visit(
      [&](const auto& indices, const auto& values) {
        const auto* index = indices.data();
        auto factor = factors(values);
        const std::uint32_t* row = row_.data();
        double scaled[lanes];
        for (const Group& group : groups_)
          for (std::uint32_t slice = 0; slice < group.slices; ++slice, row += lanes) {
            for (std::size_t lane = 0; lane < lanes; ++lane) scaled[lane] = scale * y[row[lane]];
            scatter_slice(index, factor, group.length, scaled, out);
          }
      },
      indices_, values_);
}

void SlicedEll::copy_to(CsrMatrix& matrix) const {
  DRIFTLESS_ASSERT(location_.size() == rows_, "rows that were not split");
  matrix.columns = columns_;
  matrix.start.resize(rows_ + 1);
  matrix.start[0] = 0;
  for (std::size_t row = 0; row < rows_; ++row) matrix.start[row + 1] = matrix.start[row] + location_[row].length;
  matrix.column.resize(entries_);
  std::visit(
      [&]<class Column, class V>(const std::vector<Column>& indices, const V& values) {
        constexpr bool with_values = !std::is_same_v<V, NoValues>;
        matrix.value.resize(with_values ? entries_ : 0);
        std::size_t to = 0;
        for (const auto& [first, length] : location_)
          for (std::size_t at = first; at < first + lanes * std::size_t{length}; at += lanes, ++to) {
            matrix.column[to] = indices[at];
            if constexpr (with_values) matrix.value[to] = static_cast<double>(values[at]);
          }
      },
      indices_, values_);
}

std::size_t SlicedEll::bytes() const {
  const auto size = [](const auto& list) { return list.size() * sizeof(list[0]); };
  const std::size_t values = std::visit(
      [&]<class V>(const V& v) -> std::size_t {
        if constexpr (std::is_same_v<V, NoValues>) return 0;
        else return size(v);
      },
      values_);
  return size(groups_) + size(row_) + size(location_) + values + std::visit(size, indices_);
}

int SlicedEll::index_bits() const {
  return std::visit([](const auto& indices) { return static_cast<int>(8 * sizeof(indices[0])); }, indices_);
}

}  // namespace driftless
