#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/dane/ce_lgd.hpp"
#include "driftless/methods/dane/rates.hpp"
#include "driftless/methods/dane/sonata.hpp"
#include "driftless/methods/dane/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

std::vector<MethodEntry> everyone_solves() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  const Settings until_e_r{{"stop_rule", "e_r"s}};
  return {
      entry<Dane>({.name = "dane",
                   .summary = "exact local solves of the drift-corrected, regularised problem",
                   .paper = "Shamir et al., ICML 2014",
                   .messages = {"∇f_i, then x_i", "∇f, then x"},
                   .rate = dane_rate(),
                   .theory = {theory::lambda_is_delta_A()},
                   .demo = {{"lambda", 5.0}}},
                  dane_theorems),
      entry<DanePlus>({.name = "dane+",
                       .summary = "DANE with any local solver, control variate and averaging",
                       .paper = jiang,
                       .messages = {"∇f_i, then x_i", "∇f, then x"},
                       .rate = {.rounds = rates::similarity_rounds(), .proved_for = Convexity::any},
                       .theory = {theory::lambda_is_delta_A()},
                       .demo = {{"lambda", 5.0}}},
                      dane_plus_theorems),
      entry<DanePlus>({.name = "dane+-gd",
                       .summary = "DANE+ with local gradient descent until the e_r rule is met",
                       .paper = jiang,
                       .messages = {"∇f_i, then x_i", "∇f, then x"},
                       .rate = dane_plus_gd_rate(),
                       .theory = {theory::lambda_is_two_delta_A(), theory::eta_is_L(), theory::mu()},
                       .fixed = {{"solver", "prox-gradient"s}},
                       .initial = until_e_r,
                       .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"mu", 1.0}}},
                      dane_plus_theorems),
      entry<DanePlus>({.name = "dane+-fgd",
                       .summary = "DANE+ with local accelerated gradient until the e_r rule is met",
                       .paper = jiang,
                       .messages = {"∇f_i, then x_i", "∇f, then x"},
                       .rate = {.rounds = rates::similarity_rounds(), .proved_for = Convexity::convex},
                       .theory = {theory::lambda_is_two_delta_A(), theory::eta_is_L(), theory::mu()},
                       .fixed = {{"solver", "agd"s}},
                       .initial = until_e_r,
                       .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"mu", 1.0}}},
                      dane_plus_theorems),
      entry<DanePlus>(
          {.name = "dane+-sgd",
           .summary = "DANE+ with local minibatch steps",
           .paper = jiang,
           .messages = {"∇f_i, then x_i", "∇f, then x"},
           .rate = {.rounds = {rates::remark("none")}, .proved_for = Convexity::nothing},
           .theory = {theory::lambda_is_two_delta_A(),
                      theory::number("eta", "2 L, a rule of thumb", [](const Constants& c) { return 2.0 * c.L; }),
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
                     .theory = {theory::number("tau", "δ_B", [](const Constants& c) { return c.delta_B; })},
                     .demo = {{"tau", 5.0}}}),
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
                                             [](const Constants& c) { return c.mu / (2.0 * c.delta_A * c.delta_A); }),
                              theory::number("p", "1/n",
                                             [](const Constants& c) { return 1.0 / static_cast<double>(c.clients); })},
                   .demo = {{"step", 0.025}, {"p", 0.2}}},
                  svrp_theorems),
  };
}

}  // namespace

std::vector<MethodEntry> dane_entries() { return joined(everyone_solves(), related_methods()); }

}  // namespace driftless
