// Nesterov's accelerated gradient descent, for reference.
//
//   y_k = x_k + β_k (x_k − x_{k−1}),  y_0 = x_0
//   x_{k+1} = y_k − γ ∇f(y_k)
//   convex (μ = 0): β_k = (k − 1)/(k + 2) for k ≥ 1;  strongly convex: β = (√κ − 1)/(√κ + 1), κ = 1/(γ μ)
//
// γ = step, x_{k−1} = x_previous_. Rates with γ = 1/L: convex f(x_k) − f* ≤ 2 L R_0²/(k + 1)²;
// strongly convex f(x_k) − f* ≤ ((L + μ)/2) R_0² (1 − 1/√κ)^k.
#pragma once

#include "driftless/methods/method.hpp"

#include <cmath>

namespace driftless {

struct AgdOptions {
  double step = required;
  double mu = 0.0;

  static Fields fields() {
    using S = AgdOptions;
    return {field("step", &S::step, positive, "γ, step size; 1/L_f is safe"),
            field("mu", &S::mu, nonnegative, "μ, strong convexity of f; 0 = the convex scheme")};
  }
  void check() const {
    if (mu * step > 1.0)
      throw ConfigError({.what = "'mu' is larger than 1/step: f cannot be more strongly convex than it is smooth",
                         .seen = "mu = " + number(mu) + ", step = " + number(step),
                         .advice = "give mu <= 1/step"});
  }
};

class Agd final : public MethodWith<AgdOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation&, Vector& x) override { x_previous_ = x; }

  void round(Federation& fed, Vector& x) override {
    const Vector y = x + momentum(fed.round()) * (x - x_previous_);
    const Vector g = fed.mean([&](Client& i, VecOut row) {
      i.gradient(y, row);
      i.count_step();
    });
    x_previous_ = x;
    x = y - o_.step * g;
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override { visit.vector("x_previous", x_previous_); }

 private:
  double momentum(std::size_t k) const {
    if (o_.mu == 0.0) return k == 0 ? 0.0 : (static_cast<double>(k) - 1.0) / (static_cast<double>(k) + 2.0);
    const double root = std::sqrt(1.0 / (o_.step * o_.mu));
    return (root - 1.0) / (root + 1.0);
  }

  Vector x_previous_;
};

}  // namespace driftless
