// Centralised gradient descent: the yardstick.
//
//   for r = 0, 1, …:
//     everyone sends ∇f_i(x^r)
//     x^{r+1} = x^r − γ · (1/n) Σ_i ∇f_i(x^r)
//
// γ = step_. Rates with γ = 1/L: ‖x_k − x*‖² ≤ (1 − μ/L)^k R_0²; convex f(x_k) − f* ≤ L R_0²/(2k);
// non-convex min_k ‖∇f(x_k)‖² ≤ 2 L F_0/K.
#pragma once

#include "driftless/methods/method.hpp"

namespace driftless {

struct GdOptions {
  double step = required;

  static constexpr auto fields() {
    return std::tuple{field("step", &GdOptions::step, positive, "γ, step size; 1/L_f is safe")};
  }
};

class Gd final : public Method {
 public:
  using Options = GdOptions;
  explicit Gd(const Options& o) : o_(o) {}

  void start(Federation&, Vector&) override {}

  void round(Federation& fed, Vector& x) override {
    const Vector g = fed.mean([&](Client& i, VecOut row) {
      i.gradient(x, row);
      i.count_step();
    });
    x -= o_.step * g;
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }

 private:
  Options o_;
};

}  // namespace driftless
