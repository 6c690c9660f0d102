// The bounded non-convex term β Σ_k x_k²/(1 + x_k²) of quadratics and linear models. Its second derivative lies in
// [−β/2, 2β].
#pragma once

#include "driftless/core/objective.hpp"

namespace driftless {

struct BoundedRegularizer {
  double beta = 0.0;

  // One coordinate, without β.
  static double value(double x) { return x * x / (1.0 + x * x); }
  static double slope(double x) {
    const double q = 1.0 + x * x;
    return 2.0 * x / (q * q);
  }
  static double curvature(double x) {
    const double q = 1.0 + x * x;
    return (2.0 - 6.0 * x * x) / (q * q * q);
  }

  bool active() const { return beta != 0.0; }

  double value(VecIn x) const {
    if (!active()) return 0.0;
    double sum = 0.0;
    for (const double x_k : x) sum += value(x_k);
    return beta * sum;
  }
  void add_gradient(VecIn x, VecOut g) const {
    if (!active()) return;
    for (Index k = 0; k < x.size(); ++k) g[k] += beta * slope(x[k]);
  }
  void add_hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    if (!active()) return;
    for (Index k = 0; k < x.size(); ++k) hv[k] += beta * curvature(x[k]) * v[k];
  }
  void add_hessian_diagonal(VecIn x, VecOut diagonal) const {
    if (!active()) return;
    for (Index k = 0; k < x.size(); ++k) diagonal[k] += beta * curvature(x[k]);
  }
  void add_hessian(VecIn x, VecOut triangle) const {
    if (!active()) return;
    for (Index k = 0; k < x.size(); ++k) triangle[triangle_size(k + 1) - 1] += beta * curvature(x[k]);
  }
};

}  // namespace driftless
