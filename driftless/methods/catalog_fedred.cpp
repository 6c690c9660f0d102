#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/fedred.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

using namespace std::string_literals;

namespace {

// p = (λ + μ/2)/(η ± μ/2) with λ = δ_A and η = L: + for exact steps, − for gradient steps.
OptionValue fedred_p(const Constants& c, double sign) {
  return std::min(1.0, (c.delta_A + c.mu / 2.0) / (c.L + sign * c.mu / 2.0));
}

}  // namespace

std::vector<MethodEntry> fedred_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  const std::string similarity = "(δ_A/μ) log(1/ε); convex δ_A R_0²/ε; non-convex δ_B F_0/ε";
  const TheoryValue lambda{"lambda", "δ_A", [](const Constants& c) { return OptionValue(c.delta_A); }};
  const TheoryValue no_lambda{"lambda", "0", [](const Constants&) { return OptionValue(0.0); }};
  const TheoryValue eta{"eta", "L", [](const Constants& c) { return OptionValue(c.L); }};
  const TheoryValue p_exact{"p", "(λ + μ/2)/(η + μ/2)", [](const Constants& c) { return fedred_p(c, 1.0); }};
  const TheoryValue p_gd{"p", "(λ + μ/2)/(η − μ/2)", [](const Constants& c) { return fedred_p(c, -1.0); }};
  const TheoryValue p_root{"p", "√(μ/L)", [](const Constants& c) { return OptionValue(std::sqrt(c.mu / c.L)); }};
  return {
      entry<FedRed>({.name = "fedred",
                     .summary = "doubly regularised drift correction, exact local steps",
                     .paper = jiang,
                     .rate = similarity,
                     .proved_for = Convexity::any,
                     .theory = {lambda, eta, p_exact},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}}),
      entry<FedRed>({.name = "fedred-gd",
                     .summary = "doubly regularised drift correction, one gradient per local step",
                     .paper = jiang,
                     .rate = similarity,
                     .proved_for = Convexity::any,
                     .theory = {lambda, eta, p_gd},
                     .fixed = {{"solver", "gd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}}),
      entry<FedRed>({.name = "fedred-sgd",
                     .summary = "doubly regularised drift correction, one minibatch per local step",
                     .paper = jiang,
                     .rate = similarity + ", plus noise",
                     .proved_for = Convexity::any,
                     .reaches_minimizer = false,
                     .fixed = {{"solver", "sgd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 200.0}, {"p", 0.055}, {"batch", std::int64_t{5}}}}),
      entry<FedRed>({.name = "fedred-gd-drift",
                     .summary = "fedred-gd whose corrections follow the drift: one exchange per round",
                     .paper = jiang,
                     .rate = "√(L/μ) log(1/ε) with λ = 0, where it is scaffnew; no theorem for λ > 0",
                     .proved_for = Convexity::strongly_convex,
                     .theory = {no_lambda, eta, p_root},
                     .fixed = {{"solver", "gd"s}, {"control_variate", "drift"s}},
                     .demo = {{"lambda", 2.5}, {"eta", 100.0}, {"p", 0.05}, {"m", 7.5}}}),
  };
}

}  // namespace driftless
