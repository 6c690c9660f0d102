#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/five_gcs.hpp"
#include "driftless/methods/gradskip.hpp"
#include "driftless/methods/scaffnew.hpp"
#include "driftless/methods/tamuna.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> skipping_entries() {
  const TheoryValue inverse_L = theory::step_is_inverse_L();
  const TheoryValue root = theory::p_is_inverse_root_condition();
  const TheoryValue condition{"q_rule", "\"condition\"", [](const Constants&) { return OptionValue("condition"s); }};
  const TheoryValue dual_step = theory::number("tau", "√(μ max(L − μ, μ)/2)/n", [](const Constants& c) {
    const double spread = std::max(c.L - c.mu, c.mu);  // L = μ would leave no pull
    return std::sqrt(c.mu * spread / 2.0) / static_cast<double>(c.clients);
  });
  return {
      entry<Scaffnew>({.name = "scaffnew",
                       .summary = "local steps with randomly skipped communication (ProxSkip)",
                       .paper = "Mishchenko et al., ICML 2022",
                       .rate = "√(L/μ) log(1/ε)",
                       .theory = {inverse_L, root},
                       .demo = {{"step", 0.01}, {"p", 0.1}}}),
      entry<GradSkip>({.name = "gradskip",
                       .summary = "scaffnew in which well-conditioned clients rest before the communication",
                       .paper = "Maranjyan, Safaryan, Richtárik, 2022",
                       .rate = "√(L/μ) log(1/ε)",
                       .proved_for = Convexity::strongly_convex,
                       .theory = {inverse_L, root, condition},
                       .demo = {{"step", 0.01}, {"p", 0.1}, {"q_rule", "condition"s}}}),
      entry<Tamuna>(
          {.name = "tamuna",
           .summary = "scaffnew with cohorts of clients that send some coordinates each",
           .paper = "Condat, Agarský, Malinovsky, Richtárik, 2023",
           .rate = "(√(nL/(sμ)) + n/s) log(1/ε)",
           .proved_for = Convexity::strongly_convex,
           .theory = {inverse_L, root},
           .demo = {{"step", 0.01}, {"p", 0.16}, {"cohort", std::int64_t{3}}, {"sparsity", std::int64_t{2}}}}),
      entry<FiveGcs>({.name = "5gcs",
                      .summary = "dual proximal steps of a cohort with any local solver",
                      .paper = "Grudzień, Malinovsky, Richtárik, AISTATS 2023",
                      .rate = "(√(nL/(cμ)) + n/c) log(1/ε)",
                      .proved_for = Convexity::strongly_convex,
                      .theory = {dual_step, theory::mu()},
                      .demo = {{"tau", 2.2}, {"mu", 1.0}, {"cohort", std::int64_t{2}}}}),
  };
}

}  // namespace driftless
