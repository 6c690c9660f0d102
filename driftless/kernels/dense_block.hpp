// Products with rows that hold a number for every column, one row after the other, each filled up to a whole number of
// eight. The same bits with every instruction set: sums have eight lanes, and no multiplication is fused with an
// addition. Rows may be kept in single precision; all arithmetic is double.
#pragma once

#include <cstddef>

namespace driftless {

template <class Number>
struct DenseBlock {
  const Number* entries;
  std::size_t rows;
  std::size_t stride;            // numbers from one row to the next: a multiple of eight
  std::size_t columns = stride;  // that products read, from the first: a multiple of eight
};

// out_j += ⟨row j, x⟩; x has `columns` numbers.
void add_row_products(const DenseBlock<double>& block, const double* x, double* out);
void add_row_products(const DenseBlock<float>& block, const double* x, double* out);

// out += Σ_j scale_j · row j; out has `columns` numbers.
void add_scaled_rows(const DenseBlock<double>& block, const double* scales, double* out);
void add_scaled_rows(const DenseBlock<float>& block, const double* scales, double* out);

}  // namespace driftless
