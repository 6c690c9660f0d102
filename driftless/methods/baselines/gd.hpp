// Centralised gradient descent: the yardstick.
//
//   for r = 0, 1, …:
//     everyone sends ∇f_i(x^r)
//     x^{r+1} = x^r − γ · (1/n) Σ_i ∇f_i(x^r)
//
// With a compressor the mean of the gradients is formed from codes (components/compression/compressed_mean.hpp), and
// the name in the literature depends on the memory: DCGD (none), EF14 (error-feedback), DIANA (difference, unbiased
// compressor), EF21 (difference, top-k).
//
// γ = step. Rates with γ = 1/L: ‖x_k − x*‖² ≤ (1 − μ/L)^k R_0²; convex f(x_k) − f* ≤ L R_0²/(2k);
// non-convex min_k ‖∇f(x_k)‖² ≤ 2 L F_0/K.
// DIANA with γ = 1/(L(1 + 6ω/n)): E V_k ≤ (1 − min(γμ, α/2))^k V_0, V = ‖x − x*‖² + (4ωγ²/α)(1/n²) Σ‖s_i − ∇f_i(x*)‖²,
// α = 1/(1 + ω); Gorbunov, Hanzely, Richtárik, AISTATS 2020.
// EF21 with γ = 1/(L(1 + √(2β/θ))), θ = 1 − √(1 − α), β = (1 − α)/θ: Ψ_k ≤ (1 − γμ)^k Ψ_0 where γμ ≤ θ/2,
// Ψ = f − f* + (γ/θ)(1/n) Σ‖s_i − ∇f_i‖² with s_i as sent at that x.
// Both rates were reconstructed without access to the articles and checked numerically.
#pragma once

#include "driftless/components/compression/compressed_mean.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct GdOptions {
  double step = required;
  CodeOptions code = {};

  static Fields fields() {
    using S = GdOptions;
    return {field("step", &S::step, positive, "γ, step size; 1/L_f is safe without a code"), nested(&S::code)};
  }
};

class Gd final : public MethodWith<GdOptions> {
 public:
  explicit Gd(const Options& o) : MethodWith(o), code_(o.code) {}

  void start(Federation& fed, Vector&) override { code_.start(fed); }

  void round(Federation& fed, Vector& x) override {
    const Vector g = code_.mean(fed, {fed.everyone(), fed.everyone()}, [&](Client& i, VecOut row) {
      i.gradient(x, row);
      i.count_step();
    });
    x -= o_.step * g;
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override { code_.visit_state(visit); }

 private:
  CompressedMean code_;
};

}  // namespace driftless
