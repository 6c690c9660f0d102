// What every objective must do. A new objective is covered by an entry in `Quadratics`, a new loss by its entry in
// `Losses`. `closed_form` marks the objectives whose solve() must succeed; for all others it must return false.
#include "driftless/core/objective.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"
#include "driftless/objectives/quadratic/rotated_quadratic.hpp"

#include "tests/objectives/log_cosh_loss.hpp"
#include "tests/objectives/sample_problems.hpp"
#include "tests/support/allocation_count.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace driftless::test {
namespace {

constexpr Index dim = 7;
constexpr Index sample_count = 6;

Matrix curvatures() { return random_matrix(11, dim, sample_count, 0.5, 4.0); }
Matrix centres() { return random_matrix(12, dim, sample_count, -2.0, 3.0); }
auto basis() { return std::make_shared<const Matrix>(random_rotation(13, dim)); }

struct Diagonal {
  static constexpr bool closed_form = true;
  static auto make() { return DiagonalQuadratic(curvatures(), centres()); }
};
struct DiagonalRegularized {
  static auto make() { return DiagonalQuadratic(curvatures(), centres(), 1.5); }
};
struct Dense {
  static constexpr bool closed_form = true;
  static auto make() { return DenseQuadratic(random_definite(14, dim), random_point(15, dim)); }
};
struct DenseRegularized {
  static auto make() { return DenseQuadratic(random_definite(14, dim), random_point(15, dim), 1.5); }
};
struct Rotated {
  static constexpr bool closed_form = true;
  static auto make() { return RotatedQuadratic(basis(), curvatures(), centres()); }
};
struct RotatedRegularized {
  static auto make() { return RotatedQuadratic(basis(), curvatures(), centres(), {}, 1.5); }
};
struct RotatedCoupled {
  static constexpr bool closed_form = true;
  static auto make() { return RotatedQuadratic(basis(), curvatures(), centres(), 0.05 * random_symmetric(16, dim)); }
};

template <class Model>
struct Linear {
  static auto make() {
    const std::vector<std::int32_t> rows{4, 1, 7, 2, 9, 0, 5};
    return Model(random_dataset(17, 10, dim, 0.4), rows, {.weight = 0.3, .l2 = 0.2, .intercept = false});
  }
};
template <class Model>
struct LinearWithIntercept {
  static auto make() {
    return Model(random_dataset(18, 10, dim, 0.4), first_indices(10), {.weight = 0.3, .l2 = 0.2, .intercept = true});
  }
};

template <class Model>
struct LinearRegularized {
  static auto make() {
    return Model(random_dataset(19, 10, dim, 0.4), first_indices(10),
                 {.weight = 0.3, .l2 = 0.2, .beta = 1.5, .intercept = true});
  }
};

template <class Case>
class ObjectiveContract : public testing::Test {
 protected:
  using Function = decltype(Case::make());

  Function f = Case::make();
  Vector x = random_point(1, f.dim(), 1.5);
  Vector v = random_point(2, f.dim());
  Vector u = random_point(3, f.dim());
};

using Quadratics =
    std::tuple<Diagonal, DiagonalRegularized, Dense, DenseRegularized, Rotated, RotatedRegularized, RotatedCoupled>;
template <class Loss>
using LinearModels =
    std::tuple<Linear<LinearModel<Loss, SparseRows>>, Linear<LinearModel<Loss, DenseRows>>,
               LinearWithIntercept<LinearModel<Loss, SparseRows>>, LinearRegularized<LinearModel<Loss, SparseRows>>>;

// Tuples as a list of googletest: the quadratics, and the linear models of every loss and of the toy loss.
template <class... Tuple>
using Joined = decltype(std::tuple_cat(std::declval<Tuple>()...));
template <class Tuple>
struct AsTypes;
template <class... Case>
struct AsTypes<std::tuple<Case...>> {
  using Types = testing::Types<Case...>;
};
template <class Tuple>
struct ModelsOf;
template <class... Loss>
struct ModelsOf<std::tuple<Loss...>> {
  using Tuple = Joined<LinearModels<Loss>...>;
};
using Cases = AsTypes<Joined<Quadratics, ModelsOf<Losses>::Tuple, LinearModels<RealLogCosh>>>::Types;
TYPED_TEST_SUITE(ObjectiveContract, Cases);

TYPED_TEST(ObjectiveContract, ModelsTheConcepts) {
  using F = typename TestFixture::Function;
  static_assert(FiniteSum<F>);
  static_assert(TwiceDifferentiable<F>);
  static_assert(KnowsHessianDiagonal<F>);
  static_assert(KnowsHessian<F>);
  EXPECT_GE(this->f.dim(), dim);
  EXPECT_GE(this->f.samples(), 1U);
}

TYPED_TEST(ObjectiveContract, TheWholeHessianHasItsProductsAsColumns) {
  const Index d = this->f.dim();
  Vector triangle = Vector::Constant(triangle_size(d), 7.0);
  EXPECT_GE(this->f.hessian(this->x, triangle), 1U);
  Vector column(d);
  for (Index k = 0; k < d; ++k) {
    this->f.hessian_vector(this->x, Vector::Unit(d, k), column);
    for (Index i = k; i < d; ++i)
      EXPECT_NEAR(triangle[triangle_size(i) + k], column[i], 1e-13 * (1.0 + column.norm())) << i << ", " << k;
  }
}

TYPED_TEST(ObjectiveContract, GradientMatchesFiniteDifferencesOfTheValue) {
  const double step = 1e-5;
  const Vector g = gradient_of(this->f, this->x);
  for (Index k = 0; k < this->f.dim(); ++k) {
    Vector up = this->x;
    Vector down = this->x;
    up[k] += step;
    down[k] -= step;
    EXPECT_NEAR(g[k], (this->f.value(up) - this->f.value(down)) / (2.0 * step), 1e-8 * (1.0 + g.norm())) << "k = " << k;
  }
}

TYPED_TEST(ObjectiveContract, HessianProductMatchesFiniteDifferencesOfTheGradient) {
  const double step = 1e-5;
  Vector hv(this->f.dim());
  this->f.hessian_vector(this->x, this->v, hv);
  const Vector up = gradient_of(this->f, this->x + step * this->v);
  const Vector down = gradient_of(this->f, this->x - step * this->v);
  EXPECT_LT((hv - (up - down) / (2.0 * step)).norm(), 1e-8 * (1.0 + hv.norm()));
}

TYPED_TEST(ObjectiveContract, HessianDiagonalIsThatOfTheProducts) {
  const Index n = this->f.dim();
  Vector diagonal(n);
  Vector column(n);
  this->f.hessian_diagonal(this->x, diagonal);
  for (Index k = 0; k < n; ++k) {
    this->f.hessian_vector(this->x, Vector::Unit(n, k), column);
    EXPECT_NEAR(diagonal[k], column[k], 1e-13 * (1.0 + std::abs(column[k]))) << "k = " << k;
  }
}

TYPED_TEST(ObjectiveContract, HessianIsSymmetricAndFollowsThePoint) {
  Vector hv(this->f.dim());
  Vector hu(this->f.dim());
  this->f.hessian_vector(this->x, this->v, hv);
  this->f.hessian_vector(this->x, this->u, hu);
  EXPECT_NEAR(this->u.dot(hv), this->v.dot(hu), 1e-12 * (1.0 + hv.norm() + hu.norm()));
  Vector elsewhere(this->f.dim());
  this->f.hessian_vector(-2.0 * this->x, this->v, elsewhere);
  this->f.hessian_vector(this->x, this->v, hu);
  EXPECT_EQ(hu, hv) << "a product at another point changed a later result";
}

TYPED_TEST(ObjectiveContract, OnePassGivesTheSameValueAndGradient) {
  Vector g = Vector::Constant(this->f.dim(), std::numeric_limits<double>::quiet_NaN());
  const double value = this->f.value_gradient(this->x, g);
  EXPECT_NEAR(value, this->f.value(this->x), 1e-14 * (1.0 + std::abs(value)));
  EXPECT_LT((g - gradient_of(this->f, this->x)).norm(), 1e-14 * (1.0 + g.norm()));
}

TYPED_TEST(ObjectiveContract, OutputsAreOverwritten) {
  Vector clean = Vector::Zero(this->f.dim());
  Vector dirty = Vector::Constant(this->f.dim(), std::numeric_limits<double>::quiet_NaN());
  this->f.gradient(this->x, clean);
  this->f.gradient(this->x, dirty);
  EXPECT_EQ(clean, dirty);
  dirty.setConstant(std::numeric_limits<double>::quiet_NaN());
  this->f.hessian_vector(this->x, this->v, clean);
  this->f.hessian_vector(this->x, this->v, dirty);
  EXPECT_EQ(clean, dirty);
  dirty.setConstant(std::numeric_limits<double>::quiet_NaN());
  const std::vector<std::int32_t> batch{0};
  this->f.gradient(this->x, batch, clean);
  this->f.gradient(this->x, batch, dirty);
  EXPECT_EQ(clean, dirty);
}

TYPED_TEST(ObjectiveContract, TheBatchOfAllSamplesGivesTheGradient) {
  const Vector g = gradient_of(this->f, this->x);
  Vector batch_gradient(this->f.dim());
  this->f.gradient(this->x, first_indices(this->f.samples()), batch_gradient);
  EXPECT_LT((batch_gradient - g).norm(), 1e-13 * (1.0 + g.norm()));
}

TYPED_TEST(ObjectiveContract, BatchGradientsAverageToTheGradient) {
  const Vector g = gradient_of(this->f, this->x);
  const std::size_t m = this->f.samples();
  for (const std::size_t size : {std::size_t{1}, std::min<std::size_t>(3, m)}) {
    Vector mean = Vector::Zero(this->f.dim());
    Vector one(this->f.dim());
    for (std::size_t first = 0; first < m; ++first) {
      std::vector<std::int32_t> batch;
      for (std::size_t j = 0; j < size; ++j) batch.push_back(static_cast<std::int32_t>((first + j) % m));
      this->f.gradient(this->x, batch, one);
      mean += one / static_cast<double>(m);
    }
    EXPECT_LT((mean - g).norm(), 1e-13 * (1.0 + g.norm())) << "batches of " << size;
  }
}

TYPED_TEST(ObjectiveContract, ClosedFormSolutionIsStationary) {
  constexpr bool closed_form = requires { TypeParam::closed_form; };
  if constexpr (ExactlySolvable<typename TestFixture::Function>) {
    for (const double lambda : {0.0, 0.7, 40.0}) {
      for (const Vector* h : {static_cast<const Vector*>(nullptr), static_cast<const Vector*>(&this->v)}) {
        Vector y(this->f.dim());
        ASSERT_EQ(this->f.solve(h, lambda, this->u, y), closed_form);
        if (!closed_form) continue;
        Vector g = gradient_of(this->f, y) + lambda * (y - this->u);
        if (h != nullptr) g -= *h;
        EXPECT_LT(g.norm(), 1e-11) << "lambda = " << lambda;
      }
    }
  } else {
    static_assert(!closed_form);
  }
}

TYPED_TEST(ObjectiveContract, RepeatedCallsGiveTheSameBits) {
  auto copy = this->f;
  EXPECT_EQ(this->f.value(this->x), copy.value(this->x));
  EXPECT_EQ(gradient_of(this->f, this->x), gradient_of(copy, this->x));
}

TYPED_TEST(ObjectiveContract, NothingIsAllocatedAfterTheFirstUse) {
  if (!allocations_are_counted()) GTEST_SKIP() << "the sanitizer of this build replaces the allocator";
  const std::vector<std::int32_t> batch = first_indices(this->f.samples());
  Vector out(this->f.dim());
  double sum = 0.0;
  const auto use = [&](const Vector& at) {
    sum += this->f.value(at);
    this->f.gradient(at, out);
    sum += this->f.value_gradient(at, out);
    this->f.gradient(at, batch, out);
    this->f.hessian_vector(at, this->v, out);
    if constexpr (ExactlySolvable<typename TestFixture::Function>)
      sum += this->f.solve(&this->v, 0.5, at, out) ? 1.0 : 0.0;
  };
  use(this->x);
  const std::size_t before = allocations();
  use(this->u);
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(AllocationCount, SeesAnEigenVectorBeingMade) {
  if (!allocations_are_counted()) GTEST_SKIP() << "the sanitizer of this build replaces the allocator";
  const std::size_t before = allocations();
  const Vector made = Vector::Ones(100);
  EXPECT_EQ(made.sum(), 100.0);
  EXPECT_GT(allocations(), before);
}

}  // namespace
}  // namespace driftless::test
