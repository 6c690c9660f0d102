// Compares the derivatives of an own objective with differences of its values. A wrong sign or a forgotten factor shows
// here at once, and later only as a run that diverges or is slow.
//
//   const driftless::GradientCheck check = driftless::check_gradient(objective);
//   if (!check.passed()) std::cerr << check.brief() << '\n';
#pragma once

#include "driftless/federation/client_objective.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace driftless {

struct GradientCheckOptions {
  std::size_t variables = 100;  // most variables that are compared; where there are more, some are drawn
  double tolerance = 1e-5;      // of the errors, relative to the largest entry
  std::uint64_t seed = 1;       // of the variables and directions, and of x where none is given
};

struct GradientCheck {
  // The variable with the largest error of a derivative.
  struct Comparison {
    std::string derivative;  // "gradient", "Hessian product"
    Index variable = 0;      // counted from 0
    double given = 0.0;      // by the objective
    double expected = 0.0;   // by differences
    double error = 0.0;      // relative to the largest entry
  };

  std::vector<Comparison> comparisons;
  double tolerance = 0.0;

  bool passed() const;
  std::string brief() const;  // one line for each comparison
};

// The gradient by central differences of the value; Hessian products by differences of the gradient, where
// `hessian_products` says that the objective has them. `value` and `gradient` are compared with `value_gradient` too.
GradientCheck check_gradient(const ClientObjective& f, VecIn x, bool hessian_products,
                             const GradientCheckOptions& options = {});
// Of normal numbers: at special points such as zero, errors can cancel.
Vector random_point(Index dim, std::uint64_t seed);

template <Objective F>
GradientCheck check_gradient(F f, VecIn x, const GradientCheckOptions& options = {}) {
  return check_gradient(*make_client(std::move(f)), x, TwiceDifferentiable<F>, options);
}
template <Objective F>
GradientCheck check_gradient(F f, const GradientCheckOptions& options = {}) {
  const Vector x = random_point(f.dim(), options.seed);
  return check_gradient(std::move(f), x, options);
}

}  // namespace driftless
