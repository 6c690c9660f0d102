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

// Rows of a block. Their predictions and indices fit into the first-level cache; wide data gets larger blocks, so that a
// column has enough entries in each block.
std::size_t block_rows(std::size_t rows, std::size_t entries, std::size_t width) {
  constexpr std::size_t usual = 4096;
  constexpr std::size_t most = 32768;
  std::size_t size = usual;
  while (size < most && entries * size < 8 * width * rows) size *= 2;
  return size;
}

Index count_used(const ListsOfPlaces& lists) {
  std::vector<bool> used(lists.sources, false);
  for (const std::uint32_t column : lists.place) used[column] = true;
  return static_cast<Index>(std::ranges::count(used, true));
}

ListsOfPlaces some_rows(const ListsOfPlaces& all, std::size_t first, std::size_t count) {
  ListsOfPlaces some;
  some.sources = all.sources;
  const std::uint64_t begin = all.start[first];
  const std::uint64_t end = all.start[first + count];
  for (std::size_t t = first; t < first + count; ++t) some.start.push_back(all.start[t + 1] - begin);
  const auto cut = [&](const auto& from, auto& to) {
    if (!from.empty())
      to.assign(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  cut(all.place, some.place);
  cut(all.value, some.value);
  return some;
}

}  // namespace

SparseRows::SparseRows(const Dataset& data, RowList rows, const RowsOptions& options) : dim_(data.dim) {
  ListsOfPlaces lists;
  read(data, rows, lists);
  used_columns_ = count_used(lists);
  const bool may_merge = !has_values_ && options.codes != CodeUse::never;
  const std::optional<DictionaryCodes> found =
      may_merge ? find_dictionary_codes(lists, options.codes == CodeUse::always) : std::nullopt;
  if (found) {
    const ListsOfPlaces codes_of_column = found->columns_of_code.transposed();
    codes_ = Codes{IndexLists(found->columns_of_code, {}), IndexLists(codes_of_column, {.longest = longest_column})};
  }
  make_blocks(found ? found->codes_of_row : lists, options);
}

void SparseRows::read(const Dataset& data, RowList rows, ListsOfPlaces& lists) {
  lists.sources = static_cast<std::size_t>(dim_);
  lists.start.reserve(rows.size() + 1);
  for (const std::int32_t row : rows) {
    const auto [begin, end] = entries_of(data, row);
    lists.start.push_back(lists.start.back() + (end - begin));
  }
  lists.place.reserve(lists.start.back());
  lists.value.reserve(lists.start.back());
  for (const std::int32_t row : rows) {
    const auto [begin, end] = entries_of(data, row);
    lists.place.insert(lists.place.end(), data.column.begin() + static_cast<std::ptrdiff_t>(begin),
                       data.column.begin() + static_cast<std::ptrdiff_t>(end));
    lists.value.insert(lists.value.end(), data.value.begin() + static_cast<std::ptrdiff_t>(begin),
                       data.value.begin() + static_cast<std::ptrdiff_t>(end));
  }
  if (const std::optional<double> common = common_value(lists.value)) {
    scale_ = *common;
    lists.value.clear();
  }
  has_values_ = !lists.value.empty();
}

void SparseRows::make_blocks(const ListsOfPlaces& lists, const RowsOptions& options) {
  blocks_ = RowBlocks(lists.targets(), block_rows(lists.targets(), lists.entries(), lists.sources),
                      worthwhile_chunks(lists.targets(), lists.entries(), lists.sources));
  for (std::size_t b = 0; b < blocks_.count(); ++b) {
    const ListsOfPlaces rows = some_rows(lists, blocks_.first(b), blocks_.size(b));
    Block& block = lists_.emplace_back(Block{IndexLists(rows, {.precision = options.precision}), std::nullopt});
    if (rows.entries() >= column_storage_pays * static_cast<std::size_t>(count_used(rows)))
      block.columns.emplace(rows.transposed(),
                            IndexLists::Options{.precision = options.precision, .longest = longest_column});
  }
}

std::string SparseRows::layout() const {
  if (lists_.empty()) return "no rows";
  const Block& block = lists_.front();
  std::string text = codes_ ? std::to_string(width()) + " dictionary codes of one-hot columns" : "indices of entries";
  text += ", " + std::to_string(block.rows.place_bits()) + " bits each";
  if (has_values_) text += ", with values";
  else if (scale_ != 1.0) text += ", all entries " + number(scale_);
  text += block.columns ? ", by rows and by columns" : ", by rows";
  if (blocks_.count() > 1)
    text += "; " + std::to_string(blocks_.count()) + " blocks of " + std::to_string(blocks_.size(0)) + " rows";
  return text;
}

std::size_t SparseRows::bytes() const {
  std::size_t sum = codes_ ? codes_->columns.bytes() + codes_->codes.bytes() : 0;
  for (const Block& block : lists_) sum += block.rows.bytes() + (block.columns ? block.columns->bytes() : 0);
  return sum;
}

std::size_t SparseRows::entries() const {
  std::size_t sum = codes_ ? codes_->columns.entries() : 0;
  for (const Block& block : lists_) sum += block.rows.entries();
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
  codes_->columns.add_sums(point.data(), 1.0, source);
  source[width()] = 0.0;
}

void SparseRows::add_products(std::size_t block, const double* source, double* z) const {
  lists_[block].rows.add_sums(source, scale_, z);
}

void SparseRows::sum_transposed(const Block& block, const double* y, double scale, double* sum) const {
  if (block.columns) block.columns->add_sums(y, scale, sum);
  else block.rows.scatter_sums(y, scale, sum);
}

void SparseRows::add_transposed(std::size_t block, const double* y, double* sum) const {
  sum_transposed(lists_[block], y, scale_, sum);
}

void SparseRows::add_squares(std::size_t block, const double* y, double* sum) const {
  if (!has_values_) {
    sum_transposed(lists_[block], y, scale_ * scale_, sum);
    return;
  }
  for (std::size_t j = 0; j < blocks_.size(block); ++j)
    lists_[block].rows.for_each_entry(j, [&](std::size_t column, double value) { sum[column] += y[j] * value * value; });
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
  codes_->codes.add_sums(sum, 1.0, columns.data());
  for (std::size_t k = 0; k < dim; ++k) g[static_cast<Index>(k)] += columns[k];
}

template <class Visit>
void SparseRows::for_each_entry(std::size_t row, const Visit& visit) const {
  const std::size_t block = blocks_.block_of(row);
  const IndexLists& lists = lists_[block].rows;
  const std::size_t target = row - blocks_.first(block);
  if (!codes_) {
    lists.for_each_entry(target, visit);
    return;
  }
  lists.for_each_entry(target, [&](std::size_t code, double) { codes_->columns.for_each_entry(code, visit); });
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

}  // namespace driftless
