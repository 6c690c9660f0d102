// What the catalogue knows of a method.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/methods/rate.hpp"
#include "driftless/methods/theorem.hpp"
#include "driftless/methods/theory_value.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace driftless {

// What a round sends, in the symbols of the paper.
struct Messages {
  std::string up;    // by the clients
  std::string down;  // to the clients
};

// An option that may be given as the product of two others, as text: lambda = "p*eta".
struct OptionProduct {
  std::string option;
  std::string first;
  std::string second;

  std::string text() const { return first + "*" + second; }
};

// The values of an option that a search tries where the user names none.
struct DefaultRange {
  std::string option;
  std::vector<double> multiples = {};    // of the value given, else of theory's, else of the default
  std::vector<OptionValue> values = {};  // these instead, where multiples mean nothing
};

struct MethodEntry {
  using Echo = std::vector<std::pair<std::string, std::string>>;

  std::string name;
  std::string family;  // set by the catalogue
  std::string summary;
  std::string paper;
  Messages messages;
  RateInfo rate;
  int trial_turn = 0;                    // its position among the methods that 'inspect' tries; 0: it tries others
  bool uses_hessian = false;             // asks clients for products with ∇²f_i, with any options
  bool noise_enters = false;             // its theory has σ, the noise of batches, with solver = "sgd"
  bool takes_robust_means = false;       // without a code, only needs of each exchange what is near the honest rows
  std::vector<TheoryValue> theory = {};  // a value may follow from those before it
  std::string goal_option = {};          // is stop.grad_norm where it is not given; empty: there is none
  std::string limit = {};                // why the limit is not the minimiser; empty: it is
  Settings fixed;                        // options that the name of the method fixes
  std::vector<std::string> unused;       // options of the general method that do nothing under this name; not offered
  Settings initial;                      // defaults that differ from the general method's
  std::vector<OptionProduct> products = {};  // a value of theory for the first factor may not depend on the option
  Settings demo;                             // settings for the quadratics of examples/synthetic.toml
  std::vector<DefaultRange> ranges = {};     // those of its own come first, then the usual ones
  std::vector<OptionInfo> options;           // those that are left to the user
  std::function<std::unique_ptr<Method>(const Settings&)> make;  // ConfigError if the settings are unfit
  // ConfigError if the settings are unfit; what depends on a value that is to come from theory is not checked.
  std::function<void(const Settings&)> check;
  std::function<Echo(const Settings&)> echo;  // every option with its value, as TOML text
  // The theorems that are checked along a run with these settings; null where there are none.
  std::function<Theorems(const Settings&, const TheoremFacts&)> theorems;
  // Of a method around another one: what is known of it with each inner method, by the value of the option `inner`. The
  // entry itself describes the default. Null for all other methods.
  std::shared_ptr<const std::map<std::string, MethodEntry>> around;

  bool reaches_minimizer() const { return limit.empty(); }
};

// The entry that describes the method with these settings: itself, unless it is a method around another one.
const MethodEntry& entry_for(const MethodEntry& entry, const Settings& given);

// Whether values from theory or theorems with these settings need the noise of samples.
bool needs_noise(const MethodEntry& entry, const Settings& given);

// Whether theory derives an option of the method from δ.
bool theory_uses_similarity(const MethodEntry& entry);

bool has_option(const MethodEntry& entry, const std::string& option);
OptionValues values_of(const MethodEntry& entry, const Settings& given);

// Replaces "theory" by values, in the order in which the entry lists them, so that a value may follow from those
// before it. ConfigError where the theory has no value for the options given; values out of range are left to the
// method to reject.
ResolvedSettings resolve_theory_values(const MethodEntry& entry, Settings settings, const Constants& constants);

// Every option that has a value from theory, with that value; other options are at their defaults, or as given.
Settings theory_settings(const MethodEntry& entry, const Constants& constants, const Settings& given = {});

// Those of the entry; none where it has none.
Theorems theorems_of(const MethodEntry& entry, const Settings& settings, const TheoremFacts& facts);

}  // namespace driftless
