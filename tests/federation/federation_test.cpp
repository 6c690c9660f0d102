// Means, counting, cohorts, shared chance and the rule that nobody talks inside a body.
#include "driftless/core/check.hpp"

#include "tests/support/testbed.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <set>

namespace driftless::test {
namespace {

class InProcess : public testing::Test {
 protected:
  Instance instance_ = random_quadratics(1, 7, 4);
  InProcessTransport transport_{7};
  ThreadPool pool_{3};
  Federation fed_{instance_.clients, transport_, pool_, 1};
};

using FederationTest = InProcess;

Vector row_of(const Client& i) { return Vector::Constant(4, 1.0 + static_cast<double>(i.id())); }

TEST_F(FederationTest, MeanIsOverThoseWhoSend) {
  const Vector all = fed_.mean([](Client& i, VecOut row) { row = row_of(i); });
  EXPECT_EQ(all[0], 4.0);
  const Cohort two = Cohort::of({2, 5}, 7);
  const Vector some = fed_.mean({two, fed_.everyone()}, [](Client& i, VecOut row) { row = row_of(i); });
  EXPECT_EQ(some[0], 4.5);
}

TEST_F(FederationTest, SeveralVectorsTravelInOneExchange) {
  PerClient<Vector> a = fed_.per_client<Vector>(Vector::Zero(4));
  PerClient<Vector> b = a;
  fed_.for_each_client([&](Client& i) {
    a[i] = row_of(i);
    b[i] = -2.0 * row_of(i);
  });
  const auto [mean_a, mean_b] = fed_.mean({fed_.everyone(), fed_.everyone()}, a, b);
  EXPECT_EQ(mean_a[3], 4.0);
  EXPECT_EQ(mean_b[0], -8.0);
  EXPECT_EQ(fed_.ledger().exchanges, 1U);
  EXPECT_EQ(fed_.ledger().vectors_up, 14U);
}

TEST_F(FederationTest, LedgerCountsSendersAndReceivers) {
  const Cohort two = Cohort::of({2, 5}, 7);
  fed_.mean({two, fed_.everyone()}, [](Client&, VecOut row) { row.setZero(); });
  EXPECT_EQ(fed_.ledger().vectors_up, 2U);
  EXPECT_EQ(fed_.ledger().vectors_down, 7U);
  EXPECT_EQ(fed_.ledger().bytes_up, 2U * 4 * 8);
  EXPECT_EQ(fed_.ledger().bytes_down, 7U * 4 * 8);
}

TEST_F(FederationTest, ScalarsAreAnExchangeWithoutBytes) {
  const Vector means = fed_.mean_scalars({fed_.everyone(), fed_.everyone()}, 2, [](Client& i, VecOut numbers) {
    numbers << static_cast<double>(i.id()), 1.0;
  });
  EXPECT_EQ(means[0], 3.0);
  EXPECT_EQ(means[1], 1.0);
  EXPECT_EQ(fed_.ledger().exchanges, 1U);
  EXPECT_EQ(fed_.ledger().scalars_up, 14U);
  EXPECT_EQ(fed_.ledger().scalars_down, 14U);
  EXPECT_EQ(fed_.ledger().messages() + fed_.ledger().bytes(), 0U);
}

TEST_F(FederationTest, ScalarsRideAlongWithAVectorAtNoFurtherExchange) {
  const auto [row, numbers] =
      fed_.mean_with_scalars({fed_.everyone(), fed_.nobody()}, 1, [](Client& i, VecOut vector, VecOut scalars) {
        vector = row_of(i);
        scalars[0] = -static_cast<double>(i.id());
      });
  EXPECT_EQ(row[3], 4.0);
  EXPECT_EQ(numbers[0], -3.0);
  EXPECT_EQ(fed_.ledger().exchanges, 1U);
  EXPECT_EQ(fed_.ledger().vectors_up, 7U);
  EXPECT_EQ(fed_.ledger().scalars_up, 7U);
  EXPECT_EQ(fed_.ledger().vectors_down + fed_.ledger().scalars_down, 0U) << "the server alone needed them";
}

TEST_F(FederationTest, ScalarsRideAlongWithTwoVectors) {
  const auto [first, second, numbers] = fed_.mean_with_scalars({fed_.everyone(), fed_.everyone()}, 1,
                                                               [](Client& i, VecOut row, VecOut other, VecOut scalars) {
                                                                 row = row_of(i);
                                                                 other = -2.0 * row_of(i);
                                                                 scalars[0] = static_cast<double>(i.id());
                                                               });
  EXPECT_EQ(first[3], 4.0);
  EXPECT_EQ(second[0], -8.0);
  EXPECT_EQ(numbers[0], 3.0);
  EXPECT_EQ(fed_.ledger().exchanges, 1U);
  EXPECT_EQ(fed_.ledger().vectors_up, 14U);
  EXPECT_EQ(fed_.ledger().scalars_down, 7U);
}

TEST_F(FederationTest, AClientAtTheServerPublishesWithTheNextBroadcast) {
  const Cohort delegate = Cohort::of({2}, 7);
  const Vector row = fed_.publish(delegate, [](Client& i, VecOut vector) { vector = row_of(i); });
  const Vector number = fed_.tell_server(delegate, 1, [](Client& i, VecOut v) { v[0] = 10.0 * row_of(i)[0]; });
  EXPECT_EQ(row[0], 3.0);
  EXPECT_EQ(number[0], 30.0);
  EXPECT_EQ(fed_.ledger().exchanges + fed_.ledger().vectors_up + fed_.ledger().scalars_up, 0U);
  EXPECT_EQ(fed_.ledger().vectors_down, 7U);
  EXPECT_EQ(fed_.ledger().bytes_down, 7U * 4 * 8);
}

TEST_F(FederationTest, ValuesAndHessianProductsAreOnePassEach) {
  const Vector x = Vector::Ones(4);
  fed_.for_each_client([&](Client& i) {
    Vector g(4);
    Vector hv(4);
    EXPECT_DOUBLE_EQ(i.value(x), i.value_gradient(x, g));
    EXPECT_LT((g - instance_.gradient(i.id(), x)).norm(), 1e-12);
    i.hessian_vector(x, g, hv);
    EXPECT_LT((hv - instance_.hessians[i.id()] * g).norm(), 1e-10);
  });
  EXPECT_EQ(fed_.busiest().gradients, 3U);
}

TEST_F(FederationTest, LedgerCountsWhatTravelsAlongWithTheResult) {
  const Cohort two = Cohort::of({2, 5}, 7);
  fed_.mean({fed_.everyone(), two, 3}, [](Client&, VecOut row) { row.setZero(); });
  EXPECT_EQ(fed_.ledger().exchanges, 1U);
  EXPECT_EQ(fed_.ledger().vectors_up, 7U);
  EXPECT_EQ(fed_.ledger().vectors_down, 2U * (1 + 3));
  EXPECT_EQ(fed_.ledger().bytes_down, 2U * (1 + 3) * 4 * 8);
}

TEST_F(FederationTest, MeasuringIsNotCounted) {
  const Vector x = Vector::Ones(4);
  const Measurement at = fed_.measure(x);
  EXPECT_NEAR(at.value, instance_.value(x), 1e-12);
  EXPECT_LT((at.gradient - instance_.gradient(x)).norm(), 1e-12);
  EXPECT_EQ(fed_.ledger().exchanges, 0U);
  EXPECT_EQ(fed_.busiest().gradients, 0U);
}

TEST_F(FederationTest, BodiesRunOnceForEachClientOfTheCohort) {
  std::array<std::atomic<int>, 7> runs{};
  fed_.for_each_client(Cohort::of({1, 6}, 7), [&](Client& i) { ++runs[i.id()]; });
  for (std::size_t id = 0; id < 7; ++id) EXPECT_EQ(runs[id], id == 1 || id == 6 ? 1 : 0);
}

TEST_F(FederationTest, CollectivesAndDrawsInsideABodyAreRejected) {
  EXPECT_THROW(fed_.for_each_client([&](Client&) { fed_.coin(0.5); }), BrokenInvariant);
  EXPECT_THROW(fed_.for_each_client([&](Client&) { fed_.mean([](Client&, VecOut row) { row.setZero(); }); }),
               BrokenInvariant);
  EXPECT_NO_THROW(fed_.coin(0.5));  // and the federation is usable again afterwards
}

TEST_F(FederationTest, TheFirstExceptionOfABodyReachesTheCaller) {
  EXPECT_THROW(fed_.for_each_client([](Client& i) {
    if (i.id() == 3) throw std::runtime_error("client 3");
  }),
               std::runtime_error);
}

TEST_F(FederationTest, LocalWorkIsThatOfTheBusiestClient) {
  Vector g(4);
  fed_.for_each_client(Cohort::of({4}, 7), [&](Client& i) {
    i.gradient(Vector::Zero(4), g);
    i.gradient(Vector::Ones(4), g);
  });
  EXPECT_EQ(fed_.busiest().gradients, 2U);
  EXPECT_EQ(fed_.tally(0).gradients, 0U);
}

TEST_F(FederationTest, SamplesDifferentClientsEveryRound) {
  std::set<ClientId> seen;
  for (int r = 0; r < 40; ++r) {
    fed_.begin_round();
    const Cohort S = fed_.sample(3);
    EXPECT_EQ(S.size(), 3U);
    seen.insert(S.ids().begin(), S.ids().end());
  }
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_TRUE(fed_.sample(0).is_everyone());
  EXPECT_TRUE(fed_.sample(9).is_everyone());
}

TEST(SharedChance, GeometricIsCoinsUntilTheFirstSuccess) {
  const Instance instance = random_quadratics(1, 2, 2);
  Testbed bed(instance, "gd", {{"step", 0.1}},
              std::make_unique<ScriptedChance>(std::deque<bool>{false, false, true, true}));
  EXPECT_EQ(bed.federation().geometric(0.3), 3U);
  EXPECT_EQ(bed.federation().geometric(0.3), 1U);
}

TEST(SharedChance, GeometricHasTheMeanOfItsLaw) {
  SeededChance chance(5);
  double draws = 0.0;
  for (std::uint64_t round = 1; round <= 4000; ++round) {
    chance.enter_round(round);
    do ++draws;
    while (!chance.coin(0.1));
  }
  EXPECT_NEAR(draws / 4000, 10.0, 0.6);  // four standard deviations
}

TEST(SharedChance, DependsOnTheRoundAndNotOnWhatCameBefore) {
  SeededChance a(5);
  SeededChance b(5);
  a.enter_round(1);
  for (int k = 0; k < 100; ++k) a.coin(0.5);
  a.enter_round(2);
  b.enter_round(2);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(a.coin(0.5), b.coin(0.5));
}

TEST(ThreadPools, RunEveryTaskOnceWithAnyNumberOfThreads) {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> runs(count);
      pool.for_each(count, [&](std::size_t task, std::size_t worker) {
        EXPECT_LT(worker, threads);
        ++runs[task];
      });
      for (const auto& r : runs) EXPECT_EQ(r, 1);
    }
  }
}

TEST(Cohorts, RejectIdsThatAreNoSet) {
  EXPECT_THROW(Cohort::of({1, 1}, 3), BrokenInvariant);
  EXPECT_THROW(Cohort::of({3}, 3), BrokenInvariant);
}

}  // namespace
}  // namespace driftless::test
