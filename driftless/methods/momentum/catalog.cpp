#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/momentum/mime.hpp"
#include "driftless/methods/momentum/mime_mvr.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

std::vector<MethodEntry> momentum_entries() {
  const std::string karimireddy = "Karimireddy et al., NeurIPS 2021";
  return {
      entry<Mime>({.name = "mime",
                   .summary = "drift-corrected local steps with the server's momentum, kept frozen",
                   .paper = karimireddy,
                   .messages = {"∇f_i, then y_i", "c, then x, m"},
                   .rate = {.rounds = {rates::remark("none for this base")}, .proved_for = Convexity::nothing},
                   .theory = {theory::step_is_inverse_L(), theory::local_steps_are_L_over_delta()},
                   .fixed = {{"correction", true}},
                   .demo = {{"step", 0.02}, {"local_steps", std::int64_t{10}}, {"b", 0.5}}}),
      entry<Mime>({.name = "mimelite",
                   .summary = "local steps with the server's momentum, without correction; drifts",
                   .paper = karimireddy,
                   .messages = {"y_i, ∇f_i", "x, m"},
                   .rate = {.rounds = {rates::remark("to a biased point")}, .proved_for = Convexity::any},
                   .theory = {theory::step_is_inverse_L_K()},
                   .limit = "clients drift, and nothing corrects them",
                   .fixed = {{"correction", false}},
                   .demo = {{"step", 0.01}, {"local_steps", std::int64_t{10}}}}),
      entry<MimeMvr>(
          {.name = "mime-mvr",
           .summary = "Mime with momentum-based variance reduction",
           .paper = karimireddy,
           .messages = {"∇f_i at x and at the previous x, then y_i", "m, c, then x"},
           .rate = {.rounds = {rates::non_convex("δ_B G F_0/(√n ε^{3/2}) + G²/(n ε) + δ_B F_0/ε")},
                    .proved_for = Convexity::any},
           .theory = {theory::step_is_inverse_L(), theory::local_steps_are_L_over_delta(),
                      theory::number("a", "min(1, (δ_B K γ)²/4), K = local_steps, γ = step, up to a constant",
                                     [](theory::In t) {
                                       const double moved = t.c.delta_B * t["local_steps"] * t["step"];
                                       return theory::at_most_one(moved * moved / 4.0);
                                     })},
           .demo = {{"step", 0.01}, {"local_steps", std::int64_t{20}}, {"a", 0.2}}}),
  };
}

}  // namespace driftless
