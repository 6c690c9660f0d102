// p with (∇²f_i(x) + λ I) p = g by conjugate gradients inside one client; every Hessian product is a pass over its
// data, and the whole solve counts as one local step. Where f_i is not convex, it stops at the first direction without
// positive curvature.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/client.hpp"
#include "driftless/solvers/conjugate_gradients.hpp"

namespace driftless {

struct HessianSolveOptions {
  std::size_t cg_steps = 1000;
  double cg_tolerance = 1e-10;

  static Fields fields() {
    using S = HessianSolveOptions;
    return {
        field("cg_steps", &S::cg_steps, at_least_one, "most Hessian products of a local solve"),
        field("cg_tolerance", &S::cg_tolerance, nonnegative, "residual of a local solve, relative to the right side")};
  }
};

inline void solve_hessian(Client& i, const Vector& x, const Vector& g, double lambda, VecOut p,
                          const HessianSolveOptions& options) {
  Vector v(g.size()), r = g, u(g.size()), hu(g.size()), s(g.size());
  const auto product = [&](const Vector& direction, Vector& result) {
    i.hessian_vector(x, direction, result);
    result += lambda * direction;
  };
  const CgReport end =
      conjugate_gradients(product, no_preconditioner, {v, r, u, hu, s}, {options.cg_steps, options.cg_tolerance});
  p = !end.convex && end.steps == 0 ? g : v;
  i.count_step();
}

}  // namespace driftless
