#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/nets/adabest.hpp"
#include "driftless/methods/nets/feddc.hpp"
#include "driftless/methods/nets/fedexp.hpp"
#include "driftless/methods/nets/fedopt.hpp"
#include "driftless/methods/nets/fedpvr.hpp"
#include "driftless/methods/theory_values.hpp"

namespace driftless {

using namespace std::string_literals;

namespace {

// One name for each optimiser of the server; beta2 is not used by Adagrad, so its name settles it.
std::vector<MethodEntry> fedopt_entries() {
  const std::string reddi = "Reddi et al., ICLR 2021";
  const std::vector<ClassRate> adaptive_rate{rates::remark("to a biased point"),
                                             rates::non_convex("1/√(n K T) under bounded gradients")};
  const Settings demo{{"step", 0.001}, {"local_steps", std::int64_t{10}}, {"server_step", 0.3}, {"tau", 0.01}};
  return {
      entry<FedOpt>({.name = "fedopt",
                     .summary = "local steps, then any optimiser at the server; drifts like fedavg",
                     .paper = reddi,
                     .messages = {"Δ_i", "x"},
                     .rate = {.rounds = adaptive_rate, .proved_for = Convexity::any},
                     .takes_robust_means = true,
                     .theory = {theory::step_is_inverse_L_K(),
                                theory::choice("server_optimizer", "\"sgd\", for comparison", "sgd"),
                                theory::number("server_step", "1, a rule of thumb", [](theory::In) { return 1.0; })},
                     .limit = "clients drift, and nothing corrects them",
                     .demo = {{"step", 0.001}, {"server_optimizer", "sgd"s}, {"server_step", 1.0}, {"beta1", 0.5}}}),
      entry<FedOpt>({.name = "fedadam",
                     .summary = "local steps, then Adam at the server",
                     .paper = reddi,
                     .messages = {"Δ_i", "x"},
                     .rate = {.rounds = adaptive_rate, .proved_for = Convexity::any},
                     .takes_robust_means = true,
                     .theory = {theory::step_is_inverse_L_K()},
                     .limit = "clients drift, and nothing corrects them",
                     .fixed = {{"server_optimizer", "adam"s}},
                     .demo = demo}),
      entry<FedOpt>({.name = "fedyogi",
                     .summary = "local steps, then Yogi at the server",
                     .paper = reddi,
                     .messages = {"Δ_i", "x"},
                     .rate = {.rounds = adaptive_rate, .proved_for = Convexity::any},
                     .takes_robust_means = true,
                     .theory = {theory::step_is_inverse_L_K()},
                     .limit = "clients drift, and nothing corrects them",
                     .fixed = {{"server_optimizer", "yogi"s}},
                     .demo = demo}),
      entry<FedOpt>({.name = "fedadagrad",
                     .summary = "local steps, then Adagrad at the server",
                     .paper = reddi,
                     .messages = {"Δ_i", "x"},
                     .rate = {.rounds = adaptive_rate, .proved_for = Convexity::any},
                     .takes_robust_means = true,
                     .theory = {theory::step_is_inverse_L_K(),
                                theory::number("server_step", "1, a rule of thumb", [](theory::In) { return 1.0; })},
                     .limit = "clients drift, and nothing corrects them",
                     .fixed = {{"server_optimizer", "adagrad"s}, {"beta2", 0.0}},
                     .initial = {{"beta1", 0.0}},
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}, {"server_step", 3.0}, {"tau", 0.1}}}),
  };
}

}  // namespace

std::vector<MethodEntry> nets_entries() {
  std::vector<MethodEntry> entries = fedopt_entries();
  entries.push_back(entry<FedDc>(
      {.name = "feddc",
       .summary = "local steps corrected by the client's own drift and by control variates",
       .paper = "Gao et al., CVPR 2022",
       .messages = {"θ_i", "w, ḡ"},
       .rate = {.rounds = {rates::remark("none with constants"), rates::quadratic("√(1/(γ K μ)) log(1/ε)")},
                .proved_for = Convexity::any},
       .theory = {theory::step_is_inverse_L_K(),
                  theory::number("alpha", "2 √(μ L) − 2 μ, derived for quadratics",
                                 [](theory::In t) { return 2.0 * (theory::root_mu_L(t) - t.c.mu); })},
       .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}, {"alpha", 18.0}}}));
  entries.push_back(entry<AdaBest>(
      {.name = "adabest",
       .summary = "local steps with fading drift estimates, extrapolation at the server",
       .paper = "Varno et al., ECCV 2022",
       .messages = {"θ_i", "w"},
       .rate = {.rounds = {rates::remark("none"), rates::remark("with everybody to a point pulled towards the start")},
                .proved_for = Convexity::nothing},
       .theory = {theory::step_is_inverse_L_K(),
                  theory::number("mu", "μ, a rule of thumb", [](theory::In t) { return t.c.mu; })},
       .limit = "a pull towards the start",
       .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}));
  entries.push_back(
      entry<FedPvr>({.name = "fedpvr",
                     .summary = "Scaffold for the last part of the vector, FedAvg for the rest",
                     .paper = "Li et al., CVPR 2023",
                     .messages = {"y_i, the corrected part of c_i⁺ − c_i", "x, c"},
                     .rate = {.rounds = {rates::remark("to a biased point")}, .proved_for = Convexity::any},
                     .theory = {theory::step_is_inverse_L_K(),
                                theory::number("corrected", "1/2, for comparison", [](theory::In) { return 0.5; })},
                     .limit = "what is not corrected drifts",
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}, {"corrected", 0.5}}}));
  entries.push_back(entry<FedExp>({.name = "fedexp",
                                   .summary = "local steps, then a longer server step where clients pull apart",
                                   .paper = "Jhunjhunwala et al., ICLR 2023",
                                   .messages = {"Δ_i and ‖Δ_i‖²", "x"},
                                   .rate = {.rounds = {rates::remark("to the neighbourhood of a biased point")}},
                                   .theory = {theory::step_is_inverse_L_K()},
                                   .limit = "the longer server step circles around the point that clients drift to",
                                   .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}));
  return entries;
}

}  // namespace driftless
