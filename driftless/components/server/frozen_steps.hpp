// Local steps with server statistics that are constant during the round, as in Mime and MimeMVR:
//
//   y = x;  K times, with one batch ξ for both gradients:  y ← y − γ [w (g_i(y, ξ) − β g_i(x, ξ)) + e]
//
// As steps on a local problem: F has shift h = β ∇f_i(x) − e/w, the anchor x with share β, and steps of length γ w.
// The caller knows ∇f_i(x), so full batches need no gradient at x.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/federation/client.hpp"

namespace driftless {

struct FrozenDirection {
  double w = 1.0;     // weight of the fresh gradients
  double beta = 1.0;  // β, fraction of the gradient at x that is subtracted
  Vector e;           // sent by the server
};

inline void take_frozen_steps(Client& i, const Vector& x, const Vector& gradient, const FrozenDirection& direction,
                              LocalStepOptions steps, VecOut y) {
  const auto& [w, beta, e] = direction;
  const Vector shift = beta * gradient - e / w;
  const Vector first = gradient - shift;  // ∇F(x)
  steps.step *= w;
  y = x;
  i.minimize({.shift = &shift,
              .start_gradient = &first,
              .anchor = {.point = beta == 0.0 ? nullptr : &x, .gradient = &gradient, .share = beta}},
             y, steps.solver());
}

}  // namespace driftless
