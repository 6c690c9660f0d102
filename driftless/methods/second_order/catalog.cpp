#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/second_order/fednl.hpp"
#include "driftless/methods/second_order/fednl_ls.hpp"
#include "driftless/methods/second_order/fednl_pp.hpp"
#include "driftless/methods/second_order/lbfgs.hpp"
#include "driftless/methods/second_order/newton.hpp"
#include "driftless/methods/second_order/newton_in_span.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

// Every client sends its whole Hessian.
std::vector<MethodEntry> whole_hessians() {
  return {
      entry<Newton>({.name = "newton",
                     .summary = "Newton's method with the clients' whole Hessians, one exchange a step",
                     .paper = "classical; safeguards of Nocedal, Wright, 2006",
                     .messages = {"f_i, ∇f_i and ∇²f_i", "x"},
                     .rate = {.rounds = {rates::strongly_convex("quadratic near x*, free of the condition number"),
                                         rates::non_convex("to stationary points, without a bound")},
                              .proved_for = Convexity::strongly_convex},
                     .uses_hessian = true,
                     .ranges = {{.option = "steps", .values = {"newton"s, "halley"s}}}}),
      entry<NewtonInSpan>(
          {.name = "newton-in-span",
           .summary = "Newton's method in the span of the rows, for fewer rows than variables",
           .paper = "driftless; sketch of Halko, Martinsson, Tropp, 2011",
           .messages = {"∇f_i, then ∇²f_i Ω; then f_i, ∇f_i and V'∇²f_i V", "x"},
           .rate = {.rounds = {rates::strongly_convex("quadratic near x*, free of the condition number")},
                    .proved_for = Convexity::strongly_convex},
           .uses_hessian = true,
           .ranges = {{.option = "steps", .values = {"newton"s, "halley"s}}}}),
  };
}

// Clients send coded changes of what the server knows of their Hessians.
std::vector<MethodEntry> learned_hessians() {
  const std::string safaryan = "Safaryan et al., ICML 2022";
  const Messages messages{"∇f_i, C(∇²f_i − H_i) and three numbers; once ∇²f_i whole", "x"};
  const RateInfo local{.rounds = {rates::strongly_convex("superlinear near x*, free of the condition number")},
                       .proved_for = Convexity::strongly_convex};
  return {
      entry<FedNl>({.name = "fednl",
                    .summary = "Newton's method with Hessians learned from coded differences",
                    .paper = safaryan,
                    .messages = messages,
                    .rate = local,
                    .uses_hessian = true,
                    .ranges = {{.option = "compressor", .values = {"identity"s, "top-k"s, "natural"s}}}}),
      entry<FedNlLs>({.name = "fednl-ls",
                      .summary = "fednl with a line search, from any start",
                      .paper = safaryan,
                      .messages = {messages.up + "; then f_i at the trial steps", "x"},
                      .rate = local,
                      .uses_hessian = true,
                      .ranges = {{.option = "compressor", .values = {"identity"s, "top-k"s, "natural"s}}}}),
      entry<FedNlPp>({.name = "fednl-pp",
                      .summary = "fednl in which a cohort takes part in a round",
                      .paper = safaryan,
                      .messages = {"changes of g_i and l_i, C(∇²f_i − H_i); once ∇²f_i whole", "x"},
                      .rate = local,
                      .uses_hessian = true,
                      .ranges = {{.option = "compressor", .values = {"identity"s, "top-k"s, "natural"s}}}}),
  };
}

// Clients send gradients and values alone.
std::vector<MethodEntry> gradients_alone() {
  return {
      entry<Lbfgs>({.name = "l-bfgs",
                    .summary = "quasi-Newton steps from the last gradients, f and ∇f of a trial point in one exchange",
                    .paper = "Liu, Nocedal, 1989",
                    .messages = {"f_i and ∇f_i at a trial point", "x"},
                    .rate = {.rounds = {rates::strongly_convex("linear; d rounds on quadratics with memory ≥ d"),
                                        rates::non_convex("to stationary points, without a bound")},
                             .proved_for = Convexity::strongly_convex},
                    .ranges = {{.option = "memory", .values = {std::int64_t{5}, std::int64_t{10}, std::int64_t{30}}}}}),
  };
}

}  // namespace

std::vector<MethodEntry> second_order_entries() {
  return joined(joined(whole_hessians(), learned_hessians()), gradients_alone());
}

}  // namespace driftless
