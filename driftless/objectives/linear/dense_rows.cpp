#include "driftless/objectives/linear/dense_rows.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/chunks.hpp"
#include "driftless/kernels/dense_block.hpp"
#include "driftless/kernels/dense_gram.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace driftless {
namespace {

constexpr std::size_t gram_chunk_products = std::size_t{1} << 21;  // about 0.1 ms of work

}  // namespace

DenseRows::DenseRows(const RowsView& data, RowList rows, const RowsOptions& options)
    : dim_(data.dim()), stride_(padded(static_cast<std::size_t>(data.dim()))) {
  check_rows(data, rows);
  make_blocks(rows.size());
  if (options.precision == EntryPrecision::float32) entries_.emplace<std::vector<float>>();
  std::visit([&](auto& entries) { fill(data, rows, entries); }, entries_);
}

DenseRows::DenseRows(std::size_t rows, Index dim, std::vector<double> entries)
    : dim_(dim), stride_(padded(static_cast<std::size_t>(dim))) {
  DRIFTLESS_ASSERT(entries.size() == rows * stride_, "rows are padded");
  make_blocks(rows);
  std::vector<bool> used(static_cast<std::size_t>(dim), false);
  for (std::size_t j = 0; j < rows && used_columns_ < dim; ++j)
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k] && entries[j * stride_ + k] != 0.0) {
        used[k] = true;
        ++used_columns_;
      }
  entries_.emplace<std::vector<double>>(std::move(entries));
}

void DenseRows::make_blocks(std::size_t rows) {
  constexpr std::size_t block_numbers = 1 << 14;  // 128 KiB: a pass reads a block twice, the second time from the cache
  const std::size_t block_rows = std::clamp<std::size_t>(block_numbers / std::max<std::size_t>(8, stride_), 8, 4096);
  blocks_ = RowBlocks(rows, block_rows, worthwhile_chunks(rows, rows * stride_, stride_));
  // A tile is read and written once per block, and tiles of a chunk should not take more room than its rows.
  constexpr std::size_t gram_rows = 128;
  const std::size_t tiles = std::max<std::size_t>(1, gram_tile_numbers(stride_));
  const std::size_t gram_chunks = std::min(rows * stride_ / tiles, rows * tiles / gram_chunk_products);
  gram_blocks_ = RowBlocks(rows, std::max(block_rows, gram_rows), std::min<std::size_t>(gram_chunks, 16));
}

template <class Number>
void DenseRows::fill(const RowsView& data, RowList rows, std::vector<Number>& entries) {
  entries.assign(rows.size() * stride_, Number{0});
  std::vector<bool> used(static_cast<std::size_t>(dim_), false);
  for (std::size_t j = 0; j < rows.size(); ++j)
    data.for_each_entry(static_cast<std::size_t>(rows[j]), [&](std::size_t column, double value) {
      entries[j * stride_ + column] = static_cast<Number>(value);
      used[column] = true;
    });
  used_columns_ = static_cast<Index>(std::ranges::count(used, true));
}

std::string DenseRows::layout() const {
  std::string text =
      std::holds_alternative<std::vector<float>>(entries_) ? "dense rows in single precision" : "dense rows";
  if (blocks_.count() > 1)
    text += "; " + std::to_string(blocks_.count()) + " blocks of " + std::to_string(blocks_.size(0)) + " rows";
  return text;
}

std::size_t DenseRows::bytes() const {
  return std::visit([](const auto& entries) { return entries.size() * sizeof(entries[0]); }, entries_);
}

template <class Use>
void DenseRows::with_rows(std::size_t first, std::size_t count, const Use& use) const {
  std::visit(
      [&]<class Number>(const std::vector<Number>& entries) {
        use(DenseBlock<Number>{entries.data() + first * stride_, count, stride_});
      },
      entries_);
}

void DenseRows::spread(VecIn x, double* source) const {
  std::copy_n(x.data(), static_cast<std::size_t>(dim_), source);
  std::fill(source + dim_, source + stride_ + 1, 0.0);
}

void DenseRows::add_products(std::size_t block, const double* source, double* z) const {
  with_rows(blocks_.first(block), blocks_.size(block), [&](const auto& rows) { add_row_products(rows, source, z); });
}

void DenseRows::add_transposed(std::size_t block, const double* y, double* sum) const {
  with_rows(blocks_.first(block), blocks_.size(block), [&](const auto& rows) { add_scaled_rows(rows, y, sum); });
}

void DenseRows::add_squares(std::size_t block, const double* y, double* sum) const {
  with_rows(blocks_.first(block), blocks_.size(block), [&](const auto& rows) {
    for (std::size_t j = 0; j < rows.rows; ++j)
      for (std::size_t k = 0; k < stride_; ++k) {
        const auto entry = static_cast<double>(rows.entries[j * stride_ + k]);
        sum[k] += y[j] * entry * entry;
      }
  });
}

// Every chunk sums the tiles of its blocks, and the chunks are added in their order.
void DenseRows::add_gram(const double* weights, double* triangle) const {
  const std::size_t size = gram_tile_numbers(stride_);
  const std::size_t chunks = gram_blocks_.chunks();
  const std::span<double> tiles = scratch<DenseRows>(size * chunks);
  std::ranges::fill(tiles, 0.0);
  const auto run = [&](std::size_t chunk) {
    for (std::size_t b = gram_blocks_.first_of_chunk(chunk); b < gram_blocks_.first_of_chunk(chunk + 1); ++b)
      with_rows(gram_blocks_.first(b), gram_blocks_.size(b), [&](const auto& rows) {
        const std::span<double> space = scratch<RowBlocks>(2 * rows.rows * stride_);
        add_gram_tiles(rows, weights + gram_blocks_.first(b), space.data(), tiles.data() + size * chunk);
      });
  };
  if (chunks == 1) run(0);
  else for_each_chunk(chunks, std::ref(run));
  for (std::size_t chunk = 1; chunk < chunks; ++chunk)
    for (std::size_t k = 0; k < size; ++k) tiles[k] += tiles[size * chunk + k];
  add_tiles_to_triangle(tiles.data(), static_cast<std::size_t>(dim_), triangle);
}

void DenseRows::collect(double* sum, VecOut g) const {
  for (Index k = 0; k < dim_; ++k) g[k] += sum[k];
}

double DenseRows::dot(std::size_t row, const double* x) const {
  double product = 0.0;
  with_rows(row, 1, [&](const auto& one) { add_row_products(one, x, &product); });
  return product;
}

void DenseRows::add(std::size_t row, double scale, double* g) const {
  with_rows(row, 1, [&](const auto& one) { add_scaled_rows(one, &scale, g); });
}

}  // namespace driftless
