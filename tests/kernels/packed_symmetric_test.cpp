#include "driftless/kernels/packed_symmetric.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/random.hpp"

#include "tests/kernels/every_simd.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace driftless {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Around every width of a tile, a panel and a block, and some that are cut into several parts.
std::vector<Index> dimensions() {
  std::vector<Index> result(41);
  std::iota(result.begin(), result.end(), 0);
  result.insert(result.end(), {63, 64, 65, 257, 513, 1000});
  return result;
}

Vector random_vector(Index d, std::uint64_t seed) {
  Stream chance(seed, Purpose::generator, 1);
  return Vector::NullaryExpr(d, [&] { return chance.uniform(-1.0, 1.0); });
}

Matrix random_symmetric(Index d) {
  Stream chance(static_cast<std::uint64_t>(d), Purpose::generator, 2);
  Matrix a(d, d);
  for (Index j = 0; j < d; ++j)
    for (Index i = j; i < d; ++i) a(i, j) = a(j, i) = chance.uniform(-1.0, 1.0);
  return a;
}

Vector product(const PackedSymmetric& a, const Vector& x) {
  Vector y = Vector::Constant(x.size(), nan);
  a.product(x, y);
  return y;
}

TEST(PackedSymmetric, AgreesWithTheDefinition) {
  for (const Index d : dimensions()) {
    SCOPED_TRACE(d);
    const Matrix a = random_symmetric(d);
    const Vector x = random_vector(d, 3);
    const PackedSymmetric packed(a);
    const Eigen::Matrix<long double, Eigen::Dynamic, 1> exact = a.cast<long double>() * x.cast<long double>();
    with_every_simd([&] {
      const Vector y = product(packed, x);
      const double bound = 1e-16 * static_cast<double>(d);  // of terms below 1
      for (Index i = 0; i < d; ++i) EXPECT_NEAR(y[i], static_cast<double>(exact[i]), bound) << i;
    });
  }
}

TEST(PackedSymmetric, GivesTheSameBitsWithEveryInstructionSet) {
  for (const Index d : dimensions()) {
    SCOPED_TRACE(d);
    const PackedSymmetric packed(random_symmetric(d));
    const Vector x = random_vector(d, 4);
    expect_same_with_every_simd([&] { return product(packed, x); });
  }
}

TEST(PackedSymmetric, GivesTheSameBitsWhereverVectorsBegin) {
  const Index d = 77;
  const PackedSymmetric packed(random_symmetric(d));
  const Vector x = random_vector(d, 5);
  const Vector expected = product(packed, x);
  for (Index shift = 0; shift < 8; ++shift) {
    Vector from(d + 8);
    Vector to = Vector::Constant(d + 16, 7.0);
    from.segment(shift, d) = x;
    packed.product(from.segment(shift, d), to.segment(8 - shift, d));
    EXPECT_EQ(to.segment(8 - shift, d), expected);
    EXPECT_TRUE((to.head(8 - shift).array() == 7.0).all() && (to.tail(8 + shift).array() == 7.0).all());
  }
}

TEST(PackedSymmetric, MayWriteOverItsArgument) {
  const PackedSymmetric packed(random_symmetric(100));
  Vector x = random_vector(100, 6);
  const Vector expected = product(packed, x);
  packed.product(x, x);
  EXPECT_EQ(x, expected);
}

TEST(PackedSymmetric, IsSymmetric) {
  const Index d = 601;
  const PackedSymmetric packed(random_symmetric(d));
  const Vector x = random_vector(d, 7);
  const Vector y = random_vector(d, 8);
  EXPECT_NEAR(x.dot(product(packed, y)), y.dot(product(packed, x)), 1e-12);
}

TEST(PackedSymmetric, ReadsTheLowerTriangleAlone) {
  const Matrix a = random_symmetric(21);
  Matrix lower = a;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(nan);
  const PackedSymmetric packed(lower);
  EXPECT_EQ(packed.dim(), 21);
  EXPECT_EQ(packed.full(), a);
  EXPECT_EQ(product(packed, Vector::Ones(21)), product(PackedSymmetric(a), Vector::Ones(21)));
}

TEST(PackedSymmetric, ProductsWithUnitVectorsAreItsColumns) {
  const Matrix a = random_symmetric(35);
  const PackedSymmetric packed(a);
  for (Index j = 0; j < 35; ++j) EXPECT_EQ(product(packed, Vector::Unit(35, j)), a.col(j));
}

// What fills up the last block must not meet an infinity: 0 · ∞ would be a NaN that the definition does not have.
TEST(PackedSymmetric, InfinitiesAndNanGoWhereTheDefinitionPutsThem) {
  for (const Index d : {1, 5, 8, 13, 30}) {
    const PackedSymmetric packed(Matrix::Ones(d, d));
    const PackedSymmetric diagonal(Matrix::Identity(d, d));
    with_every_simd([&] {
      for (Index j = 0; j < d; ++j) {
        Vector x = Vector::Ones(d);
        x[j] = infinity;
        EXPECT_EQ(product(packed, x), Vector::Constant(d, infinity));
        EXPECT_EQ(product(diagonal, x)[j], infinity);
        x[j] = nan;
        EXPECT_TRUE(product(packed, x).array().isNaN().all());
      }
    });
  }
}

TEST(PackedSymmetric, RejectsVectorsThatDoNotFit) {
  EXPECT_THROW(PackedSymmetric(Matrix::Zero(3, 4)), BrokenInvariant);
  const PackedSymmetric packed(random_symmetric(3));
  Vector y(3);
  EXPECT_THROW(packed.product(Vector::Ones(4), y), BrokenInvariant);
}

}  // namespace
}  // namespace driftless
