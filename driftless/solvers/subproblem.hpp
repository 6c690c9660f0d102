// The local problem of a client, the common interface of methods and local solvers. Methods differ in the shift, centre
// and weight that they set here.
//
//   F(y) = f(y) − ⟨h, y⟩ + (λ/2)‖y − c‖²
//
// Two centres are one: (η/2)‖y − a‖² + (λ/2)‖y − b‖² has weight η + λ at (ηa + λb)/(η + λ).
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/core/work_guard.hpp"
#include "driftless/solvers/iterate_record.hpp"

namespace driftless {

// (λ/2)‖y − c‖²
struct Pull {
  Vector center;
  double lambda = 0.0;
};

// (λ/2)‖y − c‖² and another pull as one, up to a constant.
inline Pull joined(const Vector& c, double lambda, const Pull& other) {
  const double weight = lambda + other.lambda;
  return {(lambda * c + other.lambda * other.center) / weight, weight};
}

// A point z whose gradient is known. Stochastic solvers subtract the noise of a batch ξ at z from its gradient at y:
// g(y, ξ) − β (g(z, ξ) − ∇f(z)). F is not changed, and solvers with full gradients ignore it.
struct Anchor {
  const Vector* point = nullptr;     // z, none = the plain batch gradient
  const Vector* gradient = nullptr;  // ∇f(z)
  double share = 1.0;                // β
};

struct Subproblem {
  const Vector* shift = nullptr;           // h, none = 0
  const Vector* center = nullptr;          // c, none = no quadratic
  double lambda = 0.0;                     // λ
  const Vector* start_gradient = nullptr;  // ∇F at the start, if known: saves the first gradient
  double* smoothness = nullptr;            // running estimate of the smoothness of f, which adaptive solvers continue
  IterateRecord* record = nullptr;         // receives every iterate
  Anchor anchor = {};
  const PassWatch* watch = nullptr;  // is asked before every pass whether to continue
};

// F as an ordinary objective. It counts the passes over the client's data, so that no solver can forget one.
template <Objective F>
class Shifted {
 public:
  Shifted(const F& f, const Subproblem& s) : f_(f), s_(s) {}

  double value(VecIn y) {
    count_pass();
    return value_of(f_, y) + extra_value(y);
  }
  void gradient(VecIn y, VecOut g) {
    count_pass();
    gradient_of(f_, y, g);
    add_extra_gradient(y, g);
  }
  double value_gradient(VecIn y, VecOut g) {
    count_pass();
    const double v = f_.value_gradient(y, g);
    add_extra_gradient(y, g);
    return v + extra_value(y);
  }
  void gradient(VecIn y, Batch batch, VecOut g)
    requires FiniteSum<F>
  {
    count_pass();
    f_.gradient(y, batch, g);
    add_extra_gradient(y, g);
  }
  // Where there is an anchor: g ← g − β (g(z, ξ) − ∇f(z)).
  void take_out_noise(Batch batch, VecOut g, Vector& scratch)
    requires FiniteSum<F>
  {
    if (s_.anchor.point == nullptr) return;
    count_pass();
    f_.gradient(*s_.anchor.point, batch, scratch);
    g -= s_.anchor.share * (scratch - *s_.anchor.gradient);
  }
  void hessian_vector(VecIn y, VecIn v, VecOut hv)
    requires TwiceDifferentiable<F>
  {
    count_pass();
    f_.hessian_vector(y, v, hv);
    if (pulls()) hv += s_.lambda * v;
  }
  // ∇F at the start: taken from the subproblem where it is known there.
  void start_gradient(VecIn y, VecOut g) {
    if (s_.start_gradient != nullptr) g = *s_.start_gradient;
    else gradient(y, g);
  }

  std::size_t passes() const { return passes_; }

 private:
  void count_pass() {
    if (s_.watch != nullptr) s_.watch->at_pass(passes_);
    ++passes_;
  }
  bool pulls() const { return s_.center != nullptr && s_.lambda != 0.0; }
  double extra_value(VecIn y) const {
    double extra = 0.0;
    if (s_.shift != nullptr) extra -= s_.shift->dot(y);
    if (pulls()) extra += 0.5 * s_.lambda * (y - *s_.center).squaredNorm();
    return extra;
  }
  void add_extra_gradient(VecIn y, VecOut g) const {
    if (s_.shift != nullptr) g -= *s_.shift;
    if (pulls()) g += s_.lambda * (y - *s_.center);
  }

  const F& f_;
  const Subproblem& s_;
  std::size_t passes_ = 0;
};

}  // namespace driftless
