#include "driftless/kernels/sliced_ell.hpp"

#include "driftless/core/random.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

// Some rows are empty, some full, the others have about one entry in `rarity`.
CsrMatrix random_matrix(std::size_t rows, std::size_t columns, double rarity, bool valued) {
  Stream chance(rows, Purpose::generator, columns);
  CsrMatrix matrix;
  matrix.columns = columns;
  for (std::size_t t = 0; t < rows; ++t) {
    const double share = chance.uniform() < 0.1 ? 1.0 : chance.uniform() / rarity;
    for (std::size_t k = 0; k < columns; ++k) {
      if (chance.uniform() >= share) continue;
      matrix.column.push_back(static_cast<std::uint32_t>(k));
      if (valued) matrix.value.push_back(chance.uniform(-1.0, 1.0));
    }
    matrix.start.push_back(matrix.column.size());
  }
  return matrix;
}

// One number more: the last belongs to the index of the padding.
std::vector<double> random_numbers(std::size_t count) {
  Stream chance(count, Purpose::generator, 3);
  std::vector<double> numbers(count + 1, 0.0);
  for (std::size_t k = 0; k < count; ++k) numbers[k] = chance.uniform(-1.0, 1.0);
  return numbers;
}

std::vector<long double> reference(const CsrMatrix& matrix, const std::vector<double>& x) {
  std::vector<long double> sums(matrix.rows(), 0.0L);
  for (std::size_t t = 0; t < matrix.rows(); ++t)
    for (std::uint64_t e = matrix.start[t]; e < matrix.start[t + 1]; ++e)
      sums[t] += (matrix.value.empty() ? 1.0L : matrix.value[e]) * x[matrix.column[e]];
  return sums;
}

struct Shape {
  std::size_t rows;
  std::size_t columns;
};
const std::vector<Shape> shapes{{0, 5}, {1, 1}, {7, 3}, {8, 255}, {9, 256}, {100, 40}, {41, 65535}, {13, 65536}};

void expect_sums(const std::vector<double>& found, const std::vector<long double>& wanted, double scale) {
  for (std::size_t t = 0; t < wanted.size(); ++t)
    EXPECT_NEAR(found[t], 0.5 + scale * static_cast<double>(wanted[t]), 1e-11) << "row " << t;
}

TEST(SlicedEll, MultipliesLikeTheMatrix) {
  for (const auto& [rows, columns] : shapes)
    for (const bool valued : {false, true})
      for (const std::size_t longest : {SIZE_MAX, std::size_t{4}}) {
        const CsrMatrix matrix = random_matrix(rows, columns, 3.0, valued);
        const SlicedEll sliced(matrix, {.longest = longest});
        const std::vector<double> x = random_numbers(columns);
        std::vector<double> out(rows + 1, 0.5);
        sliced.add_product(x.data(), 2.0, out.data());
        expect_sums(out, reference(matrix, x), 2.0);
      }
}

TEST(SlicedEll, TransposedProductIsThatOfTheTransposedMatrix) {
  for (const auto& [rows, columns] : shapes)
    for (const bool valued : {false, true}) {
      const CsrMatrix matrix = random_matrix(rows, columns, 3.0, valued);
      const std::vector<double> y = random_numbers(rows);
      std::vector<double> out(columns + 1, 0.5);
      SlicedEll(matrix, {}).add_transposed(y.data(), 2.0, out.data());
      expect_sums(out, reference(matrix.transposed(), y), 2.0);
    }
}

TEST(SlicedEll, IndicesTakeTheFewestBitsThatHoldThem) {
  EXPECT_EQ(SlicedEll(random_matrix(3, 255, 2.0, false), {}).index_bits(), 8);
  EXPECT_EQ(SlicedEll(random_matrix(3, 256, 2.0, false), {}).index_bits(), 16);
  EXPECT_EQ(SlicedEll(random_matrix(3, 65535, 2.0, false), {}).index_bits(), 16);
  EXPECT_EQ(SlicedEll(random_matrix(3, 65536, 2.0, false), {}).index_bits(), 32);
}

TEST(SlicedEll, ARowCanBeVisitedAlone) {
  for (const bool valued : {false, true}) {
    const CsrMatrix matrix = random_matrix(50, 300, 10.0, valued);
    const SlicedEll sliced(matrix, {});
    for (std::size_t t = 0; t < matrix.rows(); ++t) {
      std::uint64_t e = matrix.start[t];
      sliced.for_each_entry(t, [&](std::size_t column, double value) {
        EXPECT_EQ(column, matrix.column[e]);
        EXPECT_EQ(value, valued ? matrix.value[e] : 1.0);
        ++e;
      });
      EXPECT_EQ(e, matrix.start[t + 1]);
    }
  }
}

TEST(SlicedEll, GivesTheMatrixBack) {
  CsrMatrix back = random_matrix(30, 20, 2.0, true);  // is replaced
  for (const auto& [rows, columns] : shapes)
    for (const bool valued : {false, true}) {
      const CsrMatrix matrix = random_matrix(rows, columns, 3.0, valued);
      SlicedEll(matrix, {}).copy_to(back);
      EXPECT_EQ(back.columns, matrix.columns);
      EXPECT_EQ(back.start, matrix.start) << rows;
      EXPECT_EQ(back.column, matrix.column) << rows;
      EXPECT_EQ(back.value, matrix.value) << rows;
    }
}

TEST(SlicedEll, SinglePrecisionRoundsValuesAndNothingElse) {
  CsrMatrix matrix = random_matrix(30, 50, 2.0, true);
  const std::vector<double> x = random_numbers(50);
  std::vector<double> half(31, 0.0), rounded(31, 0.0);
  SlicedEll(matrix, {.precision = EntryPrecision::float32}).add_product(x.data(), 1.0, half.data());
  for (double& v : matrix.value) v = static_cast<float>(v);
  SlicedEll(matrix, {}).add_product(x.data(), 1.0, rounded.data());
  EXPECT_EQ(half, rounded);
}

TEST(CsrMatrix, TransposingTwiceChangesNothing) {
  const CsrMatrix matrix = random_matrix(40, 30, 3.0, true);
  const CsrMatrix back = matrix.transposed().transposed();
  EXPECT_EQ(back.start, matrix.start);
  EXPECT_EQ(back.column, matrix.column);
  EXPECT_EQ(back.value, matrix.value);
}

}  // namespace
}  // namespace driftless
