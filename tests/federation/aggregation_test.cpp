#include "driftless/federation/aggregation.hpp"

#include "driftless/core/random.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include "tests/support/dropping_transport.hpp"
#include "tests/support/testbed.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace driftless::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using VectorRows = std::vector<Vector>;

RowSpans spans_of(const VectorRows& rows) {
  RowSpans spans;
  for (const Vector& row : rows) spans.emplace_back(row.data(), static_cast<std::size_t>(row.size()));
  return spans;
}

VectorRows random_rows(std::size_t count, Index dim, std::uint64_t seed) {
  Stream chance(seed, Purpose::generator);
  VectorRows rows(count, Vector(dim));
  for (Vector& row : rows)
    for (double& entry : row) entry = chance.normal();
  return rows;
}

const std::vector<AggregationRule> robust{
    {Aggregation::median}, {Aggregation::trimmed_mean, 0.3}, {Aggregation::geometric_median}};

Vector aggregated(const AggregationRule& rule, const VectorRows& rows) {
  Vector result(rows.front().size());
  aggregate(rule, spans_of(rows), result);
  return result;
}

Vector median_of(const VectorRows& rows) { return aggregated({Aggregation::median}, rows); }
Vector trimmed_of(const VectorRows& rows, double trim) { return aggregated({Aggregation::trimmed_mean, trim}, rows); }
Vector geometric_of(const VectorRows& rows) { return aggregated({Aggregation::geometric_median}, rows); }

TEST(Aggregation, MedianIsTheMiddleOfEachEntry) {
  EXPECT_EQ(median_of({Vector{{1.0, 9.0}}, Vector{{3.0, 7.0}}, Vector{{2.0, 100.0}}}), (Vector{{2.0, 9.0}}));
  EXPECT_EQ(median_of({Vector{{1.0}}, Vector{{4.0}}, Vector{{2.0}}, Vector{{-50.0}}}), Vector{{1.5}});
  EXPECT_EQ(median_of({Vector{{5.0}}}), Vector{{5.0}});
  EXPECT_EQ(median_of({Vector{{1.5e308}}, Vector{{1.7e308}}}), Vector{{1.6e308}});
}

TEST(Aggregation, TrimmedMeanLeavesOutBothEnds) {
  VectorRows rows;
  for (const double entry : {10.0, -1e9, 1.0, 2.0, 3.0, 4.0, 5.0, 1e9, 6.0, 0.0}) rows.push_back(Vector{{entry}});
  EXPECT_DOUBLE_EQ(trimmed_of(rows, 0.1)[0], 31.0 / 8.0);
  EXPECT_DOUBLE_EQ(trimmed_of(rows, 0.11)[0], 21.0 / 6.0);  // 2 on either side
  EXPECT_DOUBLE_EQ(trimmed_of(rows, 0.3)[0], (2.0 + 3.0 + 4.0 + 5.0) / 4.0);
}

TEST(Aggregation, TrimmedMeanOfFewRowsKeepsSome) {
  EXPECT_DOUBLE_EQ(trimmed_of({Vector{{1.0}}, Vector{{5.0}}}, 0.4)[0], 3.0);
  EXPECT_DOUBLE_EQ(trimmed_of({Vector{{1.0}}, Vector{{5.0}}, Vector{{1e9}}}, 0.1)[0], 5.0);
  EXPECT_DOUBLE_EQ(trimmed_of({Vector{{7.0}}}, 0.1)[0], 7.0);
}

double distances_to(const VectorRows& rows, const Vector& point) {
  double sum = 0.0;
  for (const Vector& row : rows) sum += (row - point).norm();
  return sum;
}

TEST(Aggregation, NoPointAroundHasALesserSumOfDistancesThanTheGeometricMedian) {
  for (const std::size_t count : {3, 4, 5, 8, 21})
    for (const Index dim : {1, 2, 6}) {
      const VectorRows rows = random_rows(count, dim, count);
      const Vector median = geometric_of(rows);
      const double least = distances_to(rows, median);
      Stream chance(1, Purpose::generator);
      for (int k = 0; k < 500; ++k) {
        Vector other = median;
        const double size = std::exp2(chance.uniform(-18.0, 1.0));
        for (double& entry : other) entry += size * chance.normal();
        EXPECT_GE(distances_to(rows, other), least * (1.0 - 1e-12)) << count << " rows in " << dim;
      }
    }
}

TEST(Aggregation, GeometricMedianOfKnownSets) {
  EXPECT_LE((geometric_of({Vector{{0.0, 0.0}}, Vector{{2.0, 2.0}}, Vector{{0.0, 2.0}}, Vector{{2.0, 0.0}}}) -
             Vector{{1.0, 1.0}})
                .norm(),
            1e-12);
  // Of a triangle with an angle above 120 degrees it is that corner.
  EXPECT_LE((geometric_of({Vector{{-10.0, 1.0}}, Vector{{0.0, 0.0}}, Vector{{10.0, 1.0}}})).norm(), 1e-6);
  // More than half of the rows at a point hold it there.
  EXPECT_EQ(geometric_of({Vector{{1.0, 2.0}}, Vector{{1.0, 2.0}}, Vector{{9.0, 9.0}}}), (Vector{{1.0, 2.0}}));
  EXPECT_EQ(geometric_of({Vector{{4.0}}}), Vector{{4.0}});
}

// Starting at a row that is not the answer, which divides by zero in the plain iteration.
TEST(Aggregation, GeometricMedianLeavesARowThatIsNotTheMedian) {
  const VectorRows rows{Vector{{0.0, 0.0}}, Vector{{10.0, 1.0}}, Vector{{10.0, 1.5}}, Vector{{-1.0, -10.0}},
                        Vector{{-1.5, -10.0}}};
  EXPECT_EQ(median_of(rows), Vector::Zero(2));
  const Vector median = geometric_of(rows);
  EXPECT_TRUE(median.allFinite());
  EXPECT_GT(median.norm(), 1e-3);
  EXPECT_LT(distances_to(rows, median), distances_to(rows, Vector::Zero(2)));
}

TEST(Aggregation, TheOrderOfRowsDoesNotChangeABit) {
  for (const AggregationRule& rule : robust) {
    VectorRows rows = random_rows(9, 5, 3);
    const Vector before = aggregated(rule, rows);
    Stream chance(4, Purpose::generator);
    for (int k = 0; k < 20; ++k) {
      chance.shuffle(std::span(rows));
      EXPECT_EQ(aggregated(rule, rows), before);
    }
  }
}

TEST(Aggregation, EqualRowsGiveThatRow) {
  const Vector row = random_rows(1, 6, 5).front();
  for (const AggregationRule& rule : robust) EXPECT_LE((aggregated(rule, VectorRows(7, row)) - row).norm(), 1e-15);
}

double farthest(const VectorRows& rows) {
  double most = 0.0;
  for (const Vector& row : rows) most = std::max(most, row.norm());
  return most;
}

// Nine rows near zero and up to four (of which a trim of 0.3 leaves out four) that send anything.
TEST(Aggregation, FewBadRowsDoNoHarm) {
  const VectorRows honest = random_rows(9, 4, 6);
  for (const double bad : {1e6, 1e150, -1e308, infinity, -infinity, nan})
    for (std::size_t count = 1; count <= 3; ++count) {
      VectorRows rows = honest;
      rows.insert(rows.end(), count, Vector::Constant(4, bad));
      for (const AggregationRule& rule : robust)
        EXPECT_LE(aggregated(rule, rows).norm(), 2.0 * farthest(honest)) << bad << " " << count;
    }
}

TEST(Aggregation, OneRowOfHugeNumbersMovesTheGeometricMedianByLittle) {
  const VectorRows honest = random_rows(9, 4, 7);
  VectorRows rows = honest;
  rows.push_back(Vector{{1e150, -1e150, 1e150, 0.0}});
  EXPECT_LE((geometric_of(rows) - geometric_of(honest)).norm(), 0.5);
}

TEST(Aggregation, AMajorityOfBadRowsMovesEveryRule) {
  VectorRows rows = random_rows(4, 3, 8);
  rows.insert(rows.end(), 5, Vector::Constant(3, 1e6));
  for (const AggregationRule& rule : robust) EXPECT_GT(aggregated(rule, rows).norm(), 1e5);
}

struct FiveQuadratics {
  Instance instance = random_quadratics(7, 5, 4);
  InProcessTransport transport{5};
  ThreadPool pool{2};
  Federation fed{instance.clients, transport, pool, 1};
};

Vector numbered(Federation& fed, const Cohort& from) {
  return fed.mean({from, fed.everyone()},
                  [](Client& i, VecOut row) { row.setConstant(i.id() == 4 ? 1e9 : static_cast<double>(i.id())); });
}

TEST(Aggregation, ExchangesFollowTheRule) {
  FiveQuadratics f;
  EXPECT_GT(numbered(f.fed, f.fed.everyone())[0], 1e8);
  f.fed.aggregate_by({Aggregation::median});
  EXPECT_EQ(numbered(f.fed, f.fed.everyone()), Vector::Constant(4, 2.0));
  EXPECT_EQ(f.fed.ledger().exchanges, 2U);
  EXPECT_EQ(f.fed.ledger().vectors_up, 10U);
}

TEST(Aggregation, CohortsAreAggregatedAlone) {
  FiveQuadratics f;
  f.fed.aggregate_by({Aggregation::median});
  EXPECT_EQ(numbered(f.fed, Cohort::of({1, 2, 3}, 5)), Vector::Constant(4, 2.0));
}

// Their rows are zeros, which would count.
TEST(Aggregation, DroppedClientsAreLeftOut) {
  const Instance instance = random_quadratics(7, 5, 4);
  DroppingTransport transport(5);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1);
  fed.aggregate_by({Aggregation::median});
  transport.drop(0);
  transport.drop(1);
  EXPECT_EQ(numbered(fed, fed.everyone()), Vector::Constant(4, 3.0));
  EXPECT_THROW(numbered(fed, Cohort::of({0, 1}, 5)), TransportError);
}

TEST(Aggregation, MeasurementsStayMeans) {
  FiveQuadratics f;
  const Vector x = Vector::LinSpaced(4, -1.0, 2.0);
  const Measurement before = f.fed.measure(x);
  f.fed.aggregate_by({Aggregation::geometric_median});
  EXPECT_EQ(f.fed.measure(x).value, before.value);
  EXPECT_EQ(f.fed.measure(x).gradient, before.gradient);
}

}  // namespace
}  // namespace driftless::test
