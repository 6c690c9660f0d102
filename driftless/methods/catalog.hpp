// All methods by name. A new one is one line in the catalog_*.cpp of its family; the command line, the docs and the
// contract tests read this list.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/methods/theorem.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace driftless {

// Where the theory of a method holds.
enum class Convexity { nothing, strongly_convex, convex, any };
template <>
struct EnumNames<Convexity> {
  static constexpr std::array<std::string_view, 4> value{"nothing", "strongly convex", "convex", "any"};
};

// The value that a theorem gives an option, from the constants of the federation.
struct TheoryValue {
  std::string option;
  std::string formula;
  std::function<OptionValue(const Constants&)> value;
};

struct MethodEntry {
  using Echo = std::vector<std::pair<std::string, std::string>>;

  std::string name;
  std::string family;  // set by the catalogue
  std::string summary;
  std::string paper;
  std::string rate;                          // rounds to accuracy ε that theory promises
  Convexity proved_for = Convexity::convex;  // the widest class of functions with a guarantee
  bool uses_hessian = false;                 // asks clients for products with ∇²f_i, whatever the options
  std::vector<TheoryValue> theory = {};
  std::string limit = {};           // why the limit is not the minimiser; empty: it is
  Settings fixed;                   // options that the name settles
  Settings initial;                 // defaults that differ from the general method's
  Settings demo;                    // settings for the quadratics of examples/synthetic.toml
  std::vector<OptionInfo> options;  // those that are left to the user
  std::function<std::unique_ptr<Method>(const Settings&)> make;  // ConfigError if the settings are unfit
  std::function<Echo(const Settings&)> echo;                     // every option with its value, as TOML text
  // The theorems that are checked along a run with these settings; null where there are none.
  std::function<Theorems(const Settings&, const TheoremFacts&)> theorems;

  bool reaches_minimizer() const { return limit.empty(); }
};

const std::vector<MethodEntry>& method_catalog();

bool has_option(const MethodEntry& entry, const std::string& option);
Settings theory_settings(const MethodEntry& entry, const Constants& constants);

const MethodEntry& find_method(const std::string& name);  // ConfigError with the nearest name if there is none

// Those of the entry; none where it has none.
Theorems theorems_of(const MethodEntry& entry, const Settings& settings, const TheoremFacts& facts);

}  // namespace driftless
