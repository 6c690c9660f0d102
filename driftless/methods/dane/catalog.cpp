#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/dane/ce_lgd.hpp"
#include "driftless/methods/dane/rates.hpp"
#include "driftless/methods/dane/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

// DANE+ has a theorem for each control variate, average and kind of local solver.
TheoryValue lambda_of_dane_plus() {
  using namespace theory;
  return {"lambda",
          {when(
               "with control_variate = \"none\"", [](In t) { return t.is("control_variate", "none"); },
               "L, a rule of thumb", [](In t) { return t.c.L; }),
           when(
               "with control_variate = \"drift\"", [](In t) { return t.is("control_variate", "drift"); }, "√(μ L)",
               root_mu_L),
           when(
               "with averaging = \"random\" or a non-convex f_i",
               [](In t) { return t.is("averaging", "random") || !t.c.convex(); }, "2 δ_B",
               [](In t) { return 2.0 * t.c.delta_B; }),
           when(
               "with solver = \"exact\"", [](In t) { return t.is("solver", "exact"); }, "δ_A",
               [](In t) { return t.c.delta_A; }),
           otherwise("2 δ_A", [](In t) { return 2.0 * t.c.delta_A; })}};
}

std::vector<MethodEntry> everyone_solves() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  const Settings until_e_r{{"stop_rule", "e_r"s}};
  return {
      entry<Dane>({.name = "dane",
                   .summary = "exact local solves of the drift-corrected, regularised problem",
                   .paper = "Shamir et al., ICML 2014",
                   .messages = {"∇f_i, then x_i", "∇f, then x"},
                   .rate = dane_rate(),
                   .trial_turn = 9,
                   .takes_robust_means = true,
                   .theory = {theory::lambda_is_delta_A()},
                   .demo = {{"lambda", 5.0}}},
                  dane_theorems),
      entry<DanePlus>({.name = "dane+",
                       .summary = "DANE with any local solver, control variate and averaging",
                       .paper = jiang,
                       .messages = {"∇f_i, then x_i", "∇f, then x"},
                       .rate = {.rounds = rates::similarity_rounds(), .proved_for = Convexity::any},
                       .theory = {lambda_of_dane_plus(), theory::eta_is_L(), theory::mu()},
                       .demo = {{"lambda", 5.0}}},
                      dane_plus_theorems),
      entry<DanePlus>({.name = "dane+-gd",
                       .summary = "DANE+ with local gradient descent until the e_r rule is met",
                       .paper = jiang,
                       .messages = {"∇f_i, then x_i", "∇f, then x"},
                       .rate = dane_plus_gd_rate(),
                       .trial_turn = 10,
                       .theory = {lambda_of_dane_plus(), theory::eta_is_L(), theory::mu()},
                       .fixed = {{"solver", "prox-gradient"s}},
                       .unused = {"batch"},
                       .initial = until_e_r,
                       .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"mu", 1.0}}},
                      dane_plus_theorems),
      entry<DanePlus>({.name = "dane+-fgd",
                       .summary = "DANE+ with local accelerated gradient until the e_r rule is met",
                       .paper = jiang,
                       .messages = {"∇f_i, then x_i", "∇f, then x"},
                       .rate = {.rounds = rates::similarity_rounds(), .proved_for = Convexity::convex},
                       .trial_turn = 8,
                       .theory = {lambda_of_dane_plus(), theory::eta_is_L(), theory::mu()},
                       .fixed = {{"solver", "agd"s}},
                       .unused = {"batch"},
                       .initial = until_e_r,
                       .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"mu", 1.0}}},
                      dane_plus_theorems),
      entry<DanePlus>(
          {.name = "dane+-sgd",
           .summary = "DANE+ with local minibatch steps",
           .paper = jiang,
           .messages = {"∇f_i, then x_i", "∇f, then x"},
           .rate = {.rounds = {rates::remark("none")}, .proved_for = Convexity::nothing},
           .theory = {lambda_of_dane_plus(),
                      theory::number("eta", "2 L, a rule of thumb", [](theory::In t) { return 2.0 * t.c.L; }),
                      theory::small_batches()},
           .limit = "the noise of minibatches does not vanish",
           .fixed = {{"solver", "sgd"s}},
           .demo = {{"lambda", 5.0}, {"eta", 200.0}, {"batch", std::int64_t{5}}}},
          dane_plus_theorems),
  };
}

std::vector<MethodEntry> related_methods() {
  return {
      entry<Sonata>({.name = "sonata",
                     .summary = "DANE with a damped server step: SONATA with a server in place of a graph",
                     .paper = "Sun et al., SIAM J. Optim. 2022",
                     .messages = {"∇f_i, then x_i", "∇f, then x"},
                     .rate = sonata_rate(),
                     .takes_robust_means = true,
                     .theory = {theory::number("tau", "δ_B", [](theory::In t) { return t.c.delta_B; })},
                     .demo = {{"tau", 5.0}}},
                    sonata_theorems),
      entry<CeLgd>({.name = "ce-lgd",
                    .summary = "one random client takes drift-corrected gradient steps for all",
                    .paper = "Patel et al., NeurIPS 2022",
                    .messages = {"∇f_i, then w_K", "v, then x"},
                    .rate = {.rounds = {rates::non_convex("δ_B F_0/ε")}, .proved_for = Convexity::any},
                    .theory = {theory::step_is_inverse_L(), theory::local_steps_are_L_over_delta()},
                    .demo = {{"step", 0.01}, {"local_steps", std::int64_t{20}}}}),
      entry<Svrp>({.name = "svrp",
                   .summary = "one random client takes a variance-reduced proximal step; ∇f is renewed at random",
                   .paper = "Khaled, Jin, ICLR 2023",
                   .messages = {"x_{k+1}; if the coin is true ∇f_i(w) from all clients",
                                "x_k, ∇f(w); if the coin is true w to all clients"},
                   .rate = svrp_rate(),
                   .theory = {theory::number("step", "μ/(2 δ_A²)",
                                             [](theory::In t) { return t.c.mu / (2.0 * t.c.delta_A * t.c.delta_A); }),
                              theory::number("p", "1/n", [](theory::In t) { return 1.0 / t.n(); })},
                   .demo = {{"step", 0.025}, {"p", 0.2}}},
                  svrp_theorems),
  };
}

}  // namespace

std::vector<MethodEntry> dane_entries() { return joined(everyone_solves(), related_methods()); }

}  // namespace driftless
