// ‖∇²f_i(x)‖ of one client by power iteration: v ← ∇²f_i(x) v / ‖∇²f_i(x) v‖ from a random start. Every product is a
// pass over the client's data. The estimate grows towards the norm from below. It is L_i for a quadratic, and for
// logistic regression at x = 0, where the loss curves most; elsewhere L_i may be larger.
#pragma once

#include "driftless/federation/client.hpp"

namespace driftless {

inline double largest_curvature(Client& i, const Vector& x, std::size_t products) {
  Vector v(x.size());
  for (double& entry : v) entry = i.chance().normal();
  v.normalize();
  Vector hv(x.size());
  double norm = 0.0;
  for (std::size_t k = 0; k < products; ++k) {
    i.hessian_vector(x, v, hv);
    norm = hv.norm();
    if (norm == 0.0) return 0.0;
    v = hv / norm;
  }
  return norm;
}

}  // namespace driftless
