#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/skipping/proxskip_vr.hpp"
#include "driftless/methods/skipping/rates.hpp"
#include "driftless/methods/skipping/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

#include <cmath>

namespace driftless {

using namespace std::string_literals;

namespace {

using theory::In;

// Its F_i are f_i less (m/2)‖·‖². Below m/n the local problems would be pushed away from their centres.
TheoryValue dual_step() {
  return theory::number("tau", "max(√(m (L − m)/(2 n c)), m/n), m = mu, c = cohort", [](In t) {
    const double m = t["mu"];
    return std::max(std::sqrt(m * (t.c.L - m) / (2.0 * t.n() * t.cohort())), m / t.n());
  });
}

TheoryValue p_of_owners() {
  return theory::number("p", "min(1, √(n γ μ/s)), γ = step, s = sparsity", [](In t) {
    const double given = t["sparsity"];
    const double s = given > 0.0 ? std::min(given, t.cohort()) : t.cohort();
    return theory::at_most_one(std::sqrt(t.n() * t["step"] * t.c.mu / s));
  });
}

TheoryValue p_of_kept_entries() {
  return theory::number("p", "min(1, √(γ μ)/keep), γ = step",
                        [](In t) { return theory::at_most_one(std::sqrt(t["step"] * t.c.mu) / t["keep"]); });
}

// The theorem is of single samples; larger batches have less noise.
TheoryValue step_of_samples() {
  return {"step",
          {theory::when(
               "with batch = 0", [](In t) { return t["batch"] == 0.0; }, "1/L", [](In t) { return 1.0 / t.c.L; }),
           theory::when(
               "where L_s, the smoothness of every sample, is known", [](In t) { return t.c.L_sample > 0.0; },
               "1/(6 L_s)", [](In t) { return 1.0 / (6.0 * t.c.L_sample); })}};
}

}  // namespace

std::vector<MethodEntry> skipping_entries() {
  const TheoryValue inverse_L = theory::step_is_inverse_L();
  const TheoryValue root = theory::p_of_step();
  return {
      entry<Scaffnew>({.name = "scaffnew",
                       .summary = "local steps with randomly skipped communication (ProxSkip)",
                       .paper = "Mishchenko et al., ICML 2022",
                       .messages = {"x̂_i", "x̄"},
                       .rate = scaffnew_rate(),
                       .trial_turn = 5,
                       .theory = {inverse_L, root},
                       .demo = {{"step", 0.01}, {"p", 0.1}}},
                      scaffnew_theorems),
      entry<GradSkip>(
          {.name = "gradskip",
           .summary = "scaffnew in which well-conditioned clients rest before the communication",
           .paper = "Maranjyan, Safaryan, Richtárik, 2022",
           .messages = {"x̂_i − (γ/p) ĥ_i", "x̄"},
           .rate = {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε)")}, .proved_for = Convexity::strongly_convex},
           .theory = {inverse_L, root, theory::choice("q_rule", "\"condition\"", "condition")},
           .demo = {{"step", 0.01}, {"p", 0.1}, {"q_rule", "condition"s}}},
          gradskip_theorems),
      entry<Tamuna>({.name = "tamuna",
                     .summary = "scaffnew with cohorts of clients that send some coordinates each",
                     .paper = "Condat, Agarský, Malinovsky, Richtárik, 2023",
                     .messages = {"owned coordinates of x_i", "x̄ to clients that begin, x̄⁺ to clients that end"},
                     .rate = {.rounds = {rates::strongly_convex("(√(nL/(sμ)) + n/s) log(1/ε)")},
                              .proved_for = Convexity::strongly_convex},
                     .theory = {inverse_L, p_of_owners()},
                     .demo = {{"step", 0.01}, {"p", 0.16}, {"cohort", std::int64_t{3}}, {"sparsity", std::int64_t{2}}}},
                    tamuna_theorems),
      entry<FiveGcs>({.name = "5gcs",
                      .summary = "dual proximal steps of a cohort with any local solver",
                      .paper = "Grudzień, Malinovsky, Richtárik, AISTATS 2023",
                      .messages = {"u_i⁺ − u_i", "x̂"},
                      .rate = {.rounds = {rates::strongly_convex("(√(nL/(cμ)) + n/c) log(1/ε)")},
                               .proved_for = Convexity::strongly_convex},
                      .theory = {theory::mu(), dual_step()},
                      .demo = {{"tau", 2.2}, {"mu", 1.0}, {"cohort", std::int64_t{2}}}},
                     five_gcs_theorems),
      entry<ProxSkipVr>({.name = "proxskip-vr",
                         .summary = "scaffnew with cheap variance-reduced local steps (L-SVRG): no noise floor",
                         .paper = "Malinovsky, Yi, Richtárik, NeurIPS 2022",
                         .messages = {"x̂_i", "x̄"},
                         .rate = {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε), L of single samples")},
                                  .proved_for = Convexity::strongly_convex},
                         .theory = {theory::small_batches(), step_of_samples(), root,
                                    theory::number("q", "min(1, 2 γ μ), γ = step",
                                                   [](In t) { return theory::at_most_one(2.0 * t["step"] * t.c.mu); })},
                         .demo = {{"step", 0.01}, {"p", 0.1}, {"q", 0.2}, {"batch", std::int64_t{2}}}}),
      entry<RandProx>(
          {.name = "randprox",
           .summary = "scaffnew that carries a share of the entries each time, the same for all clients",
           .paper = "Condat, Richtárik, ICLR 2023",
           .messages = {"K of d entries of x̂_i", "the same entries of x̄"},
           .rate = {.rounds = {rates::strongly_convex("(√(L/μ)/keep) log(1/ε)")}, .proved_for = Convexity::convex},
           .theory = {inverse_L, p_of_kept_entries()},
           .demo = {{"step", 0.01}, {"p", 0.2}, {"keep", 0.5}}},
          randprox_theorems),
  };
}

}  // namespace driftless
