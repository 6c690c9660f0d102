#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/skipping/five_gcs.hpp"
#include "driftless/methods/skipping/gradskip.hpp"
#include "driftless/methods/skipping/proxskip_vr.hpp"
#include "driftless/methods/skipping/randprox.hpp"
#include "driftless/methods/skipping/rates.hpp"
#include "driftless/methods/skipping/tamuna.hpp"
#include "driftless/methods/skipping/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

#include <cmath>

namespace driftless {

using namespace std::string_literals;

namespace {

TheoryValue q_by_condition() {
  return {"q_rule", "\"condition\"", [](const Constants&) { return OptionValue("condition"s); }};
}

TheoryValue dual_step() {
  return theory::number("tau", "√(μ max(L − μ, μ)/2)/n", [](const Constants& c) {
    const double spread = std::max(c.L - c.mu, c.mu);  // L = μ would leave no pull
    return std::sqrt(c.mu * spread / 2.0) / static_cast<double>(c.clients);
  });
}

}  // namespace

std::vector<MethodEntry> skipping_entries() {
  const TheoryValue inverse_L = theory::step_is_inverse_L();
  const TheoryValue root = theory::p_is_inverse_root_condition();
  return {
      entry<Scaffnew>({.name = "scaffnew",
                       .summary = "local steps with randomly skipped communication (ProxSkip)",
                       .paper = "Mishchenko et al., ICML 2022",
                       .messages = {"x̂_i", "x̄"},
                       .rate = scaffnew_rate(),
                       .theory = {inverse_L, root},
                       .demo = {{"step", 0.01}, {"p", 0.1}}},
                      scaffnew_theorems),
      entry<GradSkip>(
          {.name = "gradskip",
           .summary = "scaffnew in which well-conditioned clients rest before the communication",
           .paper = "Maranjyan, Safaryan, Richtárik, 2022",
           .messages = {"x̂_i − (γ/p) ĥ_i", "x̄"},
           .rate = {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε)")}, .proved_for = Convexity::strongly_convex},
           .theory = {inverse_L, root, q_by_condition()},
           .demo = {{"step", 0.01}, {"p", 0.1}, {"q_rule", "condition"s}}}),
      entry<Tamuna>(
          {.name = "tamuna",
           .summary = "scaffnew with cohorts of clients that send some coordinates each",
           .paper = "Condat, Agarský, Malinovsky, Richtárik, 2023",
           .messages = {"owned coordinates of x_i", "x̄ to clients that begin, x̄⁺ to clients that end"},
           .rate = {.rounds = {rates::strongly_convex("(√(nL/(sμ)) + n/s) log(1/ε)")},
                    .proved_for = Convexity::strongly_convex},
           .theory = {inverse_L, root},
           .demo = {{"step", 0.01}, {"p", 0.16}, {"cohort", std::int64_t{3}}, {"sparsity", std::int64_t{2}}}}),
      entry<FiveGcs>({.name = "5gcs",
                      .summary = "dual proximal steps of a cohort with any local solver",
                      .paper = "Grudzień, Malinovsky, Richtárik, AISTATS 2023",
                      .messages = {"u_i⁺ − u_i", "x̂"},
                      .rate = {.rounds = {rates::strongly_convex("(√(nL/(cμ)) + n/c) log(1/ε)")},
                               .proved_for = Convexity::strongly_convex},
                      .theory = {dual_step(), theory::mu()},
                      .demo = {{"tau", 2.2}, {"mu", 1.0}, {"cohort", std::int64_t{2}}}}),
      entry<ProxSkipVr>(
          {.name = "proxskip-vr",
           .summary = "scaffnew with cheap variance-reduced local steps (L-SVRG): no noise floor",
           .paper = "Malinovsky, Yi, Richtárik, NeurIPS 2022",
           .messages = {"x̂_i", "x̄"},
           .rate = {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε), L of single samples")},
                    .proved_for = Convexity::strongly_convex},
           .theory = {theory::number("step", "1/(6 L)", [](const Constants& c) { return 1.0 / (6.0 * c.L); }),
                      theory::number("p", "√(γ μ)", [](const Constants& c) { return std::sqrt(c.mu / (6.0 * c.L)); }),
                      theory::number("q", "2 γ μ", [](const Constants& c) { return c.mu / (3.0 * c.L); }),
                      theory::small_batches()},
           .demo = {{"step", 0.01}, {"p", 0.1}, {"q", 0.2}, {"batch", std::int64_t{2}}}}),
      entry<RandProx>(
          {.name = "randprox",
           .summary = "scaffnew that carries a share of the entries each time, the same for all clients",
           .paper = "Condat, Richtárik, ICLR 2023",
           .messages = {"K of d entries of x̂_i", "the same entries of x̄"},
           .rate = {.rounds = {rates::strongly_convex("(√(L/μ)/keep) log(1/ε)")}, .proved_for = Convexity::convex},
           .theory = {inverse_L, root},
           .demo = {{"step", 0.01}, {"p", 0.2}, {"keep", 0.5}}}),
  };
}

}  // namespace driftless
