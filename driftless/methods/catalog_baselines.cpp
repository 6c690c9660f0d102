#include "driftless/methods/agd.hpp"
#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/fedavg.hpp"
#include "driftless/methods/fedlin.hpp"
#include "driftless/methods/fedprox.hpp"
#include "driftless/methods/gd.hpp"
#include "driftless/methods/scaffold.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> baseline_entries() {
  return {
      entry<Gd>({.name = "gd",
                 .summary = "gradient descent, the yardstick",
                 .paper = "Cauchy 1847",
                 .rate = "(L/μ) log(1/ε); convex L R_0²/ε; non-convex L F_0/ε",
                 .proved_for = Convexity::any,
                 .theory = {theory::number("step", "1/L_f", [](const Constants& c) { return 1.0 / c.L_f; })},
                 .demo = {{"step", 0.01}}}),
      entry<Agd>({.name = "agd",
                  .summary = "Nesterov's accelerated gradient descent",
                  .paper = "Nesterov 1983",
                  .rate = "√(L/μ) log(1/ε); convex √(L R_0²/ε)",
                  .theory = {theory::number("step", "1/L_f", [](const Constants& c) { return 1.0 / c.L_f; }),
                             theory::number("mu", "μ_f", [](const Constants& c) { return std::max(c.mu_f, 0.0); })},
                  .demo = {{"step", 0.01}, {"mu", 1.0}}}),
      entry<FedAvg>({.name = "fedavg",
                     .summary = "local gradient steps, then the mean; drifts when clients differ",
                     .paper = "McMahan et al., AISTATS 2017",
                     .rate = "to a biased point",
                     .proved_for = Convexity::any,
                     .theory = {theory::step_is_inverse_L_K()},
                     .limit = "clients drift, and nothing corrects them",
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedProx>(
          {.name = "fedprox",
           .summary = "local proximal step, then the mean; drifts less than fedavg",
           .paper = "Li et al., MLSys 2020",
           .rate = "to a biased point",
           .proved_for = Convexity::any,
           .theory = {theory::number("lambda", "L, a rule of thumb", [](const Constants& c) { return c.L; })},
           .limit = "clients drift, and nothing corrects them",
           .demo = {{"lambda", 10.0}}}),
      entry<Scaffold>({.name = "scaffold",
                       .summary = "local steps corrected by control variates, with client sampling",
                       .paper = "Karimireddy et al., ICML 2020",
                       .rate = "(L/μ) log(1/ε); quadratics ((L + δ_B K)/(μ K)) log(1/ε)",
                       .proved_for = Convexity::any,
                       .theory = {theory::step_is_inverse_L_K()},
                       .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedLin>({.name = "fedlin",
                     .summary = "local steps corrected by exact gradient differences",
                     .paper = "Mitra et al., NeurIPS 2021",
                     .rate = "(L/μ) log(1/ε)",
                     .proved_for = Convexity::any,
                     .theory = {theory::number("step", "1/(6 L K), K = local_steps = 10",
                                               [](const Constants& c) { return 1.0 / (60.0 * c.L); })},
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
  };
}

}  // namespace driftless
