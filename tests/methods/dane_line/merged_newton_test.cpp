// newton-cg with `directions`: every exchange is a trial point and brings Hessian products.
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/available_data.hpp"
#include "tests/support/logistic_instance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Settings directions(std::int64_t k) { return {{"directions", k}}; }

Dataset generated() { return generate_classification({.rows = 600, .dim = 40, .nonzeros_per_row = 8.0}, 5); }

std::uint64_t exchanges_to(Testbed& bed, double grad_norm, std::size_t most_rounds = 200) {
  bed.start();
  for (std::size_t r = 0; r < most_rounds && bed.vector("g").norm() > grad_norm; ++r) bed.rounds(1);
  EXPECT_LE(bed.vector("g").norm(), grad_norm);
  return bed.federation().ledger().exchanges;
}

// f = ½x'Hx, H = diag(1, 4), from (2, 1). The start knows u = (1, 1) with Hu = (1, 4), so γ = 17/5 and
// a = −⟨u, g⟩/⟨u, Hu⟩ u = −6/5 u, b = −g − Ha − ⟨Hu, −g − Ha⟩/⟨u, Hu⟩ u = (−32/25, 8/25).
TEST(MergedNewton, TakesTheStepWorkedOutByHand) {
  Instance instance;
  const Vector curvature = Vector::LinSpaced(2, 1.0, 4.0);
  instance.clients.push_back(make_client(DenseQuadratic(Matrix(curvature.asDiagonal()), Vector::Zero(2))));
  instance.start = Vector::LinSpaced(2, 2.0, 1.0);
  Testbed bed(instance, "newton-cg", directions(1));
  const Vector expected = Vector::LinSpaced(2, 4.0 / 5 - 32.0 / 85, -1.0 / 5 + 8.0 / 85);
  EXPECT_LT((bed.rounds(1) - expected).norm(), 1e-14);
  EXPECT_LT(bed.rounds(1).norm(), 1e-14) << "two pairs are all of H";
}

// As conjugate gradients do, which have one product in a round.
TEST(MergedNewton, EndsOnQuadraticsWithinAsManyRoundsAsVariables) {
  for (const std::int64_t k : {1, 4, 6, 12}) {
    const Instance instance = random_quadratics(81);
    Testbed bed(instance, "newton-cg", directions(k));
    EXPECT_LT((bed.rounds(12) - instance.minimizer).norm(), 1e-7) << k << " directions";
  }
}

TEST(MergedNewton, CountsItsVectorsAndPasses) {
  const Instance instance = logistic_instance(generated(), 7, 1e-3);
  Testbed bed(instance, "newton-cg", directions(3));
  bed.rounds(5);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_EQ(ledger.exchanges, 6U);
  EXPECT_EQ(ledger.vectors_up, 6U * 7 * (1 + 3)) << "∇f_i and three products";
  EXPECT_EQ(ledger.vectors_down, 7U * (1 + 5 * 2)) << "the point; then with the direction, whose parts all know";
  EXPECT_EQ(ledger.scalars_up, 6U * 7);
  EXPECT_EQ(bed.federation().busiest().gradients, 6U * (1 + 3));
  EXPECT_EQ(bed.federation().busiest().steps, 6U * 3);
}

TEST(MergedNewton, NeedsFewerExchangesThanSeparateProducts) {
  const Instance instance = logistic_instance(generated(), 7, 1e-3);
  std::uint64_t before = 32;  // passes_test.cpp
  for (const std::int64_t k : {1, 3, 5}) {
    Testbed bed(instance, "newton-cg", directions(k));
    const std::uint64_t found = exchanges_to(bed, 1e-9);
    EXPECT_LT(found, before) << k << " directions";
    before = found;
  }
}

TEST(MergedNewton, DependsOnNeitherThreadsNorTheDivisionOfTheData) {
  const Instance all = logistic_instance(generated(), 1, 1e-3);
  const Instance divided = logistic_instance(generated(), 20, 1e-3);
  Testbed one(all, "newton-cg", directions(4));
  Testbed twenty(divided, "newton-cg", directions(4));
  Testbed threads(divided, "newton-cg", directions(4), {}, 4);
  one.rounds(5);
  twenty.rounds(5);
  EXPECT_LT((one.x() - twenty.x()).norm(), 1e-9 * one.x().norm());
  EXPECT_EQ(threads.rounds(5), twenty.x());
}

TEST(MergedNewton, NeverRaisesFAlsoWhereItIsNotConvex) {
  for (const double beta : {2.0, 20.0})
    for (const std::int64_t k : {1, 3}) {
      const Instance instance = non_convex_quadratics(beta);
      Testbed bed(instance, "newton-cg", directions(k));
      double value = instance.value(bed.x());
      for (int r = 0; r < 60; ++r) {
        const double next = instance.value(bed.rounds(1));
        EXPECT_LE(next, value + 1e-12 * (1.0 + std::abs(value))) << "round " << r + 1;
        value = next;
      }
      EXPECT_LT(instance.gradient(bed.x()).norm(), 1e-6 * instance.gradient(instance.start).norm());
    }
}

// From far away on logistic losses: flat there, so that the first trial is far too long.
Instance far_away() {
  Instance instance = logistic_instance(generated(), 5, 1e-5);
  instance.start = Vector::Constant(41, 30.0);
  return instance;
}

TEST(MergedNewton, RejectedTrialsAreCountedAndFollowedBySeparateRounds) {
  const Instance instance = far_away();
  Testbed bed(instance, "newton-cg", directions(2));
  bed.start();
  bool rejected = false;
  for (int r = 0; r < 60 && !rejected; ++r) {
    const Vector before = bed.x();
    const std::uint64_t exchanges = bed.federation().ledger().exchanges;
    rejected = bed.rounds(1) == before;
    if (rejected) {
      EXPECT_EQ(bed.federation().ledger().exchanges, exchanges + 1);
      bed.rounds(1);
      EXPECT_GE(bed.federation().ledger().exchanges, exchanges + 1 + 2) << "products, then a point";
      EXPECT_LT(instance.value(bed.x()), instance.value(before));
    }
  }
  EXPECT_TRUE(rejected) << "the test needs another instance";
}

TEST(MergedNewton, ArrivesFromFarAway) {
  const Instance instance = far_away();
  for (const std::int64_t k : {0, 1, 5}) {
    Testbed bed(instance, "newton-cg", directions(k));
    exchanges_to(bed, 1e-9);
  }
}

TEST(MergedNewton, RejectsOptionsThatExcludeEachOther) {
  const Instance instance = toy();
  const auto message = [&](const Settings& more) -> std::string {
    try {
      Testbed bed(instance, "newton-cg", with(directions(2), more));
    } catch (const ConfigError& e) { return e.what(); }
    return "";
  };
  EXPECT_THAT(message({{"preconditioner", "jacobi"s}}), testing::HasSubstr("jacobi"));
  EXPECT_THAT(message({{"pairs", std::int64_t{0}}}), testing::HasSubstr("pairs = 0"));
}

struct Set {
  std::string name;
  std::uint64_t most;  // exchanges
};

class ExchangesOnPublicData : public testing::TestWithParam<Set> {};

TEST_P(ExchangesOnPublicData, AreFewWithFiveDirections) {
  const auto& [name, most] = GetParam();
  const auto path = available_data(name);
  if (!path) GTEST_SKIP() << name << " is not on this machine; name its folder in DRIFTLESS_DATA";
  const Instance instance = logistic_instance(read_libsvm(*path), 142, 1e-3);
  Testbed bed(instance, "newton-cg", directions(5));
  EXPECT_LE(exchanges_to(bed, 1e-9), most);
}

INSTANTIATE_TEST_SUITE_P(Sets, ExchangesOnPublicData,
                         testing::Values(Set{"w8a", 25}, Set{"a9a", 32}, Set{"phishing", 17}, Set{"mushrooms", 28}),
                         [](const auto& set) { return set.param.name; });

}  // namespace
}  // namespace driftless::test
