// The geometry of the delegate: φ(x) = f_1(x) + (μ_φ/2)‖x‖² instead of ½‖x‖², with its Bregman distance
// D(p, q) = φ(p) − φ(q) − ⟨∇φ(q), p − q⟩.
//
//   mirror step   v⁺ = argmin_z ⟨s, z⟩ + W(z),   W(z) = (1 − β) D(z, v) + β D(z, y)
//
// W(z) = f_1(z) − ⟨(1 − β)∇f_1(v) + β∇f_1(y), z⟩ + (μ_φ/2)‖z − (1 − β)v − βy‖² + const: two centres are one, and the
// step is a local problem like any other.
#pragma once

#include "driftless/components/server/delegate.hpp"

#include <cmath>

namespace driftless {

class DelegateGeometry {
 public:
  DelegateGeometry(Delegate& delegate, double mu_phi) : delegate_(delegate), mu_phi_(mu_phi) {}

  struct From {  // where W is centred; the delegate has kept its gradient at y
    const Vector& v;
    const Vector& y;
    double beta;
  };

  void prepare(const Federation& fed) { g_v_ = h_ = fed.per_client<Vector>(Vector::Zero(0)); }

  Vector mirror_step(Federation& fed, const From& from, const Vector& s, const LocalSolver& solver) {
    const Vector center = (1.0 - from.beta) * from.v + from.beta * from.y;
    return delegate_.publish(fed, [&](Client& i, VecOut z) {
      g_v_[i].resize(from.v.size());
      i.gradient(from.v, g_v_[i]);
      h_[i] = (1.0 - from.beta) * g_v_[i] + from.beta * delegate_.own_gradient(i) - s;
      z = from.v;
      i.minimize({.shift = &h_[i], .center = &center, .lambda = mu_phi_}, z, solver);
    });
  }

  struct Distances {
    double W;         // W(v⁺)
    double D;         // D(x⁺, y)
    double rounding;  // to expect in either
  };

  // After the mirror step to v⁺, for the server.
  Distances distances(Federation& fed, const From& from, const Vector& v_new, const Vector& x_new) {
    const Vector told = delegate_.tell_server(fed, 3, [&](Client& i, VecOut d) {
      const Vector& g_y = delegate_.own_gradient(i);
      const double f_y = i.value(from.y);
      const double f_v_new = i.value(v_new);
      d[0] = (1.0 - from.beta) * bregman(f_v_new - i.value(from.v), v_new - from.v, g_v_[i]) +
             from.beta * bregman(f_v_new - f_y, v_new - from.y, g_y);
      d[1] = bregman(i.value(x_new) - f_y, x_new - from.y, g_y);
      d[2] = 1e-14 * (1.0 + std::abs(f_y));
    });
    return {told[0], told[1], told[2]};
  }

 private:
  // D(p, q) from f_1(p) − f_1(q), p − q and ∇f_1(q)
  double bregman(double rise, const Vector& step, const Vector& gradient) const {
    return rise - gradient.dot(step) + 0.5 * mu_phi_ * step.squaredNorm();
  }

  Delegate& delegate_;
  double mu_phi_;
  PerClient<Vector> g_v_, h_;  // ∇f_1(v), the shift of the local problem; empty but for the delegate
};

}  // namespace driftless
