#include "driftless/methods/catalog.hpp"

#include "driftless/methods/agd.hpp"
#include "driftless/methods/dane.hpp"
#include "driftless/methods/dane_plus.hpp"
#include "driftless/methods/fedavg.hpp"
#include "driftless/methods/fedlin.hpp"
#include "driftless/methods/fedprox.hpp"
#include "driftless/methods/fedred.hpp"
#include "driftless/methods/gd.hpp"
#include "driftless/methods/scaffnew.hpp"
#include "driftless/methods/scaffold.hpp"

#include <algorithm>

namespace driftless {
namespace {

using namespace std::string_literals;

bool names(const Settings& settings, const std::string& key) {
  return std::any_of(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
}

void reject_fixed(const MethodEntry& entry, const Settings& settings) {
  for (const auto& [key, value] : settings)
    if (names(entry.fixed, key))
      throw ConfigError({.what = "'" + key + "' is settled by the name '" + entry.name + "'",
                         .seen = key + " = " + to_text(value),
                         .advice = "remove it, or use the general method (see 'driftless methods')"});
}

template <class M>
typename M::Options read_options(const MethodEntry& entry, const Settings& settings) {
  typename M::Options options;
  reject_fixed(entry, settings);
  set_options(options, entry.fixed);
  set_options(options, entry.initial);
  set_options(options, settings);
  require_complete(options);
  if constexpr (requires { options.check(); }) options.check();
  return options;
}

// What the fields of MethodEntry that a line does not give are made from.
template <class M>
MethodEntry entry(MethodEntry e) {
  typename M::Options defaults;
  set_options(defaults, e.fixed);
  set_options(defaults, e.initial);
  for (OptionInfo& info : describe_options(defaults))
    if (!names(e.fixed, info.name)) e.options.push_back(std::move(info));
  const MethodEntry core = e;
  e.make = [core](const Settings& s) -> std::unique_ptr<Method> {
    return std::make_unique<M>(read_options<M>(core, s));
  };
  e.echo = [core](const Settings& s) {
    MethodEntry::Echo lines = echo_options(read_options<M>(core, s));
    std::erase_if(lines, [&](const auto& line) { return names(core.fixed, line.first); });
    return lines;
  };
  return e;
}

const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";

std::vector<MethodEntry> make_catalog() {
  const std::string similarity = "(δ_A/μ) log(1/ε); convex δ_A R_0²/ε; non-convex δ_B F_0/ε";
  const Settings until_e_r{{"stop_rule", "e_r"s}};
  return {
      entry<Gd>({.name = "gd",
                 .summary = "gradient descent, the yardstick",
                 .paper = "Cauchy 1847",
                 .rate = "(L/μ) log(1/ε); convex L R_0²/ε; non-convex L F_0/ε",
                 .demo = {{"step", 0.01}}}),
      entry<Agd>({.name = "agd",
                  .summary = "Nesterov's accelerated gradient descent",
                  .paper = "Nesterov 1983",
                  .rate = "√(L/μ) log(1/ε); convex √(L R_0²/ε)",
                  .demo = {{"step", 0.01}, {"mu", 1.0}}}),
      entry<FedAvg>({.name = "fedavg",
                     .summary = "local gradient steps, then the mean; drifts when clients differ",
                     .paper = "McMahan et al., AISTATS 2017",
                     .rate = "to a biased point",
                     .reaches_minimizer = false,
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedProx>({.name = "fedprox",
                      .summary = "local proximal step, then the mean; drifts less than fedavg",
                      .paper = "Li et al., MLSys 2020",
                      .rate = "to a biased point",
                      .reaches_minimizer = false,
                      .demo = {{"lambda", 10.0}}}),
      entry<Scaffold>({.name = "scaffold",
                       .summary = "local steps corrected by control variates, with client sampling",
                       .paper = "Karimireddy et al., ICML 2020",
                       .rate = "(L/μ) log(1/ε); quadratics ((L + δ_B K)/(μ K)) log(1/ε)",
                       .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<FedLin>({.name = "fedlin",
                     .summary = "local steps corrected by exact gradient differences",
                     .paper = "Mitra et al., NeurIPS 2021",
                     .rate = "(L/μ) log(1/ε)",
                     .demo = {{"step", 0.001}, {"local_steps", std::int64_t{10}}}}),
      entry<Scaffnew>({.name = "scaffnew",
                       .summary = "local steps with randomly skipped communication (ProxSkip)",
                       .paper = "Mishchenko et al., ICML 2022",
                       .rate = "√(L/μ) log(1/ε)",
                       .demo = {{"step", 0.01}, {"p", 0.1}}}),
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
      entry<FedRed>({.name = "fedred",
                     .summary = "doubly regularised drift correction, exact local steps",
                     .paper = jiang,
                     .rate = similarity,
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}}),
      entry<FedRed>({.name = "fedred-gd",
                     .summary = "doubly regularised drift correction, one gradient per local step",
                     .paper = jiang,
                     .rate = similarity,
                     .fixed = {{"solver", "gd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 100.0}, {"p", 0.055}}}),
      entry<FedRed>({.name = "fedred-sgd",
                     .summary = "doubly regularised drift correction, one minibatch per local step",
                     .paper = jiang,
                     .rate = similarity + ", plus noise",
                     .reaches_minimizer = false,
                     .fixed = {{"solver", "sgd"s}},
                     .demo = {{"lambda", 5.0}, {"eta", 200.0}, {"p", 0.055}, {"batch", std::int64_t{5}}}}),
  };
}

}  // namespace

const std::vector<MethodEntry>& method_catalog() {
  static const std::vector<MethodEntry> catalog = make_catalog();
  return catalog;
}

const MethodEntry& find_method(const std::string& name) {
  std::vector<std::string> known;
  for (const MethodEntry& e : method_catalog()) {
    if (e.name == name) return e;
    known.push_back(e.name);
  }
  const std::string near = nearest(name, known);
  throw ConfigError({.what = "there is no method '" + name + "'",
                     .seen = "name = " + toml_string(name),
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known: " + join(known)});
}

}  // namespace driftless
