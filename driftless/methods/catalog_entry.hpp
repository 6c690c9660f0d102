// Makes an entry of the catalogue: entry<M> fills in what follows from the options of the method M.
#pragma once

#include "driftless/methods/method_entry.hpp"

#include <algorithm>

namespace driftless {

// The families, in the order of the list; each has a file of its own.
std::vector<MethodEntry> baseline_entries();
std::vector<MethodEntry> skipping_entries();
std::vector<MethodEntry> momentum_entries();
std::vector<MethodEntry> primal_dual_entries();
std::vector<MethodEntry> dane_entries();
std::vector<MethodEntry> dane_line_entries();
std::vector<MethodEntry> fedred_entries();
std::vector<MethodEntry> graph_entries();
std::vector<MethodEntry> nets_entries();
std::vector<MethodEntry> stabilized_entries();
std::vector<MethodEntry> sampled_entries();
std::vector<MethodEntry> second_order_entries();
std::vector<MethodEntry> adaptive_entries();
std::vector<MethodEntry> automatic_entries();

// One list after the other.
std::vector<MethodEntry> joined(std::vector<MethodEntry> first, std::vector<MethodEntry> second);

namespace detail {

inline bool names(const Settings& settings, const std::string& key) {
  return std::any_of(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
}

// What the name of a method says of its options. The functions of an entry share it, so that entries are cheap to copy.
struct Presets {
  std::string name;
  Settings fixed;
  std::vector<std::string> unused;
  Settings initial;
  std::vector<OptionProduct> products;

  bool hides(const std::string& option) const {
    return names(fixed, option) || std::ranges::find(unused, option) != unused.end();
  }
};

void reject_hidden(const Presets& presets, const Settings& settings);  // ConfigError

// The settings with products of two options, such as lambda = "p*eta", as numbers where both factors are. Where a
// factor is still to come from theory, so is the product. ConfigError where a factor is missing.
Settings with_products(const Presets& presets, Settings settings);

// The settings whose values are still to come from theory, themselves or by a factor, as they were given.
Settings pending_of(const Presets& presets, const Settings& given);

// Not checked as a whole: methods do that themselves.
template <class M>
typename M::Options read_options(const Presets& presets, const Settings& settings) {
  typename M::Options options;
  reject_hidden(presets, settings);
  set_options(options, presets.fixed);
  set_options(options, presets.initial);
  set_options(options, with_products(presets, settings));
  return options;
}

// The options as far as their values are known, checked as far as that goes. Values that are to come from theory are
// unset; where such an option is no number it keeps its default, which no check() reads.
template <class M>
typename M::Options known_options(const Presets& presets, const Settings& given) {
  typename M::Options options;
  reject_hidden(presets, given);
  const Settings settings = with_products(presets, given);
  set_options(options, presets.fixed);
  set_options(options, presets.initial);
  for (const auto& [key, value] : settings)
    if (asks_for_theory(value)) unset_option(options, key);
    else set_option(options, key, value);
  require_complete(options, asked_of_theory(settings));
  if constexpr (requires { options.check(); }) options.check();
  return options;
}

}  // namespace detail

// Adds the ranges that options of these names usually have.
void add_usual_ranges(MethodEntry& entry);

// `theorems` makes those that hold with given options; null where none is checked.
template <class M>
MethodEntry entry(MethodEntry e, Theorems (*theorems)(const typename M::Options&, const TheoremFacts&) = nullptr) {
  typename M::Options defaults;
  set_options(defaults, e.fixed);
  set_options(defaults, e.initial);
  const auto presets =
      std::make_shared<const detail::Presets>(detail::Presets{e.name, e.fixed, e.unused, e.initial, e.products});
  for (OptionInfo& info : describe_options(defaults)) {
    for (const OptionProduct& product : e.products)
      if (product.option == info.name) info.allowed += " or " + toml_string(product.text());
    if (!presets->hides(info.name)) e.options.push_back(std::move(info));
  }
  add_usual_ranges(e);
  e.make = [presets](const Settings& s) -> std::unique_ptr<Method> {
    return std::make_unique<M>(detail::read_options<M>(*presets, s));
  };
  e.check = [presets](const Settings& s) { detail::known_options<M>(*presets, s); };
  e.echo = [presets](const Settings& s) {
    MethodEntry::Echo lines = echo_options(detail::known_options<M>(*presets, s), detail::pending_of(*presets, s));
    std::erase_if(lines, [&](const auto& line) { return presets->hides(line.first); });
    return lines;
  };
  if (theorems != nullptr)
    e.theorems = [presets, theorems](const Settings& s, const TheoremFacts& facts) {
      return theorems(checked(detail::read_options<M>(*presets, s)), facts);
    };
  return e;
}

}  // namespace driftless
