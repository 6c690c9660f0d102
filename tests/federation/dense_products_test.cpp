// Products of dense clients that are cut into parts: who computes a part must not show in the result.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// Large enough for several parts.
Matrix symmetric(Index d) {
  return Matrix::NullaryExpr(d, d, [](Index i, Index j) { return std::sin(static_cast<double>(3 * (i + j) + i * j)); });
}

Vector mean_product(const ClientObjectives& clients, std::size_t threads) {
  ThreadPool pool(threads);
  InProcessTransport transport(clients.size());
  Federation fed(clients, transport, pool, 1);
  const Vector x = Vector::LinSpaced(fed.dim(), -1.0, 2.0);
  const auto mean = [&] { return fed.mean([&](Client& i, VecOut hv) { i.hessian_vector(x, x, hv); }); };
  const Vector result = mean();
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(mean(), result);
  return result;
}

TEST(DenseProducts, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const std::size_t count : {1U, 3U}) {
    ClientObjectives clients;
    const Index d = 900;
    for (std::size_t i = 0; i < count; ++i)
      clients.push_back(make_client(DenseQuadratic((1.0 + static_cast<double>(i)) * symmetric(d), Vector::Zero(d))));
    const Vector alone = mean_product(clients, 1);
    for (const std::size_t threads : {2U, 3U, 8U}) EXPECT_EQ(mean_product(clients, threads), alone) << threads;
  }
}

// Trials of a search use copies in different threads at once.
TEST(DenseProducts, CopiesWorkSideBySide) {
  const Index d = 700;
  const DenseQuadratic f(symmetric(d), Vector::Zero(d));
  const std::vector<DenseQuadratic> copies(6, f);
  std::vector<Vector> results(copies.size(), Vector(d));
  const Vector x = Vector::LinSpaced(d, -1.0, 2.0);
  Vector expected(d);
  f.gradient(x, expected);
  ThreadPool pool(4);
  pool.for_each(copies.size(), [&](std::size_t i, std::size_t) { copies[i].gradient(x, results[i]); });
  for (const Vector& result : results) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace driftless::test
