// Parameter values that several theorems share, for the catalogue. Where no theorem names a value, the formula says
// that it is a rule of thumb.
//
// Formulas are written so that a test can evaluate them: symbols of constants (L, μ, δ_A, …) and of options (λ =
// lambda, η = eta, γ = step, …), and after a comma what further symbols stand for, or words.
#pragma once

#include "driftless/methods/method_entry.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::theory {

using In = const TheoryInput&;
using Values = std::vector<TheoryValue>;
using Number = double (*)(In);
using Applies = bool (*)(In);

inline TheoryCase when(std::string condition, Applies applies, std::string formula, Number value) {
  return {std::move(formula), [value](In t) -> OptionValue { return value(t); }, std::move(condition), applies};
}
inline TheoryCase otherwise(std::string formula, Number value) {
  return {std::move(formula), [value](In t) -> OptionValue { return value(t); }};
}
inline TheoryValue number(std::string option, std::string formula, Number value) {
  return {std::move(option), {otherwise(std::move(formula), value)}};
}
inline TheoryValue count(std::string option, std::string formula, Number value) {
  return {std::move(option), {{std::move(formula), [value](In t) -> OptionValue {
                                 return static_cast<std::int64_t>(std::clamp(std::ceil(value(t)), 1.0, 1e6));
                               }}}};
}
inline TheoryValue choice(std::string option, std::string formula, std::string chosen) {
  return {std::move(option),
          {{std::move(formula), [chosen = std::move(chosen)](In) -> OptionValue { return chosen; }}}};
}

// A probability. What is not a number remains so, and is rejected: a square root of μ < 0, say.
inline double at_most_one(double value) { return value > 1.0 ? 1.0 : value; }

inline TheoryValue mu() {
  return number("mu", "max(μ, 0)", [](In t) { return std::max(t.c.mu, 0.0); });
}
inline TheoryValue lambda_is_delta_A() {
  return number("lambda", "δ_A", [](In t) { return t.c.delta_A; });
}
// Of the client at the server.
inline TheoryValue lambda_is_delta_of_delegate() {
  return {"lambda",
          {when(
               "with delegate = 0", [](In t) { return t["delegate"] == 0.0; }, "Δ_1", [](In t) { return t.c.delta_1; }),
           otherwise("δ_B, which bounds that of every client", [](In t) { return t.c.delta_B; })}};
}
inline TheoryValue eta_is_L() {
  return number("eta", "L", [](In t) { return t.c.L; });
}
inline TheoryValue step_is_inverse_L() {
  return number("step", "1/L", [](In t) { return 1.0 / t.c.L; });
}
inline TheoryValue p_of_step() {
  return number("p", "min(1, √(γ μ)), γ = step", [](In t) { return at_most_one(std::sqrt(t["step"] * t.c.mu)); });
}
inline TheoryValue step_is_inverse_L_K() {
  return number("step", "1/(L K), K = local_steps, a rule of thumb",
                [](In t) { return 1.0 / (t["local_steps"] * t.c.L); });
}
inline TheoryValue local_steps_are_L_over_delta() {
  return count("local_steps", "⌈L/δ_B⌉", [](In t) { return t.c.L / t.c.delta_B; });
}
inline TheoryValue small_batches() {
  return count("batch", "8, for comparison", [](In) { return 8.0; });
}
inline double root_mu_L(In t) { return std::sqrt(t.c.mu * t.c.L); }

}  // namespace driftless::theory
