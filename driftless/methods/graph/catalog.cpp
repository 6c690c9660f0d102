#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/graph/acc_sonata_graph.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

std::vector<MethodEntry> graph_entries() {
  const TheoryValue similarity = theory::number("lambda", "δ_B", [](theory::In t) { return t.c.delta_B; });
  const TheoryValue above_mu =
      theory::number("lambda", "max(δ_B, μ)", [](theory::In t) { return std::max(t.c.delta_B, t.c.mu); });
  const TheoryValue mixing = theory::count("mixing_steps", "3, a rule of thumb", [](theory::In) { return 3.0; });
  return {
      entry<SonataGraph>({.name = "sonata-graph",
                          .summary = "local proximal steps with gradient tracking over a graph, without a server",
                          .paper = "Sun et al., SIAM J. Optim. 2022",
                          .messages = {"x_i, then y_i, to every neighbour, mixing_steps times each", "nothing"},
                          .rate = {.rounds = {rates::strongly_convex("(δ_B/μ) log(1/ε), with enough mixing")},
                                   .proved_for = Convexity::strongly_convex},
                          .theory = {similarity, mixing},
                          .demo = {{"lambda", 5.0}, {"mixing_steps", std::int64_t{3}}}}),
      entry<SonataGraph>(
          {.name = "network-dane",
           .summary = "DANE over a graph: full steps to the local solutions, gradient tracking",
           .paper = "Li et al., JMLR 2020",
           .messages = {"x_i, then y_i, to every neighbour, mixing_steps times each", "nothing"},
           .rate = {.rounds = {rates::strongly_convex("linear, the better the more alike the clients are")},
                    .proved_for = Convexity::strongly_convex},
           .theory = {similarity, mixing},
           .fixed = {{"step", 1.0}, {"tracker_start", "mixed"s}},
           .demo = {{"lambda", 5.0}, {"mixing_steps", std::int64_t{3}}}}),
      entry<AccSonataGraph>({.name = "acc-sonata-graph",
                             .summary = "SONATA over a graph, accelerated by Catalyst",
                             .paper = "Tian et al., AISTATS 2022",
                             .messages = {"as sonata-graph, inner_rounds times", "nothing"},
                             .rate = {.rounds = {rates::strongly_convex("√(δ/μ) log(1/ε), with enough mixing")},
                                      .proved_for = Convexity::strongly_convex},
                             .theory = {above_mu, theory::mu(), mixing},
                             .demo = {{"lambda", 5.0}, {"mu", 1.0}, {"mixing_steps", std::int64_t{3}}}}),
  };
}

}  // namespace driftless
