#include "driftless/solvers/lanczos.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless {
namespace {

SpectrumEnds ends_of(const Vector& diagonal, const LanczosOptions& options = {}) {
  return spectrum_ends(
      diagonal.size(), [&](const Vector& v, Vector& out) { out = diagonal.cwiseProduct(v); },
      Stream(1, Purpose::generator), options);
}

TEST(Lanczos, FindsBothEndsOfOperatorsOfAnySize) {
  for (const Index dim : {1, 2, 3, 39, 240, 241, 1000}) {
    Vector diagonal = Vector::LinSpaced(dim, -1.0, 4.0);
    if (dim > 1) diagonal[0] = -3.0;
    const SpectrumEnds ends = ends_of(diagonal);
    EXPECT_TRUE(ends.converged) << dim;
    EXPECT_NEAR(ends.low.value, diagonal.minCoeff(), 1e-12) << dim;
    EXPECT_NEAR(ends.high.value, diagonal.maxCoeff(), 1e-10) << dim;
    EXPECT_EQ(ends.norm().value, std::abs(ends.high.value)) << dim;
  }
}

TEST(Lanczos, TheErrorsCoverTheDistanceToTheSpectrum) {
  // A cluster at the top that a few restarts do not resolve.
  const Vector diagonal = Vector::LinSpaced(20000, 0.0, 1.0).array().sqrt();
  const SpectrumEnds ends = ends_of(diagonal, {.wanted = Wanted::largest, .tolerance = 1e-12, .most_products = 150});
  EXPECT_FALSE(ends.converged);
  EXPECT_LE(ends.products, 150U);
  EXPECT_LE(ends.high.value, 1.0 + 1e-14);
  EXPECT_LE((diagonal.array() - ends.high.value).abs().minCoeff(), ends.high.error);
}

TEST(Lanczos, RestartsKeepTheBasisSmallAndStillConverge) {
  const Index dim = 60000;
  EXPECT_EQ(lanczos_columns(dim), 40);
  Vector diagonal = Vector::LinSpaced(dim, 1.0, 2.0);
  diagonal[dim - 1] = 2.01;
  diagonal[0] = 0.99;
  const SpectrumEnds ends = ends_of(diagonal);
  EXPECT_TRUE(ends.converged);
  EXPECT_GT(ends.products, 40U);
  EXPECT_NEAR(ends.high.value, 2.01, 1e-12);
  EXPECT_NEAR(ends.low.value, 0.99, 1e-12);
}

TEST(Lanczos, ASmallEigenvalueIsAsAccurateAsALargeOne) {
  Vector diagonal = Vector::LinSpaced(100, 1.0, 100.0);
  diagonal[0] = 1e-7;
  const SpectrumEnds ends = ends_of(diagonal);
  EXPECT_NEAR(ends.low.value, 1e-7, 1e-12);
}

TEST(Lanczos, TheZeroOperatorAndTheIdentityTakeOneProduct) {
  const SpectrumEnds zero = ends_of(Vector::Zero(50));
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.norm().value, 0.0);
  const SpectrumEnds one = ends_of(Vector::Ones(50));
  EXPECT_EQ(one.products, 1U);
  EXPECT_NEAR(one.low.value, 1.0, 1e-14);
}

TEST(Lanczos, AKnownFloorSettlesTheLowEnd) {
  Vector diagonal = Vector::LinSpaced(5000, 0.5, 1.0);
  diagonal.head(2500).array() = 0.5 + 1e-9;
  const SpectrumEnds without = ends_of(diagonal, {.tolerance = 1e-7});
  const SpectrumEnds with = ends_of(diagonal, {.tolerance = 1e-7, .floor = 0.5});
  EXPECT_LE(with.products, without.products);
  EXPECT_NEAR(with.low.value, 0.5, 1e-7);
  EXPECT_LE(with.low.error, 0.5e-7);
}

TEST(Lanczos, EndsWhenAsked) {
  std::size_t asked = 0;
  const SpectrumEnds ends =
      ends_of(Vector::LinSpaced(500, 0.0, 1.0),
              {.stop_token = [&] { return ++asked > 3 ? StopSignal::interrupted : StopSignal::none; }});
  EXPECT_FALSE(ends.converged);
  EXPECT_EQ(ends.products, 3U);
}

}  // namespace
}  // namespace driftless
