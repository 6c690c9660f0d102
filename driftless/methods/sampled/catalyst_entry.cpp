#include "driftless/methods/sampled/catalyst_entry.hpp"

#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/sampled/catalyst.hpp"
#include "driftless/methods/theory_values.hpp"

#include <cctype>

namespace driftless {
namespace {

struct Own {  // what read_options needs to know
  using Options = CatalystOptions;
};

bool is_own(const std::string& option) {
  static const std::vector<std::string> own = option_names<CatalystOptions>();
  return std::ranges::find(own, option) != own.end();
}

Settings own_settings(const Settings& settings) {
  Settings own;
  std::ranges::copy_if(settings, std::back_inserter(own), [](const auto& s) { return is_own(s.first); });
  return own;
}

// Those of the inner method, with its μ: `mu` of the regularised functions.
Settings inner_settings(const MethodEntry& inner, const Settings& settings, const OptionValue& mu) {
  Settings rest;
  std::ranges::copy_if(settings, std::back_inserter(rest), [](const auto& s) { return !is_own(s.first); });
  if (has_option(inner, "mu")) rest.emplace_back("mu", mu);
  return rest;
}

// Constants of f_i + (κ/2)‖· − y‖²; the pull is common to all clients, so no δ changes.
Constants with_pull(Constants c, double kappa) {
  for (double* member : {&c.L, &c.L_f, &c.mu, &c.mu_f}) *member += kappa;
  if (c.L_sample > 0.0) c.L_sample += kappa;
  return c;
}

// The formula with L + κ in place of L, and so on.
std::string formula_with_pull(const std::string& formula) {
  std::string text;
  bool changed = false;
  const auto in_symbol = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte == 0xCE || byte == 0xCF;
  };
  for (std::size_t at = 0; at < formula.size();) {
    std::size_t end = at;
    while (end < formula.size() && in_symbol(formula[end]))
      end += static_cast<unsigned char>(formula[end]) < 0x80 ? 1 : 2;
    const std::string symbol = formula.substr(at, std::max<std::size_t>(end - at, 1));
    const bool grows = symbol == "L" || symbol == "L_f" || symbol == "L_s" || symbol == "μ" || symbol == "μ_f";
    text += grows ? "(" + symbol + " + κ)" : symbol;
    changed = changed || grows;
    at += symbol.size();
  }
  return changed ? text + ", κ = kappa" : text;
}

TheoryValue theory_with_pull(const TheoryValue& value) {
  TheoryValue result{value.option, {}};
  for (const TheoryCase& one : value.cases) {
    TheoryCase pulled{formula_with_pull(one.formula),
                      [of = one.value](theory::In t) {
                        const Constants c = with_pull(t.c, t["kappa"]);
                        return of({c, t.options});
                      },
                      one.condition,
                      {}};
    if (one.applies)
      pulled.applies = [of = one.applies](theory::In t) {
        const Constants c = with_pull(t.c, t["kappa"]);
        return of({c, t.options});
      };
    result.cases.push_back(std::move(pulled));
  }
  return result;
}

bool asks_single_clients(const MethodEntry& inner) {
  return inner.name == "svrp" || inner.name == "svrs" || inner.name == "acc-svrs";
}

TheoryValue kappa_around(const MethodEntry& inner) {
  if (inner.name == "gd" || inner.name == "agd")
    return theory::number("kappa", "max(L_f − 2 μ, 0)",
                          [](theory::In t) { return std::max(t.c.L_f - 2.0 * t.c.mu, 0.0); });
  if (asks_single_clients(inner))
    return theory::number("kappa", "max(δ_A/√n − μ, 0)",
                          [](theory::In t) { return std::max(t.c.delta_A / std::sqrt(t.n()) - t.c.mu, 0.0); });
  return theory::number("kappa", "max(δ_A − μ, 0)", [](theory::In t) { return std::max(t.c.delta_A - t.c.mu, 0.0); });
}

// Methods of single clients need about n rounds for what all clients do in one.
TheoryValue rounds_around(const MethodEntry& inner) {
  if (asks_single_clients(inner))
    return theory::count("inner_rounds", "4 n, a rule of thumb", [](theory::In t) { return 4.0 * t.n(); });
  return theory::count("inner_rounds", "3, a rule of thumb", [](theory::In) { return 3.0; });
}

// Catalyst around one method. The entry of that method is shared by the functions.
MethodEntry entry_around(const std::shared_ptr<const MethodEntry>& inner) {
  const auto presets =
      std::make_shared<const detail::Presets>(detail::Presets{.name = "catalyst", .initial = {{"inner", inner->name}}});
  MethodEntry e{.name = "catalyst",
                .summary = "acceleration of another method by a pull towards an extrapolated point",
                .paper = "Lin et al., NeurIPS 2015; around svrp: Khaled, Jin, ICLR 2023",
                .messages = {"as the inner method", "as the inner method"},
                .rate = {.rounds = {rates::strongly_convex("√((μ + κ)/μ) log(1/ε) times those for μ + κ")},
                         .proved_for = Convexity::strongly_convex},
                .theory = {theory::mu(), kappa_around(*inner), rounds_around(*inner)},
                .fixed = inner->fixed,
                .unused = inner->unused};
  CatalystOptions defaults;
  defaults.inner = inner->name;
  e.options = describe_options(defaults);
  for (const OptionInfo& option : inner->options)
    if (!is_own(option.name)) e.options.push_back(option);
  for (const TheoryValue& value : inner->theory)
    if (!is_own(value.option)) e.theory.push_back(theory_with_pull(value));
  e.demo = {{"kappa", 4.0}, {"mu", 1.0}, {"inner", inner->name}};
  for (const auto& setting : inner->demo)
    if (!is_own(setting.first)) e.demo.push_back(setting);
  add_usual_ranges(e);
  e.make = [presets, inner](const Settings& s) -> std::unique_ptr<Method> {
    const CatalystOptions own = checked(detail::read_options<Own>(*presets, own_settings(s)));
    return std::make_unique<CatalystMethod>(own, inner->make(inner_settings(*inner, s, own.mu + own.kappa)));
  };
  e.check = [presets, inner](const Settings& s) {
    detail::known_options<Own>(*presets, own_settings(s));
    inner->check(inner_settings(*inner, s, std::string("theory")));
  };
  e.echo = [presets, inner](const Settings& s) {
    MethodEntry::Echo lines = echo_options(detail::known_options<Own>(*presets, own_settings(s)), asked_of_theory(s));
    for (auto& line : inner->echo(inner_settings(*inner, s, std::string("theory"))))
      if (line.first != "mu") lines.push_back(std::move(line));
    return lines;
  };
  return e;
}

}  // namespace

MethodEntry catalyst_entry(const std::vector<MethodEntry>& inner, const std::string& usual) {
  const auto around = std::make_shared<std::map<std::string, MethodEntry>>();
  for (const MethodEntry& entry : inner)
    around->emplace(entry.name, entry_around(std::make_shared<const MethodEntry>(entry)));
  std::vector<std::string> known;
  for (const auto& [method, unused] : *around) known.push_back(method);
  for (auto& [method, of_method] : *around) of_method.options.front().allowed = join(known, " | ");
  MethodEntry e = around->at(usual);
  e.around = around;
  const auto by_name = std::make_shared<MethodEntry>(MethodEntry{.around = around});
  const auto chosen = [by_name, usual, known](const Settings& settings) -> const MethodEntry& {
    const MethodEntry& found = entry_for(*by_name, settings);
    if (&found != by_name.get()) return found;
    if (!detail::names(settings, "inner")) return by_name->around->at(usual);
    throw ConfigError({.what = "'inner' names no method that Catalyst can be put around",
                       .seen = {},
                       .advice = "known: " + join(known)});
  };
  e.make = [chosen](const Settings& s) { return chosen(s).make(s); };
  e.check = [chosen](const Settings& s) { chosen(s).check(s); };
  e.echo = [chosen](const Settings& s) { return chosen(s).echo(s); };
  return e;
}

}  // namespace driftless
