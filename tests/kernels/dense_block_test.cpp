#include "driftless/kernels/dense_block.hpp"

#include "driftless/core/random.hpp"

#include "tests/kernels/every_simd.hpp"

#include <vector>

namespace driftless {
namespace {

template <class Number>
std::vector<Number> random_numbers(std::size_t count, std::uint64_t seed) {
  Stream chance(seed, Purpose::generator, count);
  std::vector<Number> numbers(count);
  for (Number& x : numbers) x = static_cast<Number>(chance.uniform(-1.0, 1.0));
  return numbers;
}

template <class Number>
class DenseBlockKernel : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(DenseBlockKernel, Numbers);

TYPED_TEST(DenseBlockKernel, AgreesWithTheDefinition) {
  for (const std::size_t rows : {0U, 1U, 3U, 4U, 9U})
    for (const std::size_t stride : {8U, 16U, 104U}) {
      const auto entries = random_numbers<TypeParam>(rows * stride, 1);
      const auto x = random_numbers<double>(stride, 2);
      const auto y = random_numbers<double>(rows, 3);
      with_every_simd([&] {
        std::vector<double> z(rows, 0.5), sum(stride, 0.5);
        add_row_products({entries.data(), rows, stride}, x.data(), z.data());
        add_scaled_rows({entries.data(), rows, stride}, y.data(), sum.data());
        for (std::size_t j = 0; j < rows; ++j) {
          long double product = 0.5L;
          for (std::size_t k = 0; k < stride; ++k) product += static_cast<long double>(entries[j * stride + k]) * x[k];
          EXPECT_NEAR(z[j], static_cast<double>(product), 1e-14);
        }
        for (std::size_t k = 0; k < stride; ++k) {
          long double column = 0.5L;
          for (std::size_t j = 0; j < rows; ++j) column += static_cast<long double>(entries[j * stride + k]) * y[j];
          EXPECT_NEAR(sum[k], static_cast<double>(column), 1e-14);
        }
      });
    }
}

TYPED_TEST(DenseBlockKernel, ReadsTheFirstColumnsAlone) {
  const auto entries = random_numbers<TypeParam>(std::size_t{5} * 24, 1);
  const auto x = random_numbers<double>(24, 2);
  for (const std::size_t columns : {8U, 16U}) {
    std::vector<TypeParam> narrow;
    for (std::size_t j = 0; j < 5; ++j)
      narrow.insert(narrow.end(), entries.begin() + static_cast<std::ptrdiff_t>(j * 24),
                    entries.begin() + static_cast<std::ptrdiff_t>(j * 24 + columns));
    std::vector<double> z(5, 0.0), expected_z(5, 0.0), sum(24, 0.0), expected_sum(24, 0.0);
    add_row_products({entries.data(), 5, 24, columns}, x.data(), z.data());
    add_row_products({narrow.data(), 5, columns}, x.data(), expected_z.data());
    add_scaled_rows({entries.data(), 5, 24, columns}, x.data(), sum.data());
    add_scaled_rows({narrow.data(), 5, columns}, x.data(), expected_sum.data());
    EXPECT_EQ(z, expected_z);
    EXPECT_EQ(sum, expected_sum);
  }
}

TYPED_TEST(DenseBlockKernel, GivesTheSameBitsWithEveryInstructionSet) {
  constexpr std::size_t rows = 11, stride = 200;
  const auto entries = random_numbers<TypeParam>(rows * stride, 1);
  const auto x = random_numbers<double>(stride, 2);
  expect_same_with_every_simd([&] {
    std::vector<double> z(rows, 0.0);
    add_row_products({entries.data(), rows, stride}, x.data(), z.data());
    return z;
  });
  expect_same_with_every_simd([&] {
    std::vector<double> sum(stride, 0.0);
    add_scaled_rows({entries.data(), rows, stride}, x.data(), sum.data());
    return sum;
  });
}

TYPED_TEST(DenseBlockKernel, ARowAloneGivesTheBitsItGivesAmongOthers) {
  constexpr std::size_t rows = 6, stride = 48;
  const auto entries = random_numbers<TypeParam>(rows * stride, 1);
  const auto x = random_numbers<double>(stride, 2);
  std::vector<double> together(rows, 0.0), alone(rows, 0.0);
  add_row_products({entries.data(), rows, stride}, x.data(), together.data());
  for (std::size_t j = 0; j < rows; ++j)
    add_row_products({entries.data() + j * stride, 1, stride}, x.data(), &alone[j]);
  EXPECT_EQ(together, alone);
}

}  // namespace
}  // namespace driftless
