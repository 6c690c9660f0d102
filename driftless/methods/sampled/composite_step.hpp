// The inexact composite gradient step of the delegate (I-CGM) along an estimate g_t of ∇f(x_t):
//
//   x_{t+1} ≈ argmin_y F_t(y) = f_1(y) + ⟨g_t − ∇f_1(x_t), y⟩ + (λ/2)‖y − x_t‖²
//     K_t ~ Geom(p_loc), at least 1, drawn at once:  y ← (η y + λ x_t + ∇f_1(x_t) − g_t − ∇f_1(y))/(η + λ), from x_t
//
// With η ≥ L_1 no step increases F_t. p_loc = 0 leaves the solve to another local solver.
#pragma once

#include "driftless/components/server/delegate.hpp"

namespace driftless {

struct CompositeStepOptions {
  double lambda = required;
  double p_loc = required;
  LocalSolverOptions local = {};
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = CompositeStepOptions;
    return {field("lambda", &S::lambda, nonnegative, "λ, pull of the delegate towards the server point"),
            field("p_loc", &S::p_loc, Range{.low = 0.0, .high = 1.0},
                  "1/p_loc is the mean number of local steps, of length 1/(η + λ); 0: as 'solver' and 'stop_rule' say"),
            nested(&S::local), nested(&S::at_server)};
  }
  void check() const {
    local.check();
    if (p_loc > 0.0 && local.eta == 0.0)
      throw ConfigError({.what = "the local steps need 'eta', the smoothness of the delegate's loss",
                         .seen = "p_loc = " + number(p_loc) + ", eta = 0",
                         .advice = "give eta > 0, e.g. L, or p_loc = 0 and a solver that needs none"});
  }
};

class CompositeStep {
 public:
  explicit CompositeStep(const CompositeStepOptions& options) : o_(options), delegate_(options.at_server) {}

  void prepare(const Federation& fed) { delegate_.prepare(fed); }
  // x_{t+1}, which stays at the server until an exchange names its receivers.
  Vector from(Federation& fed, const Vector& x, const Vector& g) {
    return delegate_.prox_of_estimate(fed, x, g, o_.lambda, solver(fed));
  }

 private:
  LocalSolver solver(Federation& fed) const {
    if (o_.p_loc == 0.0) return o_.local.at_round(fed.round(), o_.lambda);
    return ProxGradient{.eta = o_.local.eta, .stop = {.max_steps = fed.geometric(o_.p_loc)}};
  }

  CompositeStepOptions o_;
  Delegate delegate_;
};

}  // namespace driftless
