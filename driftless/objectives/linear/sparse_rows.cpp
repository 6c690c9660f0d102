#include "driftless/objectives/linear/sparse_rows.hpp"

#include "driftless/core/text.hpp"
#include "driftless/objectives/linear/dictionary_codes.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <algorithm>

namespace driftless {
namespace {

// Longer columns are cut, so that the eight columns of a slice have similar lengths.
constexpr std::size_t longest_column = 32;
// Entries per column from which A'y is faster by columns than by scattering rows; measured.
constexpr std::size_t column_storage_pays = 4;

// Rows of a block. Their predictions and indices fit into the first-level cache; wide data gets larger blocks, so that
// a column has enough entries in each block.
std::size_t block_rows(std::size_t rows, std::size_t entries, std::size_t width) {
  constexpr std::size_t usual = 4096;
  constexpr std::size_t most = 32768;
  std::size_t size = usual;
  while (size < most && entries * size < 8 * width * rows) size *= 2;
  return size;
}

Index count_used(const CsrMatrix& matrix) {
  std::vector<bool> used(matrix.columns, false);
  for (const std::uint32_t column : matrix.column) used[column] = true;
  return static_cast<Index>(std::ranges::count(used, true));
}

// What decides on the storage of rows, from one pass over them.
struct Survey {
  std::size_t entries = 0;
  Index used_columns = 0;
  std::optional<double> common = 1.0;  // the value of all entries, if they have one in common
  std::size_t gram_passes = 0;
};

// A product A'A has Σ_j n_j (n_j + 1)/2 products for rows of n_j entries, where a pass has two for each entry.
Survey survey_of(const RowsView& data, RowList rows) {
  Survey survey;
  std::vector<bool> used(static_cast<std::size_t>(data.dim()), false);
  std::size_t products = 0;
  for (const std::int32_t row : rows) {
    const std::size_t before = survey.entries;
    data.for_each_entry(static_cast<std::size_t>(row), [&](std::size_t column, double value) {
      used[column] = true;
      if (survey.entries++ == 0) survey.common = value;
      if (survey.common && value != *survey.common) survey.common.reset();
    });
    const std::size_t entries = survey.entries - before;
    products += entries * (entries + 1) / 2;
  }
  const std::size_t pass = std::max<std::size_t>(1, 2 * survey.entries);
  survey.gram_passes = (products + pass - 1) / pass;
  survey.used_columns = static_cast<Index>(std::ranges::count(used, true));
  return survey;
}

CsrMatrix matrix_of(const RowsView& data, RowList rows, bool with_values) {
  CsrMatrix matrix;
  matrix.columns = static_cast<std::size_t>(data.dim());
  matrix.start.reserve(rows.size() + 1);
  for (const std::int32_t row : rows) {
    data.for_each_entry(static_cast<std::size_t>(row), [&](std::size_t column, double value) {
      matrix.column.push_back(static_cast<std::uint32_t>(column));
      if (with_values) matrix.value.push_back(value);
    });
    matrix.start.push_back(matrix.column.size());
  }
  return matrix;
}

CsrMatrix some_rows(const CsrMatrix& all, std::size_t first, std::size_t count) {
  CsrMatrix some;
  some.columns = all.columns;
  const std::uint64_t begin = all.start[first];
  const std::uint64_t end = all.start[first + count];
  for (std::size_t t = first; t < first + count; ++t) some.start.push_back(all.start[t + 1] - begin);
  const auto cut = [&](const auto& from, auto& to) {
    if (!from.empty())
      to.assign(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  cut(all.column, some.column);
  cut(all.value, some.value);
  return some;
}

}  // namespace

// Rows are read block by block. Only the search for dictionary codes, which stores no values, needs all at once.
SparseRows::SparseRows(const RowsView& data, RowList rows, const RowsOptions& options) : dim_(data.dim()) {
  check_rows(data, rows);
  const Survey survey = survey_of(data, rows);
  used_columns_ = survey.used_columns;
  gram_passes_ = survey.gram_passes;
  has_values_ = !survey.common;
  scale_ = survey.common.value_or(1.0);
  const bool may_merge = !has_values_ && options.codes != CodeUse::never;
  const std::optional<DictionaryCodes> found =
      may_merge ? find_dictionary_codes(matrix_of(data, rows, false), options.codes == CodeUse::always) : std::nullopt;
  if (!found) {
    const auto read = [&](std::size_t first, std::size_t count) {
      return matrix_of(data, rows.subspan(first, count), has_values_);
    };
    make_blocks(rows.size(), survey.entries, static_cast<std::size_t>(dim_), read, options);
    return;
  }
  const CsrMatrix codes_of_column = found->columns_of_code.transposed();
  codes_ = Codes{SlicedEll(found->columns_of_code, {}), SlicedEll(codes_of_column, {.longest = longest_column})};
  const CsrMatrix& codes = found->codes_of_row;
  const auto cut = [&](std::size_t first, std::size_t count) { return some_rows(codes, first, count); };
  make_blocks(codes.rows(), codes.entries(), codes.columns, cut, options);
}

void SparseRows::make_blocks(std::size_t rows, std::size_t entries, std::size_t columns, const BlockOfRows& rows_of,
                             const RowsOptions& options) {
  blocks_ = RowBlocks(rows, block_rows(rows, entries, columns), worthwhile_chunks(rows, entries, columns));
  for (std::size_t b = 0; b < blocks_.count(); ++b) {
    const CsrMatrix matrix = rows_of(blocks_.first(b), blocks_.size(b));
    Block& block = matrices_.emplace_back(Block{SlicedEll(matrix, {.precision = options.precision}), std::nullopt});
    if (matrix.entries() >= column_storage_pays * static_cast<std::size_t>(count_used(matrix)))
      block.columns.emplace(matrix.transposed(),
                            SlicedEll::Options{.precision = options.precision, .longest = longest_column});
  }
}

std::string SparseRows::layout() const {
  if (matrices_.empty()) return "no rows";
  const Block& block = matrices_.front();
  std::string text = codes_ ? std::to_string(width()) + " dictionary codes of one-hot columns" : "indices of entries";
  text += ", " + std::to_string(block.rows.index_bits()) + " bits each";
  if (has_values_) text += ", with values";
  else if (scale_ != 1.0) text += ", all entries " + number(scale_);
  text += block.columns ? ", by rows and by columns" : ", by rows";
  if (blocks_.count() > 1)
    text += "; " + std::to_string(blocks_.count()) + " blocks of " + std::to_string(blocks_.size(0)) + " rows";
  return text;
}

std::size_t SparseRows::bytes() const {
  std::size_t sum = codes_ ? codes_->columns.bytes() + codes_->codes.bytes() : 0;
  for (const Block& block : matrices_) sum += block.rows.bytes() + (block.columns ? block.columns->bytes() : 0);
  return sum;
}

std::size_t SparseRows::entries() const {
  std::size_t sum = codes_ ? codes_->columns.entries() : 0;
  for (const Block& block : matrices_) sum += block.rows.entries();
  return sum;
}

void SparseRows::spread(VecIn x, double* source) const {
  const auto dim = static_cast<std::size_t>(dim_);
  if (!codes_) {
    std::copy_n(x.data(), dim, source);
    source[dim] = 0.0;
    return;
  }
  const std::span<double> point = scratch<SparseRows>(dim + 1);
  std::copy_n(x.data(), dim, point.data());
  point[dim] = 0.0;
  std::fill_n(source, width() + 1, 0.0);
  codes_->columns.add_product(point.data(), 1.0, source);
  source[width()] = 0.0;
}

void SparseRows::add_products(std::size_t block, const double* source, double* z) const {
  matrices_[block].rows.add_product(source, scale_, z);
}

void SparseRows::sum_transposed(const Block& block, const double* y, double scale, double* sum) const {
  if (block.columns) block.columns->add_product(y, scale, sum);
  else block.rows.add_transposed(y, scale, sum);
}

void SparseRows::add_transposed(std::size_t block, const double* y, double* sum) const {
  sum_transposed(matrices_[block], y, scale_, sum);
}

void SparseRows::add_squares(std::size_t block, const double* y, double* sum) const {
  if (!has_values_) {
    sum_transposed(matrices_[block], y, scale_ * scale_, sum);
    return;
  }
  for (std::size_t j = 0; j < blocks_.size(block); ++j)
    matrices_[block].rows.for_each_entry(
        j, [&](std::size_t column, double value) { sum[column] += y[j] * value * value; });
}

void SparseRows::collect(double* sum, VecOut g) const {
  const auto dim = static_cast<std::size_t>(dim_);
  if (!codes_) {
    for (std::size_t k = 0; k < dim; ++k) g[static_cast<Index>(k)] += sum[k];
    return;
  }
  sum[width()] = 0.0;
  const std::span<double> columns = scratch<SparseRows>(dim + 1);
  std::ranges::fill(columns, 0.0);
  codes_->codes.add_product(sum, 1.0, columns.data());
  for (std::size_t k = 0; k < dim; ++k) g[static_cast<Index>(k)] += columns[k];
}

template <class Visit>
void SparseRows::for_each_entry(std::size_t row, const Visit& visit) const {
  const std::size_t block = blocks_.block_of(row);
  const SlicedEll& matrix = matrices_[block].rows;
  const std::size_t row_in_block = row - blocks_.first(block);
  if (!codes_) {
    matrix.for_each_entry(row_in_block, visit);
    return;
  }
  matrix.for_each_entry(row_in_block, [&](std::size_t code, double) { codes_->columns.for_each_entry(code, visit); });
}

double SparseRows::dot(std::size_t row, const double* x) const {
  double sum = 0.0;
  for_each_entry(row, [&](std::size_t column, double value) { sum += value * x[column]; });
  return scale_ * sum;
}

void SparseRows::add(std::size_t row, double scale, double* g) const {
  const double factor = scale * scale_;
  for_each_entry(row, [&](std::size_t column, double value) { g[column] += factor * value; });
}

// The rows of a block with their columns in order, for use until the next call in this thread.
const CsrMatrix& SparseRows::sorted_rows(std::size_t block) const {
  thread_local CsrMatrix rows;
  if (!codes_) {
    matrices_[block].rows.copy_to(rows);
    return rows;
  }
  thread_local CsrMatrix codes_of_row, columns_of_code;
  matrices_[block].rows.copy_to(codes_of_row);
  codes_->columns.copy_to(columns_of_code);
  rows.start.assign(1, 0);
  rows.column.clear();
  rows.value.clear();
  for (std::size_t row = 0; row < codes_of_row.rows(); ++row) {
    for (std::uint64_t c = codes_of_row.start[row]; c < codes_of_row.start[row + 1]; ++c) {
      const std::uint32_t code = codes_of_row.column[c];
      for (std::uint64_t e = columns_of_code.start[code]; e < columns_of_code.start[code + 1]; ++e)
        rows.column.push_back(columns_of_code.column[e]);
    }
    std::sort(rows.column.begin() + static_cast<std::ptrdiff_t>(rows.start.back()), rows.column.end());
    rows.start.push_back(rows.column.size());
  }
  return rows;
}

void SparseRows::add_gram(const double* weights, double* triangle) const {
  const double square = scale_ * scale_;
  for (std::size_t block = 0; block < blocks_.count(); ++block) {
    const CsrMatrix& rows = sorted_rows(block);
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const std::uint64_t first = rows.start[row];
      const double weight = weights[blocks_.first(block) + row] * square;
      for (std::uint64_t a = first; a < rows.start[row + 1]; ++a) {
        const std::size_t column = rows.column[a];
        double* out = triangle + column * (column + 1) / 2;
        const double scaled = has_values_ ? weight * rows.value[a] : weight;
        if (has_values_)
          for (std::uint64_t b = first; b <= a; ++b) out[rows.column[b]] += scaled * rows.value[b];
        else
          for (std::uint64_t b = first; b <= a; ++b) out[rows.column[b]] += scaled;
      }
    }
  }
}

}  // namespace driftless
