#include "driftless/kernels/packed_symmetric.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/chunks.hpp"
#include "driftless/kernels/lane_sum.hpp"

#include <algorithm>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "driftless/kernels/packed_symmetric.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef DRIFTLESS_KERNELS_PACKED_SYMMETRIC_ONCE
#define DRIFTLESS_KERNELS_PACKED_SYMMETRIC_ONCE
namespace driftless {

inline constexpr std::size_t panel_rows = 4;  // that share a pass over x and y
// Where registers are narrower than eight numbers a panel is read once per register's worth of lanes, so many columns
// at a time: they stay in the first cache.
inline constexpr std::size_t columns_at_once = 256;
// How far ahead every row is asked for, beyond what the processor does by itself.
inline constexpr std::size_t columns_ahead = 64;

// Each of the 8 rows of block b has b + 1 times 8 columns.
constexpr std::size_t width_of(std::size_t block) { return (block + 1) * sum_lanes; }
constexpr std::size_t begin_of(std::size_t block) { return sum_lanes * sum_lanes * (block * (block + 1) / 2); }

}  // namespace driftless
#endif

HWY_BEFORE_NAMESPACE();
namespace driftless::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, sum_lanes>;
using Reals = hn::Vec<Lanes>;
constexpr Lanes tag;

// Columns `from` to `to` of four rows that are `stride` apart: y += A'x_rows and sums += A x, in the lanes from `lane`
// on.
HWY_INLINE void both_ways(const double* a, std::size_t stride, std::size_t from, std::size_t to, std::size_t lane,
                          const double* x, const double* x_rows, double* y, double* sums) {
  const Reals x0 = hn::Set(tag, x_rows[0]);
  const Reals x1 = hn::Set(tag, x_rows[1]);
  const Reals x2 = hn::Set(tag, x_rows[2]);
  const Reals x3 = hn::Set(tag, x_rows[3]);
  Reals sum0 = hn::Load(tag, sums + lane);
  Reals sum1 = hn::Load(tag, sums + lane + sum_lanes);
  Reals sum2 = hn::Load(tag, sums + lane + 2 * sum_lanes);
  Reals sum3 = hn::Load(tag, sums + lane + 3 * sum_lanes);
  for (std::size_t j = from + lane; j < to; j += sum_lanes) {
    if (lane == 0)
      for (std::size_t row = 0; row < panel_rows; ++row) hwy::Prefetch(a + row * stride + j + columns_ahead);
    const Reals a0 = hn::Load(tag, a + j);
    const Reals a1 = hn::Load(tag, a + stride + j);
    const Reals a2 = hn::Load(tag, a + 2 * stride + j);
    const Reals a3 = hn::Load(tag, a + 3 * stride + j);
    const Reals x_j = hn::Load(tag, x + j);
    sum0 = hn::Add(sum0, hn::Mul(a0, x_j));
    sum1 = hn::Add(sum1, hn::Mul(a1, x_j));
    sum2 = hn::Add(sum2, hn::Mul(a2, x_j));
    sum3 = hn::Add(sum3, hn::Mul(a3, x_j));
    const Reals upper = hn::Add(hn::Mul(a0, x0), hn::Mul(a1, x1));
    const Reals lower = hn::Add(hn::Mul(a2, x2), hn::Mul(a3, x3));
    hn::Store(hn::Add(hn::Load(tag, y + j), hn::Add(upper, lower)), tag, y + j);
  }
  hn::Store(sum0, tag, sums + lane);
  hn::Store(sum1, tag, sums + lane + sum_lanes);
  hn::Store(sum2, tag, sums + lane + 2 * sum_lanes);
  hn::Store(sum3, tag, sums + lane + 3 * sum_lanes);
}

// sums += A x for the columns of the diagonal, and with that y of the panel's rows.
HWY_INLINE void finish_rows(const double* a, std::size_t stride, const double* x, double* sums, double* y_rows) {
  for (std::size_t row = 0; row < panel_rows; ++row) {
    double* sum = sums + row * sum_lanes;
    for (std::size_t lane = 0; lane < sum_lanes; lane += hn::Lanes(tag)) {
      const Reals term = hn::Mul(hn::Load(tag, a + row * stride + lane), hn::Load(tag, x + lane));
      hn::Store(hn::Add(hn::Load(tag, sum + lane), term), tag, sum + lane);
    }
    y_rows[row] = folded(sum);
  }
}

// What the blocks first … last − 1 add to y. Entries of y beyond them are not touched.
void some_blocks(const double* entries, std::size_t first, std::size_t last, const double* x, double* y) {
  std::fill_n(y, first * sum_lanes, 0.0);
  for (std::size_t row = first * sum_lanes; row < last * sum_lanes; row += panel_rows) {
    const std::size_t block = row / sum_lanes;
    const std::size_t diagonal = block * sum_lanes;  // where its columns begin
    const std::size_t stride = width_of(block);
    const double* a = entries + begin_of(block) + (row - diagonal) * stride;
    alignas(64) double sums[panel_rows * sum_lanes] = {};
    for (std::size_t from = 0; from < diagonal; from += columns_at_once)
      for (std::size_t lane = 0; lane < sum_lanes; lane += hn::Lanes(tag))
        both_ways(a, stride, from, std::min(from + columns_at_once, diagonal), lane, x, x + row, y, sums);
    finish_rows(a + diagonal, stride, x + diagonal, sums, y + row);
  }
}

// y ← the sum of the results of the chunks, each in a row of `stride`; chunk k has the blocks before bounds[k + 1].
void add_chunks(const double* rows, std::size_t stride, const std::size_t* bounds, std::size_t chunks, double* y) {
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (std::size_t at = bounds[chunk] * sum_lanes; at < bounds[chunk + 1] * sum_lanes; at += hn::Lanes(tag)) {
      Reals sum = hn::Load(tag, rows + chunk * stride + at);
      for (std::size_t other = chunk + 1; other < chunks; ++other)
        sum = hn::Add(sum, hn::Load(tag, rows + other * stride + at));
      hn::Store(sum, tag, y + at);
    }
}

}  // namespace
}  // namespace driftless::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace driftless {
namespace {

HWY_EXPORT(some_blocks);
HWY_EXPORT(add_chunks);

// Enough for many threads to work on a large matrix, few enough that adding their results costs little.
constexpr std::size_t most_chunks = 8;
constexpr std::size_t smallest_chunk = std::size_t{1} << 16;  // entries: half a megabyte

// Splits the blocks 0 … count − 1 of a triangle into chunks of about equal area.
std::vector<std::size_t> equal_areas(std::size_t count) {
  const std::size_t chunks = std::clamp<std::size_t>(begin_of(count) / smallest_chunk, 1, most_chunks);
  std::vector<std::size_t> bounds{0};
  for (std::size_t chunk = 1; chunk <= chunks; ++chunk) {
    std::size_t bound = bounds.back();
    while (begin_of(bound) * chunks < begin_of(count) * chunk) ++bound;
    bounds.push_back(bound);
  }
  return bounds;
}

// Scratch of one product of a thread; it grows with the largest matrix. Other threads write their chunks into it.
double* scratch_for(std::size_t numbers) {
  thread_local AlignedNumbers scratch;
  if (scratch.size() < numbers) scratch = AlignedNumbers(numbers);
  return scratch.data();
}

}  // namespace

PackedSymmetric::PackedSymmetric(const Matrix& lower) : dim_(lower.rows()) {
  DRIFTLESS_ASSERT(lower.rows() == lower.cols(), "a symmetric matrix is square");
  bounds_ = equal_areas((static_cast<std::size_t>(dim_) + sum_lanes - 1) / sum_lanes);
  entries_ = AlignedNumbers(begin_of(blocks()) + columns_ahead);
  for (Index column = 0; column < dim_; ++column) {
    for (Index row = column; row < dim_; ++row) entries_.data()[offset(row, column)] = lower(row, column);
    // On the diagonal of blocks both triangles are stored.
    const Index block_end = std::min<Index>(dim_, (column / 8 + 1) * 8);
    for (Index row = column + 1; row < block_end; ++row) entries_.data()[offset(column, row)] = lower(row, column);
  }
}

std::size_t PackedSymmetric::offset(Index row, Index column) const {
  const auto i = static_cast<std::size_t>(row);
  const auto j = static_cast<std::size_t>(column);
  const std::size_t block = i / sum_lanes;
  return begin_of(block) + i % sum_lanes * width_of(block) + j;
}

Matrix PackedSymmetric::full() const {
  Matrix a(dim_, dim_);
  for (Index column = 0; column < dim_; ++column)
    for (Index row = column; row < dim_; ++row) a(row, column) = a(column, row) = entries_.data()[offset(row, column)];
  return a;
}

Vector PackedSymmetric::diagonal() const {
  Vector d(dim_);
  for (Index k = 0; k < dim_; ++k) d[k] = entries_.data()[offset(k, k)];
  return d;
}

void PackedSymmetric::copy_triangle(double* triangle) const {
  for (Index row = 0; row < dim_; ++row)
    for (Index column = 0; column <= row; ++column) *triangle++ = entries_.data()[offset(row, column)];
}

void PackedSymmetric::product(VecIn x, VecOut out) const {
  DRIFTLESS_ASSERT(x.size() == dim_ && out.size() == dim_, "vectors that fit the matrix");
  const std::size_t stride = blocks() * sum_lanes;
  struct {
    const PackedSymmetric& a;
    std::size_t stride;
    double* x;  // padded with zeros; the rows of the chunks follow
  } task{*this, stride, scratch_for((chunks() + 1) * stride)};
  std::copy_n(x.data(), x.size(), task.x);
  std::fill(task.x + dim_, task.x + stride, 0.0);
  for_each_chunk(chunks(), [&task](std::size_t chunk) {
    const std::vector<std::size_t>& bounds = task.a.bounds_;
    HWY_DYNAMIC_DISPATCH(some_blocks)
    (task.a.entries_.data(), bounds[chunk], bounds[chunk + 1], task.x, task.x + (chunk + 1) * task.stride);
  });
  HWY_DYNAMIC_DISPATCH(add_chunks)(task.x + stride, stride, bounds_.data(), chunks(), task.x);
  std::copy_n(task.x, dim_, out.data());
}

}  // namespace driftless
#endif
