// Catalyst. Lin, Mairal, Harchaoui, "A universal Catalyst for first-order optimization", NeurIPS 2015. It wraps any
// inner method:
//
//   q = μ/(μ + κ);  y_0 = z_0 = x⁰
//   z_{t+1} ≈ argmin_x f(x) + (κ/2)‖x − y_t‖², by the inner method, started at z_t
//   y_{t+1} = z_{t+1} + β_t (z_{t+1} − z_t)
//     constant:  β = (1 − √q)/(1 + √q)
//     variable:  ζ_{t+1}² + (ζ_t² − q) ζ_{t+1} − ζ_t² = 0,  β_t = ζ_t(1 − ζ_t)/(ζ_t² + ζ_{t+1})
//
// Each client adds (κ/2)‖· − y‖² to its own f_i: δ_A and δ_B do not change, μ becomes μ + κ. κ = 0 is the inner method
// itself. ζ_0 = √q, for which both forms agree; 1 where μ = 0.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"

#include <array>
#include <cmath>

namespace driftless {

enum class CatalystMomentum { constant, variable };
template <>
struct EnumNames<CatalystMomentum> {
  static constexpr std::array<std::string_view, 2> value{"constant", "variable"};
};

class Catalyst {
 public:
  Catalyst(double kappa, double mu, CatalystMomentum momentum)
      : kappa_(kappa), q_(kappa == 0.0 ? 1.0 : mu / (mu + kappa)), momentum_(momentum) {}

  void start(const Vector& x) {
    y_ = z_ = x;
    zeta_ = q_ > 0.0 ? std::sqrt(q_) : 1.0;
  }

  // ∇(f_i + (κ/2)‖· − y‖²)(x)
  void gradient(Client& i, VecIn x, VecOut g) const {
    i.gradient(x, g);
    if (kappa_ > 0.0) g += kappa_ * (x - y_);
  }
  Pull pull() const { return {y_, kappa_}; }
  // (λ/2)‖· − c‖² + (κ/2)‖· − y‖²: two centres are one.
  Pull with_pull(const Vector& c, double lambda) const {
    if (kappa_ == 0.0) return {c, lambda};
    return joined(c, lambda, pull());
  }

  // Called with z_{t+1}: sets y_{t+1}. Returns the change of ∇(κ/2)‖· − y‖², which is the same everywhere: κ(y_t −
  // y_{t+1}).
  Vector advance(const Vector& z_new) {
    const Vector y_old = y_;
    y_ = z_new + next_beta() * (z_new - z_);
    z_ = z_new;
    return kappa_ * (y_old - y_);
  }

  double kappa() const { return kappa_; }
  const Vector& center() const { return y_; }
  double zeta() const { return zeta_; }

  // y, z and ζ under the names they have in the method that uses this; ζ only where it changes.
  void visit_state(StateVisitor& visit, std::string_view y, std::string_view z) {
    visit.vector(y, y_);
    visit.vector(z, z_);
    if (momentum_ == CatalystMomentum::variable) visit.number("zeta", zeta_);
  }

 private:
  double next_beta() {
    if (momentum_ == CatalystMomentum::constant) return (1.0 - std::sqrt(q_)) / (1.0 + std::sqrt(q_));
    const double square = zeta_ * zeta_;
    const double half = 0.5 * (q_ - square);
    const double next = half + std::sqrt(half * half + square);  // ζ_{t+1}
    const double beta = zeta_ * (1.0 - zeta_) / (square + next);
    zeta_ = next;
    return beta;
  }

  double kappa_;
  double q_;
  CatalystMomentum momentum_;
  Vector y_, z_;
  double zeta_ = 1.0;
};

}  // namespace driftless
