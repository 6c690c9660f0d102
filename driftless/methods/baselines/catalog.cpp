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

TheoryValue step_is_inverse_L_f() {
  return theory::number("step", "1/L_f", [](theory::In t) { return 1.0 / t.c.L_f; });
}

double diana_step_of(theory::In t, double omega) { return 1.0 / (t.c.L * (1.0 + 6.0 * omega / t.n())); }

// qsgd has an ω that depends on the length of the vectors, and top-k none.
TheoryValue diana_step() {
  using namespace theory;
  return {"step",
          {when(
               "with compressor = \"natural\"", [](In t) { return t.is("compressor", "natural"); },
               "1/(L (1 + 6 ω/n)), ω = 1/8", [](In t) { return diana_step_of(t, 0.125); }),
           when(
               "with compressor = \"rand-k\"", [](In t) { return t.is("compressor", "rand-k"); },
               "1/(L (1 + 6 ω/n)), ω = 1/keep − 1", [](In t) { return diana_step_of(t, 1.0 / t["keep"] - 1.0); }),
           when(
               "with compressor = \"identity\"", [](In t) { return t.is("compressor", "identity"); }, "1/L",
               [](In t) { return 1.0 / t.c.L; })}};
}

TheoryValue ef21_step() {
  using namespace theory;
  return {"step",
          {when(
               "with compressor = \"top-k\"", [](In t) { return t.is("compressor", "top-k"); },
               "1/(L (1 + √(2 β/θ))), α = keep, θ = 1 − √(1 − α), β = (1 − α)/θ",
               [](In t) {
                 const double rest = 1.0 - t["keep"];
                 const double theta = 1.0 - std::sqrt(rest);
                 return 1.0 / (t.c.L * (1.0 + std::sqrt(2.0 * rest) / theta));
               }),
           when(
               "with compressor = \"identity\"", [](In t) { return t.is("compressor", "identity"); }, "1/L",
               [](In t) { return 1.0 / t.c.L; })}};
}

std::vector<MethodEntry> gradient_methods() {
  return {
      entry<Gd>({.name = "gd",
                 .summary = "gradient descent, the yardstick",
                 .paper = "Cauchy 1847",
                 .messages = {"∇f_i", "x"},
                 .rate = gd_rate(),
                 .trial_turn = 4,
                 .takes_robust_means = true,
                 .theory = {step_is_inverse_L_f()},
                 .demo = {{"step", 0.01}}},
                gd_theorems),
      entry<Gd>(
          {.name = "diana",
           .summary = "gradient descent with coded gradient differences, for unbiased compressors",
           .paper = "Mishchenko et al. 2019",
           .messages = {"code of ∇f_i − s_i", "x"},
           .rate = {.rounds = {rates::strongly_convex("(ω + (1 + ω/n) L/μ) log(1/ε)")}, .proved_for = Convexity::any},
           .theory = {diana_step()},
           .fixed = {{"memory", "difference"s}},
           .initial = {{"compressor", "natural"s}},
           .demo = {{"step", 0.01}}}),
      entry<Gd>(
          {.name = "ef21",
           .summary = "gradient descent with coded gradient differences, for top-k",
           .paper = "Richtárik, Sokolov, Fatkhullin, NeurIPS 2021",
           .messages = {"code of ∇f_i − s_i", "x"},
           .rate = {.rounds = {rates::strongly_convex("(L/(αμ)) log(1/ε), α = keep")}, .proved_for = Convexity::any},
           .theory = {ef21_step()},
           .fixed = {{"memory", "difference"s}},
           .initial = {{"compressor", "top-k"s}},
           .demo = {{"step", 0.01}, {"keep", 0.5}}}),
      entry<Agd>({.name = "agd",
                  .summary = "Nesterov's accelerated gradient descent",
                  .paper = "Nesterov 1983",
                  .messages = {"∇f_i", "x"},
                  .rate = agd_rate(),
                  .trial_turn = 3,
                  .takes_robust_means = true,
                  .theory = {step_is_inverse_L_f(),
                             theory::number("mu", "max(μ_f, 0)", [](theory::In t) { return std::max(t.c.mu_f, 0.0); })},
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
                     .takes_robust_means = true,
                     .theory = {theory::step_is_inverse_L_K()},
                     .limit = "clients drift, and nothing corrects them",
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedProx>({.name = "fedprox",
                      .summary = "local proximal step, then the mean; drifts less than fedavg",
                      .paper = "Li et al., MLSys 2020",
                      .messages = {"y_i", "x"},
                      .rate = {.rounds = {rates::remark("to a biased point")}, .proved_for = Convexity::any},
                      .takes_robust_means = true,
                      .theory = {theory::number("lambda", "L, a rule of thumb", [](theory::In t) { return t.c.L; })},
                      .limit = "clients drift, and nothing corrects them",
                      .demo = {{"lambda", 10.0}}}),
      entry<Scaffold>(
          {.name = "scaffold",
           .summary = "local steps corrected by control variates, with client sampling",
           .paper = "Karimireddy et al., ICML 2020",
           .messages = {"y_i − x, c_i⁺ − c_i", "x, c"},
           .rate = scaffold_rate(),
           .theory = {theory::number("step", "1/(L K), K = local_steps, a rule of thumb: the theorem has 1/(81 L K)",
                                     [](theory::In t) { return 1.0 / (t["local_steps"] * t.c.L); })},
           .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedLin>({.name = "fedlin",
                     .summary = "local steps corrected by exact gradient differences",
                     .paper = "Mitra et al., NeurIPS 2021",
                     .messages = {"∇f_i, then y_i", "∇f, then x"},
                     .rate = {.rounds = {rates::strongly_convex("(L/μ) log(1/ε)")}, .proved_for = Convexity::any},
                     .takes_robust_means = true,
                     .theory = {theory::number("step", "1/(6 L K), K = local_steps",
                                               [](theory::In t) { return 1.0 / (6.0 * t["local_steps"] * t.c.L); })},
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
  };
}

}  // namespace

std::vector<MethodEntry> baseline_entries() { return joined(gradient_methods(), local_methods()); }

}  // namespace driftless
