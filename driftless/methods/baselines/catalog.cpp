#include "driftless/methods/baselines/agd.hpp"
#include "driftless/methods/baselines/fedavg.hpp"
#include "driftless/methods/baselines/fedlin.hpp"
#include "driftless/methods/baselines/fedprox.hpp"
#include "driftless/methods/baselines/gd.hpp"
#include "driftless/methods/baselines/rates.hpp"
#include "driftless/methods/baselines/scaffold.hpp"
#include "driftless/methods/baselines/theorems.hpp"
#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/theory_values.hpp"

#include <cmath>

namespace driftless {

using namespace std::string_literals;

namespace {

std::vector<MethodEntry> gradient_methods() {
  return {
      entry<Gd>({.name = "gd",
                 .summary = "gradient descent, the yardstick",
                 .paper = "Cauchy 1847",
                 .messages = {"∇f_i", "x"},
                 .rate = gd_rate(),
                 .theory = {theory::number("step", "1/L_f", [](const Constants& c) { return 1.0 / c.L_f; })},
                 .demo = {{"step", 0.01}}},
                gd_theorems),
      entry<Gd>(
          {.name = "diana",
           .summary = "gradient descent with coded gradient differences, for unbiased compressors",
           .paper = "Mishchenko et al. 2019",
           .messages = {"code of ∇f_i − s_i", "x"},
           .rate = {.rounds = {rates::strongly_convex("(ω + (1 + ω/n) L/μ) log(1/ε)")}, .proved_for = Convexity::any},
           .theory = {theory::number(
               "step", "1/(L(1 + 6ω/n)), ω = 1/8 of natural",
               [](const Constants& c) { return 1.0 / (c.L * (1.0 + 0.75 / static_cast<double>(c.clients))); })},
           .fixed = {{"memory", "difference"s}},
           .initial = {{"compressor", "natural"s}},
           .demo = {{"step", 0.01}}}),
      entry<Gd>(
          {.name = "ef21",
           .summary = "gradient descent with coded gradient differences, for top-k",
           .paper = "Richtárik, Sokolov, Fatkhullin, NeurIPS 2021",
           .messages = {"code of ∇f_i − s_i", "x"},
           .rate = {.rounds = {rates::strongly_convex("(L/(αμ)) log(1/ε), α = keep")}, .proved_for = Convexity::any},
           .theory = {theory::number("step", "1/(L(1 + √(2β/θ))), θ = 1 − √(1 − α), β = (1 − α)/θ, α = keep = 1/10",
                                     [](const Constants& c) {
                                       const double theta = 1.0 - std::sqrt(0.9);
                                       return 1.0 / (c.L * (1.0 + std::sqrt(2.0 * 0.9) / theta));
                                     })},
           .fixed = {{"memory", "difference"s}},
           .initial = {{"compressor", "top-k"s}},
           .demo = {{"step", 0.01}, {"keep", 0.5}}}),
      entry<Agd>({.name = "agd",
                  .summary = "Nesterov's accelerated gradient descent",
                  .paper = "Nesterov 1983",
                  .messages = {"∇f_i", "x"},
                  .rate = agd_rate(),
                  .theory = {theory::number("step", "1/L_f", [](const Constants& c) { return 1.0 / c.L_f; }),
                             theory::number("mu", "μ_f", [](const Constants& c) { return std::max(c.mu_f, 0.0); })},
                  .demo = {{"step", 0.01}, {"mu", 1.0}}},
                 agd_theorems),
  };
}

std::vector<MethodEntry> local_methods() {
  return {
      entry<FedAvg>({.name = "fedavg",
                     .summary = "local gradient steps, then the mean; drifts when clients differ",
                     .paper = "McMahan et al., AISTATS 2017",
                     .messages = {"y_i", "x"},
                     .rate = {.rounds = {rates::remark("to a biased point")}, .proved_for = Convexity::any},
                     .theory = {theory::step_is_inverse_L_K()},
                     .limit = "clients drift, and nothing corrects them",
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedProx>(
          {.name = "fedprox",
           .summary = "local proximal step, then the mean; drifts less than fedavg",
           .paper = "Li et al., MLSys 2020",
           .messages = {"y_i", "x"},
           .rate = {.rounds = {rates::remark("to a biased point")}, .proved_for = Convexity::any},
           .theory = {theory::number("lambda", "L, a rule of thumb", [](const Constants& c) { return c.L; })},
           .limit = "clients drift, and nothing corrects them",
           .demo = {{"lambda", 10.0}}}),
      entry<Scaffold>({.name = "scaffold",
                       .summary = "local steps corrected by control variates, with client sampling",
                       .paper = "Karimireddy et al., ICML 2020",
                       .messages = {"y_i − x, c_i⁺ − c_i", "x, c"},
                       .rate = scaffold_rate(),
                       .theory = {theory::step_is_inverse_L_K()},
                       .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedLin>({.name = "fedlin",
                     .summary = "local steps corrected by exact gradient differences",
                     .paper = "Mitra et al., NeurIPS 2021",
                     .messages = {"∇f_i, then y_i", "∇f, then x"},
                     .rate = {.rounds = {rates::strongly_convex("(L/μ) log(1/ε)")}, .proved_for = Convexity::any},
                     .theory = {theory::number("step", "1/(6 L K), K = local_steps = 10",
                                               [](const Constants& c) { return 1.0 / (60.0 * c.L); })},
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
  };
}

}  // namespace

std::vector<MethodEntry> baseline_entries() { return joined(gradient_methods(), local_methods()); }

}  // namespace driftless
