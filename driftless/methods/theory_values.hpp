// Parameter values that several theorems share, for the catalogue. Where no theorem names a value, the formula says
// that it is a rule of thumb.
#pragma once

#include "driftless/methods/method_entry.hpp"

#include <algorithm>
#include <cmath>

namespace driftless::theory {

using Values = std::vector<TheoryValue>;

inline TheoryValue number(std::string option, std::string formula, double (*value)(const Constants&)) {
  return {std::move(option), std::move(formula), [value](const Constants& c) -> OptionValue { return value(c); }};
}
inline TheoryValue count(std::string option, std::string formula, double (*value)(const Constants&)) {
  return {std::move(option), std::move(formula), [value](const Constants& c) -> OptionValue {
            return static_cast<std::int64_t>(std::clamp(std::ceil(value(c)), 1.0, 1e6));
          }};
}

inline TheoryValue mu() {
  return number("mu", "μ", [](const Constants& c) { return std::max(c.mu, 0.0); });
}
inline TheoryValue lambda_is_delta_A() {
  return number("lambda", "δ_A", [](const Constants& c) { return c.delta_A; });
}
inline TheoryValue lambda_is_two_delta_A() {
  return number("lambda", "2 δ_A", [](const Constants& c) { return 2.0 * c.delta_A; });
}
inline TheoryValue lambda_is_delta_1() {
  return number("lambda", "Δ_1", [](const Constants& c) { return c.delta_1; });
}
inline TheoryValue eta_is_L() {
  return number("eta", "L", [](const Constants& c) { return c.L; });
}
inline TheoryValue step_is_inverse_L() {
  return number("step", "1/L", [](const Constants& c) { return 1.0 / c.L; });
}
inline TheoryValue p_is_inverse_root_condition() {
  return number("p", "√(μ/L)", [](const Constants& c) { return std::sqrt(c.mu / c.L); });
}
// For the default of ten local steps.
inline TheoryValue step_is_inverse_L_K() {
  return number("step", "1/(L K), K = local_steps = 10", [](const Constants& c) { return 1.0 / (10.0 * c.L); });
}
inline TheoryValue local_steps_are_L_over_delta() {
  return count("local_steps", "⌈L/δ_B⌉", [](const Constants& c) { return c.L / c.delta_B; });
}
inline TheoryValue small_batches() {
  return count("batch", "8, for comparison", [](const Constants&) { return 8.0; });
}
inline double root_mu_L(const Constants& c) { return std::sqrt(std::max(c.mu, 0.0) * c.L); }

}  // namespace driftless::theory
