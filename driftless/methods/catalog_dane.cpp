#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/ce_lgd.hpp"
#include "driftless/methods/dane.hpp"
#include "driftless/methods/dane_plus.hpp"
#include "driftless/methods/sonata.hpp"
#include "driftless/methods/svrp.hpp"

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> dane_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";
  const std::string similarity = "(δ_A/μ) log(1/ε); convex δ_A R_0²/ε; non-convex δ_B F_0/ε";
  const Settings until_e_r{{"stop_rule", "e_r"s}};
  return {
      entry<Dane>({.name = "dane",
                   .summary = "exact local solves of the drift-corrected, regularised problem",
                   .paper = "Shamir et al., ICML 2014",
                   .rate = similarity,
                   .demo = {{"lambda", 5.0}}}),
      entry<DanePlus>({.name = "dane+",
                       .summary = "DANE with any local solver, control variate and averaging",
                       .paper = jiang,
                       .rate = similarity,
                       .demo = {{"lambda", 5.0}}}),
      entry<DanePlus>({.name = "dane+-gd",
                       .summary = "DANE+ with local gradient descent until the e_r rule is met",
                       .paper = jiang,
                       .rate = similarity,
                       .fixed = {{"solver", "prox-gradient"s}},
                       .initial = until_e_r,
                       .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"mu", 1.0}}}),
      entry<DanePlus>({.name = "dane+-fgd",
                       .summary = "DANE+ with local accelerated gradient until the e_r rule is met",
                       .paper = jiang,
                       .rate = similarity,
                       .fixed = {{"solver", "agd"s}},
                       .initial = until_e_r,
                       .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"mu", 1.0}}}),
      entry<DanePlus>({.name = "dane+-sgd",
                       .summary = "DANE+ with local minibatch steps",
                       .paper = jiang,
                       .rate = "none",
                       .reaches_minimizer = false,
                       .fixed = {{"solver", "sgd"s}},
                       .demo = {{"lambda", 5.0}, {"eta", 200.0}, {"batch", std::int64_t{5}}}}),
      entry<Sonata>({.name = "sonata",
                     .summary = "DANE with a damped server step: SONATA with a server in place of a graph",
                     .paper = "Sun et al., SIAM J. Optim. 2022",
                     .rate = "(δ_B/μ) log(1/ε)",
                     .demo = {{"tau", 5.0}}}),
      entry<CeLgd>({.name = "ce-lgd",
                    .summary = "one random client takes drift-corrected gradient steps for all",
                    .paper = "Patel et al., NeurIPS 2022",
                    .rate = "non-convex δ_B F_0/ε",
                    .demo = {{"step", 0.01}, {"local_steps", std::int64_t{20}}}}),
      entry<Svrp>({.name = "svrp",
                   .summary = "one random client takes a variance-reduced proximal step; ∇f is renewed at random",
                   .paper = "Khaled, Jin, ICLR 2023",
                   .rate = "(n + δ_A²/μ²) log(1/ε) rounds of a few messages each",
                   .demo = {{"step", 0.025}, {"p", 0.2}}}),
  };
}

}  // namespace driftless
