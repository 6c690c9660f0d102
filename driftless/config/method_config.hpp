// The [[method]] tables: the methods of a run.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/config/theory_settings.hpp"

#include <cstdint>
#include <span>

namespace driftless {

// The key `certificate`: true checks the theorems of the method, "force" also where an assumption fails.
struct TheoremChecks {
  bool on = false;
  bool forced = false;
};
template <>
struct OptionType<TheoremChecks> {
  static std::string allowed() { return "true, false or \"force\""; }
  static bool read(const OptionValue& value, TheoremChecks& out);
  static std::string write(const TheoremChecks& v) { return v.forced ? "\"force\"" : v.on ? "true" : "false"; }
};

// The keys that every method has besides its own options.
struct MethodKeys {
  std::string name;
  std::string label;
  std::string title;
  std::optional<std::size_t> seed;
  OutputPoint output = OutputPoint::last;
  TheoremChecks certificate;

  static Fields fields() {
    using S = MethodKeys;
    return {field("name", &S::name, anything, "the method; see 'driftless methods'"),
            field("label", &S::label, anything, "its folder; the name if not given"),
            field("title", &S::title, anything, "what tables, figures and the report call it; the label if not given"),
            field("seed", &S::seed, anything, "coins, cohorts and batches; the run's seed if not given"),
            field("output", &S::output, anything, "the output point, besides the last iterate"),
            field("certificate", &S::certificate, anything,
                  "check the theorems of the method every round; \"force\": even if an assumption fails")};
  }
};

struct MethodConfig {
  std::string name;
  std::string label;
  std::string title = {};  // empty: the label
  std::size_t seed = 1;
  OutputPoint output = OutputPoint::last;
  bool certificate = false;       // its theorems are checked
  bool forced_check = false;      // also where an assumption fails
  Settings settings;              // the method's own options as given; "theory" until the constants are known
  std::vector<TheoryUse> theory;  // the options whose values come from theory, once they are known

  const std::string& shown_name() const { return title.empty() ? label : title; }
};

// The default of one of the keys of a method, as TOML text; "" where it has none or there is no such method.
std::string usual_value(const std::string& method, const std::string& key);

// Key and formula of the values in such a text that came from theory, as method_text() notes them; `table` is one of
// the tables of its document.
std::vector<std::pair<std::string, std::string>> noted_formulas(const ConfigTable& table, const std::string& text);

// The method of a configuration that names none: adds its table, which is said to be in `file`.
void add_default_method(ConfigDocument& document, const std::string& file);

// The label of each table: its `label`, else its name; further methods of the same name get -2, -3, …
std::vector<std::string> method_labels(const std::vector<ConfigTable>& tables);

// The keys of the method that the table names; empty where there is no such method.
std::vector<std::string> method_keys(const ConfigTable& table);

// `goal` is the ‖∇f‖ at which the run stops, for methods that use it. ConfigError if there are no tables, if two have
// the same label, or if the options of a method are wrong.
std::vector<MethodConfig> read_methods(const std::vector<ConfigTable>& tables, const std::string& file,
                                       std::size_t seed, std::optional<double> goal = {});

bool asks_for_theory(const MethodConfig& method);
bool asks_for_theory(std::span<const MethodConfig> methods);
bool needs_noise(std::span<const MethodConfig> methods);  // of samples: for values from theory or for theorem checks

// Replaces "theory" by numbers and records their formulas, with the origin of the constants unless it is empty.
// ConfigError where a value of the theory cannot be used.
void resolve_theory(MethodConfig& method, const Constants& constants, const std::string& origin = {});

// True for equal seeds too. Values from theory must be known.
bool differ_in_seed_only(const MethodConfig& a, const MethodConfig& b);

enum class Formulas { shown, hidden };

// The table as TOML, with all options except `without`. The formula of a value from theory is a comment on its line.
std::string method_text(const MethodConfig& method, Formulas formulas, const std::vector<std::string>& without = {});

}  // namespace driftless
