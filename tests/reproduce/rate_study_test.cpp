#include "driftless/reproduce/rate_study.hpp"

#include "driftless/federation/in_process_transport.hpp"
#include "driftless/reproduce/rate_problems.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace driftless {
namespace {

std::vector<RateClaim> claims_where(const std::function<bool(const RateClaim&)>& wanted) {
  std::vector<RateClaim> claims;
  for (const RateClaim& claim : table1_claims())
    if (wanted(claim)) claims.push_back(claim);
  return claims;
}

void expect_all_agree(const std::vector<RateClaim>& claims) {
  const std::vector<RateFit> fits = rate_study(claims, {.seeds = 1});
  ASSERT_EQ(fits.size(), claims.size());
  for (const RateFit& fit : fits)
    EXPECT_EQ(fit.verdict(), RateVerdict::agrees) << enum_name(fit.claim.column) << ", " << fit.claim.label << " by "
                                                  << enum_name(fit.claim.varied) << ": " << fit.exponent;
}

TEST(RateStudy, FindsTheExponentOfAPowerLaw) {
  EXPECT_NEAR(fitted_exponent({{1.0, 3.0}, {2.0, 3.0 * std::pow(2.0, 1.5)}, {8.0, 3.0 * std::pow(8.0, 1.5)}}), 1.5,
              1e-12);
  EXPECT_NEAR(fitted_exponent({{1.0, 7.0}, {10.0, 7.0}}), 0.0, 1e-12);
}

TEST(RateStudy, TheErrorComesFromTheSpreadOfTheSeeds) {
  // exponents 0.9 and 1.1: their mean has the standard error 0.1
  const RateFit fit = fitted({}, {{1.0, {1.0, 1.0}}, {10.0, {std::pow(10.0, 0.9), std::pow(10.0, 1.1)}}});
  EXPECT_NEAR(fit.error, 0.1, 1e-12);
  EXPECT_EQ(fitted({}, {{1.0, {1.0}}, {2.0, {2.0}}}).error, 0.0);
}

TEST(RateStudy, AVerdictNeedsASmallErrorAndANearExponent) {
  RateFit fit{.claim = {.exponent = 1.0}, .points = {}, .exponent = 1.05, .error = 0.04};
  EXPECT_EQ(fit.verdict(), RateVerdict::agrees);
  fit.error = 0.06;
  EXPECT_EQ(fit.verdict(), RateVerdict::undecided);
  fit.error = 0.01;
  fit.exponent = 1.11;
  EXPECT_EQ(fit.verdict(), RateVerdict::differs);
  fit.exponent = std::nan("");
  EXPECT_EQ(fit.verdict(), RateVerdict::differs);
}

TEST(RateStudy, AnUpperBoundIsKeptByASmallerExponentOfTheSameSign) {
  RateFit fit{.claim = {.exponent = 1.0}, .points = {}, .exponent = 0.5};
  EXPECT_EQ(fit.verdict(), RateVerdict::differs);
  fit.claim.upper_bound = true;
  EXPECT_EQ(fit.verdict(), RateVerdict::agrees);
  fit.exponent = 1.5;
  EXPECT_EQ(fit.verdict(), RateVerdict::differs);
  fit.exponent = -0.5;
  EXPECT_EQ(fit.verdict(), RateVerdict::differs);
}

TEST(RateStudy, EveryMethodOfTheTableHasRowsInItsColumns) {
  const auto methods_of = [](RateColumn column) {
    std::set<std::string> names;
    for (const RateClaim& claim : table1_claims())
      if (claim.column == column && claim.counted == Counted::exchanges) names.insert(claim.method);
    return names;
  };
  EXPECT_EQ(methods_of(RateColumn::strongly_convex),
            (std::set<std::string>{"gd", "scaffold", "feddyn", "scaffnew", "sonata", "svrp", "dane", "dane+-gd",
                                   "fedred-gd"}));
  EXPECT_EQ(methods_of(RateColumn::convex),
            (std::set<std::string>{"gd", "scaffold", "feddyn", "scaffnew", "dane", "dane+-gd", "fedred-gd"}));
  EXPECT_EQ(methods_of(RateColumn::non_convex),
            (std::set<std::string>{"gd", "scaffold", "feddyn", "mime-mvr", "ce-lgd", "dane+-gd", "fedred-gd"}));
}

TEST(RateStudy, DaneDependsOnDeltaAAloneAndSonataOnDeltaBAlone) {
  const std::vector<RateClaim> claims = claims_where([](const RateClaim& c) {
    return (c.varied == Varied::delta_A || c.varied == Varied::delta_B) && (c.method == "dane" || c.method == "sonata");
  });
  ASSERT_EQ(claims.size(), 6U);  // dane in two columns
  expect_all_agree(claims);
}

TEST(RateStudy, TheClaimsOfTheDeterministicMethodsHoldInEveryColumn) {
  expect_all_agree(claims_where([](const RateClaim& c) {
    const bool apart = c.varied == Varied::delta_A || c.varied == Varied::delta_B;
    return !apart && (c.method == "dane" || c.method == "gd" || c.method == "sonata" || c.method == "mime-mvr");
  }));
}

TEST(RateStudy, ScaffoldsFootnoteOnQuadraticsHolds) {
  const std::vector<RateClaim> claims =
      claims_where([](const RateClaim& c) { return c.label == "scaffold, as for quadratics"; });
  ASSERT_EQ(claims.size(), 7U);
  expect_all_agree(claims);
}

TEST(RateStudy, AWrongClaimIsFoundOut) {
  std::vector<RateClaim> claims =
      claims_where([](const RateClaim& c) { return c.method == "dane" && c.varied == Varied::delta_A; });
  claims.resize(1);
  claims[0].exponent = 0.0;  // as if dane had the rate of sonata
  const std::vector<RateFit> fits = rate_study(claims, {.seeds = 1});
  EXPECT_EQ(fits.at(0).verdict(), RateVerdict::differs);
  EXPECT_THAT(rate_table(fits), testing::HasSubstr("(differs)"));
  EXPECT_EQ(nlohmann::json::parse(rate_json(fits)).at("fits")[0].at("verdict"), "differs");
}

TEST(RateStudy, TheFigureShowsBothConstants) {
  const auto fit = [](Varied varied, const std::string& label) {
    return RateFit{.claim = {.label = label, .varied = varied}, .points = {{2.5, {40.0}}, {5.0, {80.0}}}};
  };
  EXPECT_EQ(rate_figure({fit(Varied::delta_A, "dane")}), "");
  const std::string svg = rate_figure({fit(Varied::delta_A, "dane"), fit(Varied::delta_B, "sonata")});
  for (const char* text : {"δ_A", "δ_B", "dane", "sonata"}) EXPECT_THAT(svg, testing::HasSubstr(text));
}

TEST(RateStudy, EndsWhenAsked) {
  EXPECT_TRUE(rate_study(table1_claims(), {.seeds = 1, .stop_token = [] { return StopSignal::interrupted; }}).empty());
}

TEST(RateProblems, TheNonConvexOneHasItsConstantsAndClientsThatAreNotConvex) {
  const Problem problem =
      rate_problem(RateColumn::non_convex, {.L = 200.0, .delta = 8.0, .delta_A = 4.0, .clients = 17});
  const Constants& c = *problem.constants;
  EXPECT_NEAR(c.L, 200.0, 1e-9);
  EXPECT_NEAR(c.delta_B, 8.0, 1e-9);
  EXPECT_NEAR(c.delta_A, 4.0, 1e-9);
  EXPECT_LT(c.mu, -4.0);
  EXPECT_GT(c.mu_f, 0.0);
  EXPECT_FALSE(problem.reference.has_value());
  // f has its minimum at 0, and the clients do not
  InProcessTransport transport(problem.n);
  ThreadPool pool(1);
  Federation fed(problem.clients, transport, pool, 1);
  EXPECT_LT(fed.measure(Vector::Zero(problem.dim())).gradient.norm(), 1e-12);
  Vector g(problem.dim());
  problem.clients[0]->value_gradient(Vector::Zero(problem.dim()), g);
  EXPECT_GT(g.norm(), 0.1);
}

}  // namespace
}  // namespace driftless
