#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/sampled/acc_svrs.hpp"
#include "driftless/methods/sampled/catalyst_entry.hpp"
#include "driftless/methods/sampled/rg_saga.hpp"
#include "driftless/methods/sampled/rg_svrg.hpp"
#include "driftless/methods/sampled/svrs.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

double inverse_n(theory::In t) { return 1.0 / t.n(); }

TheoryValue step_of_svrs() {
  return theory::number("step", "√p/(4 δ_A)", [](theory::In t) { return std::sqrt(t["p"]) / (4.0 * t.c.delta_A); });
}

// τ and α of AccSVRS, from θ = step and p.
theory::Values coupling() {
  return {theory::number("tau", "min(1/4, √(μ θ/p)/4), θ = step",
                         [](theory::In t) {  // not a number remains so
                           const double tau = std::sqrt(t.c.mu * t["step"] / t["p"]) / 4.0;
                           return tau > 0.25 ? 0.25 : tau;
                         }),
          theory::number("alpha", "θ/(8 p τ), θ = step, τ = tau",
                         [](theory::In t) { return t["step"] / (8.0 * t["p"] * t["tau"]); })};
}

std::vector<MethodEntry> sliding() {
  const std::string lin = "Lin et al., NeurIPS 2023";
  const Messages sampled{"∇f_i(x_k) − ∇f_i(x_0) of the cohort; when an epoch begins ∇f_i(x_0) of all",
                         "x_k to the cohort; when an epoch begins x_0 to all"};
  const TheoryValue p = theory::number("p", "1/n", inverse_n);
  return {
      entry<Svrs>({.name = "svrs",
                   .summary = "one client at the server solves along variance-reduced gradients of sampled clients",
                   .paper = lin,
                   .messages = sampled,
                   .rate = {.rounds = {rates::strongly_convex("(n + √n δ_A/μ) log(1/ε)")},
                            .proved_for = Convexity::strongly_convex},
                   .theory = {p, step_of_svrs()},
                   .demo = {{"step", 0.025}, {"p", 0.2}}}),
      entry<AccSvrs>(
          {.name = "acc-svrs",
           .summary = "SVRS, accelerated",
           .paper = lin,
           .messages = {sampled.up + "; when it ends ∇f_i(y) of all", sampled.down + "; when it ends y to all"},
           .rate = {.rounds = {rates::strongly_convex("(n + n^{3/4} √(δ_A/μ)) log(1/ε)")},
                    .proved_for = Convexity::strongly_convex},
           .theory = theory::Values{p, step_of_svrs(), theory::mu(), coupling()[0], coupling()[1]},
           .demo = {{"step", 0.025}, {"p", 0.2}, {"tau", 0.09}, {"alpha", 0.17}, {"mu", 1.0}}}),
  };
}

bool is_theorem(theory::In t) { return t.is("rule", "theorem"); }
bool is_first(theory::In t) { return t["delegate"] == 0.0; }
double delegate_similarity(theory::In t) { return is_first(t) ? t.c.delta_1 : t.c.delta_B; }
double practical_lambda(theory::In t) { return delegate_similarity(t) + std::sqrt(t.n() / t.cohort()) * t.c.delta_A; }
double theorem_lambda(theory::In t) {  // √(n/m) δ_m = √(n (n − m)/(n − 1)) δ_A/m, 0 for one client
  const double rest = std::max(t.n() - 1.0, 1.0);
  return 3.0 * delegate_similarity(t) +
         113.0 * std::sqrt(t.n() * (t.n() - t.cohort()) / rest) * t.c.delta_A / t.cohort();
}
double theorem_p_loc(theory::In t) { return (t["lambda"] - delegate_similarity(t)) / (8.0 * (t.c.L + t["lambda"])); }

// λ, β, p_loc and η of the recursive gradient methods.
theory::Values of_recursive_gradients() {
  using namespace theory;
  const Applies theorem_first = [](In t) { return is_theorem(t) && is_first(t); };
  const std::string theorem = "with rule = \"theorem\"";
  const std::string first = "with delegate = 0";
  return {{"lambda",
           {when(theorem + " and delegate = 0", theorem_first, "3 Δ_1 + 113 √(n (n − m)/(n − 1)) δ_A/m, m = cohort",
                 theorem_lambda),
            when(theorem, is_theorem, "3 δ_B + 113 √(n (n − m)/(n − 1)) δ_A/m, m = cohort", theorem_lambda),
            when(first, is_first, "Δ_1 + √(n/m) δ_A, m = cohort", practical_lambda),
            otherwise("δ_B + √(n/m) δ_A, m = cohort", practical_lambda)}},
          {"beta",
           {when(theorem, is_theorem, "m/(112 n), m = cohort", [](In t) { return t.cohort() / (112.0 * t.n()); }),
            otherwise("m/n, m = cohort", [](In t) { return t.cohort() / t.n(); })}},
          {"p_loc",
           {when(theorem + " and delegate = 0", theorem_first, "(λ − Δ_1)/(8 (L + λ)), λ = lambda", theorem_p_loc),
            when(theorem, is_theorem, "(λ − δ_B)/(8 (L + λ)), λ = lambda", theorem_p_loc),
            otherwise("min(δ_A/L, 1)", [](In t) { return at_most_one(t.c.delta_A / t.c.L); })}},
          {"eta", {when(theorem, is_theorem, "L", [](In t) { return t.c.L; }), otherwise("2 L", [](In t) {
                     return 2.0 * t.c.L;
                   })}}};
}

std::vector<MethodEntry> recursive_gradients() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICLR 2026";
  const Settings demo{{"lambda", 10.0}, {"beta", 0.4}, {"p_loc", 0.05}, {"eta", 100.0}, {"cohort", std::int64_t{2}}};
  theory::Values with_coin = of_recursive_gradients();
  with_coin.push_back(
      theory::number("p", "m/n, m = cohort, a rule of thumb", [](theory::In t) { return t.cohort() / t.n(); }));
  Settings svrg_demo = demo;
  svrg_demo.emplace_back("p", 0.4);
  return {
      entry<RgSaga>(
          {.name = "rg-saga",
           .summary = "composite steps of one client along a recursive gradient of sampled clients, with SAGA",
           .paper = jiang,
           .messages = {"∇f_i(x_{t+1}) − ∇f_i(x_t), ∇f_i(x_t) − b_i", "x_{t+1}, x_t"},
           .rate = {.rounds = {rates::non_convex("(Δ_1 + √(n/m) δ_m) F_0/ε, m sampled")}, .proved_for = Convexity::any},
           .theory = of_recursive_gradients(),
           .demo = demo}),
      entry<RgSvrg>(
          {.name = "rg-svrg",
           .summary = "as rg-saga; full gradients at random in place of SAGA's table",
           .paper = jiang,
           .messages = {"∇f_i at x_{t+1}, x_t and w as one vector; if the coin is true ∇f_i(w) of all clients",
                        "x_{t+1}, x_t, w; if the coin is true w to all clients"},
           .rate = {.rounds = {rates::non_convex("(Δ_1 + (n/m) δ_m) F_0/ε, m sampled")}, .proved_for = Convexity::any},
           .theory = with_coin,
           .demo = svrg_demo}),
  };
}

// What Catalyst may be put around: methods with a server point that reach the minimiser, can start again from any point
// without losing corrections that they learned, and are not accelerated in this way already.
std::vector<MethodEntry> inner_methods() {
  const std::vector<std::string> unfit{"aide", "acc-sonata",      "acc-svrs", "diana",
                                       "ef21", "fedred-gd-drift", "scaffold"};
  std::vector<MethodEntry> inner;
  for (auto* family : {baseline_entries, dane_entries, dane_line_entries, fedred_entries, stabilized_entries, sliding})
    for (MethodEntry& e : family()) {
      if (e.reaches_minimizer() && !e.uses_hessian && std::ranges::find(unfit, e.name) == unfit.end())
        inner.push_back(std::move(e));
    }
  return inner;
}

}  // namespace

std::vector<MethodEntry> sampled_entries() {
  return joined(joined(sliding(), {catalyst_entry(inner_methods(), "dane+")}), recursive_gradients());
}

}  // namespace driftless
