#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/fedred/rates.hpp"
#include "driftless/methods/fedred/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

// p = (λ + μ/2)/(η ± μ/2) with λ = δ_A and η = L: + for exact steps, − for gradient steps.
TheoryValue p_of_exact_steps() {
  return theory::number("p", "(λ + μ/2)/(η + μ/2)", [](const Constants& c) {
    return std::min(1.0, (c.delta_A + c.mu / 2.0) / (c.L + c.mu / 2.0));
  });
}
TheoryValue p_of_gradient_steps() {
  return theory::number("p", "(λ + μ/2)/(η − μ/2)", [](const Constants& c) {
    return std::min(1.0, (c.delta_A + c.mu / 2.0) / (c.L - c.mu / 2.0));
  });
}

}  // namespace

std::vector<MethodEntry> fedred_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  return {
      entry<FedRed>({.name = "fedred",
                     .summary = "doubly regularised drift correction, exact local steps",
                     .paper = jiang,
                     .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
                     .rate = {.rounds = rates::similarity_rounds(), .proved_for = Convexity::any},
                     .theory = {theory::lambda_is_delta_A(), theory::eta_is_L(), p_of_exact_steps()},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}},
                    fedred_theorems),
      entry<FedRed>({.name = "fedred-gd",
                     .summary = "doubly regularised drift correction, one gradient per local step",
                     .paper = jiang,
                     .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
                     .rate = fedred_gd_rate(),
                     .theory = {theory::lambda_is_delta_A(), theory::eta_is_L(), p_of_gradient_steps()},
                     .fixed = {{"solver", "gd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}},
                    fedred_theorems),
      entry<FedRed>(
          {.name = "fedred-sgd",
           .summary = "doubly regularised drift correction, one minibatch per local step",
           .paper = jiang,
           .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
           .rate = {.rounds = {rates::strongly_convex("(δ_A/μ) log(1/ε)"), rates::convex("δ_A R_0²/ε"),
                               rates::non_convex("δ_B F_0/ε, plus noise")},
                    .proved_for = Convexity::any},
           .theory = {theory::lambda_is_delta_A(),
                      theory::number("eta", "2 L, a rule of thumb", [](const Constants& c) { return 2.0 * c.L; }),
                      theory::number("p", "λ/η",
                                     [](const Constants& c) { return std::min(1.0, c.delta_A / (2.0 * c.L)); }),
                      theory::small_batches()},
           .limit = "the noise of minibatches does not vanish",
           .fixed = {{"solver", "sgd"s}},
           .demo = {{"lambda", 5.0}, {"eta", 200.0}, {"p", 0.055}, {"batch", std::int64_t{5}}}},
          fedred_theorems),
      entry<FedRed>({.name = "fedred-gd-drift",
                     .summary = "fedred-gd whose corrections follow the drift: one exchange per round",
                     .paper = jiang,
                     .messages = {"x_i", "x̃"},
                     .rate = {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε) with λ = 0, where it is scaffnew"),
                                         rates::remark("no theorem for λ > 0")},
                              .proved_for = Convexity::strongly_convex},
                     .theory = {theory::number("lambda", "0", [](const Constants&) { return 0.0; }), theory::eta_is_L(),
                                theory::p_is_inverse_root_condition()},
                     .fixed = {{"solver", "gd"s}, {"control_variate", "drift"s}},
                     .demo = {{"lambda", 2.5}, {"eta", 100.0}, {"p", 0.05}, {"m", 7.5}}}),
  };
}

}  // namespace driftless
