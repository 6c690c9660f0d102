#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/primal_dual/fedpd.hpp"
#include "driftless/methods/primal_dual/rates.hpp"
#include "driftless/methods/primal_dual/theorems.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

std::vector<MethodEntry> primal_dual_entries() {
  return {
      entry<FedDyn>({.name = "feddyn",
                     .summary = "dynamic regularisation: every client remembers its own gradient",
                     .paper = "Acar et al., ICLR 2021",
                     .messages = {"θ_i", "x"},
                     .rate = feddyn_rate(),
                     .trial_turn = 6,
                     .theory = {theory::number("alpha", "√(μ L)", theory::root_mu_L)},
                     .demo = {{"alpha", 10.0}}},
                    feddyn_theorems),
      entry<FedPd>(
          {.name = "fedpd",
           .summary = "local augmented Lagrangians with multipliers, communication skipped at random",
           .paper = "Zhang et al., IEEE TSP 2021",
           .messages = {"x_{0,i}⁺", "x_0"},
           .rate = {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε) with exact solves and η = 1/√(μL)"),
                               rates::non_convex("O(1/ε)")},
                    .proved_for = Convexity::any},
           .theory = {theory::number("step", "1/√(μ L)", [](theory::In t) { return 1.0 / theory::root_mu_L(t); })},
           .demo = {{"step", 0.1}}}),
  };
}

}  // namespace driftless
