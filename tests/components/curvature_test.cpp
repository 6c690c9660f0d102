// Power iteration inside one client finds the norm of its Hessian, from below, and every product is counted.
#include "driftless/components/server/curvature.hpp"

#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

TEST(LargestCurvature, IsTheNormOfTheHessianFromBelow) {
  const Instance instance = random_quadratics(31);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  for (const std::size_t products : {5U, 50U, 500U})
    bed.federation().for_each_client([&](Client& i) {
      const double exact = spectral_norm(instance.hessians[i.id()]);
      const double estimate = largest_curvature(i, instance.start, products);
      EXPECT_LE(estimate, exact * (1 + 1e-12));
      EXPECT_GE(estimate, exact * (products == 5 ? 0.7 : products == 50 ? 0.97 : 1 - 1e-6)) << products << " products";
    });
  EXPECT_EQ(bed.federation().busiest().gradients, 555U);
}

TEST(LargestCurvature, OfALinearFunctionIsZero) {
  Instance flat = toy();
  flat.clients[0] = make_client(DenseQuadratic(Matrix::Zero(1, 1), scalar(0)));
  Testbed bed(flat, "gd", {{"step", 0.1}});
  const Cohort first = Cohort::of({0}, 2);
  bed.federation().for_each_client(first, [](Client& i) { EXPECT_EQ(largest_curvature(i, scalar(1), 10), 0.0); });
}

}  // namespace
}  // namespace driftless::test
