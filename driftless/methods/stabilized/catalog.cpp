#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/stabilized/cgm.hpp"
#include "driftless/methods/stabilized/s_dane.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

TheoryValue twice_delta_A() {
  return {"lambda",
          {theory::when(
              "with cohort = 0", [](theory::In t) { return !(t["cohort"] > 0.0); }, "2 δ_A",
              [](theory::In t) { return 2.0 * t.c.delta_A; })}};
}

TheoryValue twice_delta_of_delegate() {
  return {
      "lambda",
      {theory::when(
           "with delegate = 0", [](theory::In t) { return t["delegate"] == 0.0; }, "2 Δ_1",
           [](theory::In t) { return 2.0 * t.c.delta_1; }),
       theory::otherwise("2 δ_B, which bounds that of every client", [](theory::In t) { return 2.0 * t.c.delta_B; })}};
}

std::vector<DefaultRange> solvers_and_rules() {
  return {{.option = "lambda", .multiples = {1.0 / 64, 1.0 / 16, 0.25, 1.0}},
          {.option = "lambda_rule", .values = {"hybrid"s, "search"s, "fixed"s}}};
}

}  // namespace

std::vector<MethodEntry> stabilized_entries() {
  const std::string jiang = "Jiang, Rodomanov, Stich, NeurIPS 2024";
  return {
      entry<SDane>({.name = "s-dane",
                    .summary = "DANE with a stabilised centre: constant local accuracy; finds λ itself",
                    .paper = jiang,
                    .messages = {"∇f_i, then x_i and ∇f_i(x_i)", "∇f, then the next centre; x for the test of a step"},
                    .rate = {.rounds = {rates::strongly_convex("(δ_A/μ) log(1/ε)"), rates::convex("δ_A R_0²/ε")}},
                    .theory = {twice_delta_A()},
                    .fixed = {{"accelerated", false}},
                    .ranges = solvers_and_rules()}),
      entry<SDane>(
          {.name = "acc-s-dane",
           .summary = "S-DANE accelerated by an estimating sequence; finds λ itself",
           .paper = jiang,
           .messages = {"∇f_i, then x_i and ∇f_i(x_i)", "∇f, then the next centre; x for the test of a step"},
           .rate = {.rounds = {rates::strongly_convex("√(δ_A/μ) log(1/ε)"), rates::convex("√(δ_A R_0²/ε)")}},
           .theory = {theory::number("lambda", "2 δ_A", [](theory::In t) { return 2.0 * t.c.delta_A; }), theory::mu()},
           .fixed = {{"accelerated", true}},
           .unused = {"cohort"},
           .ranges = solvers_and_rules()}),
      entry<Cgm>({.name = "cgm",
                  .summary = "one client at the server solves, and the step is tested; finds λ itself",
                  .paper = "Nesterov, Math. Programming 2013",
                  .messages = {"∇f_i, f_i", "the delegate's point"},
                  .rate = {.rounds = {rates::strongly_convex("(Δ_1/μ) log(1/ε)"), rates::convex("Δ_1 R_0²/ε"),
                                      rates::non_convex("Δ_1 F_0/ε")},
                           .proved_for = Convexity::any},
                  .theory = {twice_delta_of_delegate()},
                  .ranges = solvers_and_rules()}),
  };
}

}  // namespace driftless
