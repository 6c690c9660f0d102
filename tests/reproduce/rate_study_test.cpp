#include "driftless/reproduce/rate_study.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

RateClaim claim(const std::string& method, Quantity quantity, double exponent) {
  return {.method = method, .rate = "as given", .quantity = quantity, .exponent = exponent};
}

TEST(RateStudy, FindsTheExponentOfAPowerLaw) {
  EXPECT_NEAR(fitted_exponent({{1.0, 3.0}, {2.0, 3.0 * std::pow(2.0, 1.5)}, {8.0, 3.0 * std::pow(8.0, 1.5)}}), 1.5,
              1e-12);
  EXPECT_NEAR(fitted_exponent({{1.0, 7.0}, {10.0, 7.0}}), 0.0, 1e-12);
}

TEST(RateStudy, EveryClaimOfTheDeterministicMethodsHolds) {
  std::vector<RateClaim> claims;
  for (const RateClaim& c : strongly_convex_claims())
    if (c.method == "dane" || c.method == "gd" || c.method == "sonata") claims.push_back(c);
  const std::vector<RateFit> fits = rate_study(claims, {.seeds = 1});
  ASSERT_EQ(fits.size(), claims.size());
  for (const RateFit& fit : fits)
    EXPECT_TRUE(fit.agrees()) << fit.claim.method << " by " << enum_name(fit.claim.quantity) << ": " << fit.exponent;
}

TEST(RateStudy, AWrongClaimIsFoundOut) {
  const std::vector<RateFit> fits = rate_study({claim("dane", Quantity::smoothness, 1.0)}, {.seeds = 1});
  EXPECT_FALSE(fits.at(0).agrees());
  EXPECT_THAT(rate_table(fits), testing::HasSubstr("(!)"));
}

TEST(RateStudy, AnUpperBoundIsKeptByASmallerExponent) {
  RateFit fit{.claim = claim("feddyn", Quantity::smoothness, 1.0), .points = {}, .exponent = 0.5};
  EXPECT_FALSE(fit.agrees());
  fit.claim.upper_bound = true;
  EXPECT_TRUE(fit.agrees());
  fit.exponent = 1.5;
  EXPECT_FALSE(fit.agrees());
}

TEST(RateStudy, EndsWhenAsked) {
  EXPECT_TRUE(
      rate_study(strongly_convex_claims(), {.seeds = 1, .stop_token = [] { return StopSignal::interrupted; }}).empty());
}

}  // namespace
}  // namespace driftless
