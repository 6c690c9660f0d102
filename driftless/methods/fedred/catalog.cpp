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

bool sgd(In t) { return t.is("solver", "sgd"); }
bool for_accuracy(In t) { return sgd(t) && t["epsilon"] > 0.0; }
bool sigma_given(In t) { return t["sigma"] > 0.0; }
double measured_variance(In t) { return t.c.noise.of_batches(t["batch"]); }

// The bound of the theorem for any f has the noise term 8 L σ²/(η − 3 L): with this η at most ε/2.
double eta_for_any_f(In t, double variance) {
  return std::max(6.0 * t.c.L, 3.0 * t.c.L + 16.0 * t.c.L * variance / t["epsilon"]);
}

// With noise of variance σ² the bound for convex f_i has σ²/(2(η − L)): ε/2 with this η.
std::vector<TheoryCase> eta_for_accuracy() {
  const std::string noisy = "with solver = \"sgd\" and epsilon";
  const std::string any_f_too = ", and averaging = \"random\" or a non-convex f_i";
  const std::string measured = ", ε = epsilon, σ as measured for this batch";
  return {theory::when(
              noisy + ", sigma" + any_f_too, [](In t) { return for_accuracy(t) && for_any_f(t) && sigma_given(t); },
              "max(6 L, 3 L + 16 L σ²/ε), σ = sigma, ε = epsilon",
              [](In t) { return eta_for_any_f(t, t["sigma"] * t["sigma"]); }),
          theory::when(
              noisy + any_f_too, [](In t) { return for_accuracy(t) && for_any_f(t); },
              "max(6 L, 3 L + 16 L σ²/ε)" + measured, [](In t) { return eta_for_any_f(t, measured_variance(t)); }),
          theory::when(
              noisy + " and sigma", [](In t) { return for_accuracy(t) && sigma_given(t); },
              "L + σ²/ε, σ = sigma, ε = epsilon", [](In t) { return t.c.L + t["sigma"] * t["sigma"] / t["epsilon"]; }),
          theory::when(noisy, for_accuracy, "L + σ²/ε" + measured,
                       [](In t) { return t.c.L + measured_variance(t) / t["epsilon"]; })};
}

TheoryValue eta_of_fedred() {
  std::vector<TheoryCase> cases = eta_for_accuracy();
  cases.insert(cases.end(),
               {theory::when(
                    any_f_exact, [](In t) { return for_any_f(t) && exact(t); }, "4 λ, λ = lambda",
                    [](In t) { return 4.0 * t["lambda"]; }),
                theory::when(any_f, for_any_f, "6 L", [](In t) { return 6.0 * t.c.L; }),
                theory::when("with solver = \"sgd\"", sgd, "2 L, a rule of thumb", [](In t) { return 2.0 * t.c.L; }),
                theory::otherwise("L", [](In t) { return t.c.L; })});
  return {"eta", std::move(cases)};
}

TheoryValue p_of_fedred() {
  const std::string where = ", λ = lambda, η = eta";
  return {
      "p",
      {theory::when(
           any_f_exact, [](In t) { return for_any_f(t) && exact(t); }, "min(1, 2 λ/η)" + where,
           [](In t) { return theory::at_most_one(2.0 * t["lambda"] / t["eta"]); }),
       theory::when(
           "with solver = \"sgd\", and averaging = \"random\" or a non-convex f_i",
           [](In t) { return for_any_f(t) && sgd(t); }, "min(1, λ/L), λ = lambda",
           [](In t) { return theory::at_most_one(t["lambda"] / t.c.L); }),
       theory::when(any_f, for_any_f, "min(1, 6 λ/η)" + where,
                    [](In t) { return theory::at_most_one(6.0 * t["lambda"] / t["eta"]); }),
       theory::when("with solver = \"exact\"", exact, "min(1, (λ + μ/2)/(η + μ/2))" + where,
                    [](In t) { return theory::at_most_one((t["lambda"] + t.c.mu / 2.0) / (t["eta"] + t.c.mu / 2.0)); }),
       theory::otherwise("min(1, (λ + μ/2)/(η − μ/2))" + where, [](In t) {
         return theory::at_most_one((t["lambda"] + t.c.mu / 2.0) / (t["eta"] - t.c.mu / 2.0));
       })}};
}

theory::Values values_of_fedred() { return {lambda_of_fedred(), eta_of_fedred(), p_of_fedred(), theory::mu()}; }

// Without the cases for local steps that a name excludes.
theory::Values without(theory::Values values, const std::vector<std::string>& solvers) {
  for (TheoryValue& value : values)
    std::erase_if(value.cases, [&](const TheoryCase& one) {
      return std::ranges::any_of(solvers, [&](const std::string& solver) {
        return one.condition.find("solver = " + toml_string(solver)) != std::string::npos;
      });
    });
  return values;
}

}  // namespace

std::vector<MethodEntry> fedred_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  const std::vector<OptionProduct> pulls{{"lambda", "p", "eta"}};  // as the experiments of the paper choose λ
  const std::vector<std::string> of_batches{"batch", "draw", "sigma", "epsilon"};
  return {
      entry<FedRed>({.name = "fedred",
                     .summary = "doubly regularised drift correction, exact local steps",
                     .paper = jiang,
                     .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
                     .rate = {.rounds = rates::fedred_rounds(), .proved_for = Convexity::any},
                     .noise_enters = true,
                     .theory = values_of_fedred(),
                     .products = pulls,
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}},
                    fedred_theorems),
      entry<FedRed>({.name = "fedred-gd",
                     .summary = "doubly regularised drift correction, one gradient per local step",
                     .paper = jiang,
                     .messages = {"x_i, then ∇f_i", "x̃, then ∇f"},
                     .rate = fedred_gd_rate(),
                     .trial_turn = 7,
                     .theory = without(values_of_fedred(), {"exact", "sgd"}),
                     .fixed = {{"solver", "gd"s}},
                     .unused = of_batches,
                     .products = pulls,
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
           .noise_enters = true,
           .theory = without(
               {theory::small_batches(), lambda_of_fedred(), eta_of_fedred(), p_of_fedred(), theory::mu()}, {"exact"}),
           .limit = "the noise of minibatches does not vanish",
           .fixed = {{"solver", "sgd"s}},
           .products = pulls,
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
                     .unused = of_batches,
                     .products = pulls,
                     .demo = {{"lambda", 2.5}, {"eta", 100.0}, {"p", 0.05}, {"m", 7.5}}}),
  };
}

}  // namespace driftless
