#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/fedred/rates.hpp"
#include "driftless/methods/fedred/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

using theory::In;

// The theorem for any f draws one client's point; the others are of convex f_i and the mean.
bool for_any_f(In t) { return t.is("averaging", "random") || !t.c.convex(); }
bool exact(In t) { return t.is("solver", "exact"); }
const char* const any_f = "with averaging = \"random\" or a non-convex f_i";
const char* const any_f_exact = "with solver = \"exact\" and averaging = \"random\" or a non-convex f_i";

TheoryValue lambda_of_fedred() {
  return {"lambda",
          {theory::when(any_f, for_any_f, "δ_B", [](In t) { return t.c.delta_B; }),
           theory::otherwise("δ_A", [](In t) { return t.c.delta_A; })}};
}

// With noise of variance σ² the theorem has η = L + σ²/ε.
TheoryValue eta_of_fedred() {
  return {"eta",
          {theory::when(
               any_f_exact, [](In t) { return for_any_f(t) && exact(t); }, "4 λ, λ = lambda",
               [](In t) { return 4.0 * t["lambda"]; }),
           theory::when(any_f, for_any_f, "6 L", [](In t) { return 6.0 * t.c.L; }),
           theory::when(
               "with solver = \"sgd\"", [](In t) { return t.is("solver", "sgd"); }, "2 L, a rule of thumb",
               [](In t) { return 2.0 * t.c.L; }),
           theory::otherwise("L", [](In t) { return t.c.L; })}};
}

TheoryValue p_of_fedred() {
  const std::string where = ", λ = lambda, η = eta";
  return {
      "p",
      {theory::when(
           any_f_exact, [](In t) { return for_any_f(t) && exact(t); }, "min(1, 2 λ/η)" + where,
           [](In t) { return theory::at_most_one(2.0 * t["lambda"] / t["eta"]); }),
       theory::when(any_f, for_any_f, "min(1, 6 λ/η)" + where,
                    [](In t) { return theory::at_most_one(6.0 * t["lambda"] / t["eta"]); }),
       theory::when("with solver = \"exact\"", exact, "min(1, (λ + μ/2)/(η + μ/2))" + where,
                    [](In t) { return theory::at_most_one((t["lambda"] + t.c.mu / 2.0) / (t["eta"] + t.c.mu / 2.0)); }),
       theory::otherwise("min(1, (λ + μ/2)/(η − μ/2))" + where, [](In t) {
         return theory::at_most_one((t["lambda"] + t.c.mu / 2.0) / (t["eta"] - t.c.mu / 2.0));
       })}};
}

theory::Values values_of_fedred() { return {lambda_of_fedred(), eta_of_fedred(), p_of_fedred(), theory::mu()}; }

}  // namespace

std::vector<MethodEntry> fedred_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  return {
      entry<FedRed>({.name = "fedred",
                     .summary = "doubly regularised drift correction, exact local steps",
                     .paper = jiang,
                     .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
                     .rate = {.rounds = rates::fedred_rounds(), .proved_for = Convexity::any},
                     .theory = values_of_fedred(),
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}},
                    fedred_theorems),
      entry<FedRed>({.name = "fedred-gd",
                     .summary = "doubly regularised drift correction, one gradient per local step",
                     .paper = jiang,
                     .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
                     .rate = fedred_gd_rate(),
                     .theory = values_of_fedred(),
                     .fixed = {{"solver", "gd"s}},
                     .unused = {"batch"},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}},
                    fedred_theorems),
      entry<FedRed>(
          {.name = "fedred-sgd",
           .summary = "doubly regularised drift correction, one minibatch per local step",
           .paper = jiang,
           .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
           .rate = {.rounds = {rates::strongly_convex("((δ_A + μ)/μ) log(1/ε)"), rates::convex("δ_A R_0²/ε"),
                               rates::non_convex("δ_B F_0/ε, plus noise")},
                    .proved_for = Convexity::any},
           .theory = {lambda_of_fedred(), eta_of_fedred(), p_of_fedred(), theory::mu(), theory::small_batches()},
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
                     .theory = {theory::number("lambda", "0", [](In) { return 0.0; }), theory::eta_is_L(),
                                theory::number("p", "min(1, √(μ/η)), η = eta",
                                               [](In t) { return theory::at_most_one(std::sqrt(t.c.mu / t["eta"])); })},
                     .fixed = {{"solver", "gd"s}, {"control_variate", "drift"s}},
                     .unused = {"batch"},
                     .demo = {{"lambda", 2.5}, {"eta", 100.0}, {"p", 0.05}, {"m", 7.5}}}),
  };
}

}  // namespace driftless
