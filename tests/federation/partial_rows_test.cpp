// Rows that take fewer bytes than vectors: they count as vectors and with the bytes that their sender names. Where rows
// begin.
#include "tests/support/testbed.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

TEST(PartialRows, TakeTheBytesNamedForEachWay) {
  const Instance instance = random_quadratics(1, 7, 4);
  InProcessTransport transport(7);
  ThreadPool pool(2);
  Federation fed(instance.clients, transport, pool, 1);
  const Cohort two = Cohort::of({2, 5}, 7);
  const auto zero = [](Client&, VecOut row) { row.setZero(); };

  fed.mean({.from = two, .to = fed.everyone(), .bytes_up = 10, .bytes_down = 21}, zero);
  EXPECT_EQ(fed.ledger().vectors_up, 2U);
  EXPECT_EQ(fed.ledger().vectors_down, 7U);
  EXPECT_EQ(fed.ledger().bytes_up, 10U);
  EXPECT_EQ(fed.ledger().bytes_down, 21U);

  fed.mean({.from = two, .to = two, .along = 1, .bytes_up = 10}, zero);  // the way down as usual
  EXPECT_EQ(fed.ledger().bytes_up, 20U);
  EXPECT_EQ(fed.ledger().bytes_down, 21U + 2U * (1 + 1) * 4 * 8);
}

// Otherwise the bits of a scalar product in a body would depend on which rows happen to lie before it.
TEST(Rows, BeginAtTheSameAlignmentForEveryClientAndNumberOfThreads) {
  const Instance instance = random_quadratics(1, 33, 4);
  InProcessTransport transport(33);
  for (const std::size_t threads : {1U, 3U}) {
    ThreadPool pool(threads);
    Federation fed(instance.clients, transport, pool, 1);
    fed.mean_with_scalars({fed.everyone(), fed.everyone()}, 1, [](Client& i, VecOut row, VecOut number) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(row.data()) % EIGEN_MAX_ALIGN_BYTES, 0U) << i.id();
      row.setZero();
      number.setZero();
    });
  }
}

}  // namespace
}  // namespace driftless::test
