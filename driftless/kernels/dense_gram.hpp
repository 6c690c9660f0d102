// A'diag(w)A of rows that hold a number for every column, in tiles that stay in registers. The same bits with every
// instruction set: each entry is the sum over the rows in their order, and no multiplication is fused with an addition.
#pragma once

#include "driftless/kernels/dense_block.hpp"

#include <cstddef>

namespace driftless {

// The tiles on and below the diagonal, 8×8 each, row after row of tiles; (stride/8)(stride/8 + 1)/2 of them.
constexpr std::size_t gram_tile_numbers(std::size_t stride) { return 32 * (stride / 8) * (stride / 8 + 1); }

// tiles += Σ_j w_j a_j a_j'. `space` has room for twice the numbers of the block.
void add_gram_tiles(const DenseBlock<double>& block, const double* weights, double* space, double* tiles);
void add_gram_tiles(const DenseBlock<float>& block, const double* weights, double* space, double* tiles);

// The rows of the triangle up to the diagonal, one after the other, += those of the tiles.
void add_tiles_to_triangle(const double* tiles, std::size_t columns, double* triangle);

}  // namespace driftless
