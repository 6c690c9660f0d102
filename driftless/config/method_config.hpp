// The [[method]] tables: which methods a run compares.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/config/theory_settings.hpp"

#include <cstdint>
#include <span>

namespace driftless {

// The keys every method has, beside its own options.
struct MethodKeys {
  std::string name;
  std::string label;
  std::optional<std::size_t> seed;
  OutputPoint output = OutputPoint::last;
  bool certificate = false;

  static Fields fields() {
    using S = MethodKeys;
    return {field("name", &S::name, anything, "the method; see 'driftless methods'"),
            field("label", &S::label, anything, "its folder and its name in tables; the name if not given"),
            field("seed", &S::seed, anything, "coins, cohorts and batches; the run's seed if not given"),
            field("output", &S::output, anything, "the point to hand out besides the last"),
            field("certificate", &S::certificate, anything, "check the theorem of the method every round")};
  }
};

struct MethodConfig {
  std::string name;
  std::string label;
  std::size_t seed = 1;
  OutputPoint output = OutputPoint::last;
  bool certificate = false;
  Settings settings;              // the method's own options, as given; "theory" until the constants are known
  std::vector<TheoryUse> theory;  // which of them the theory gave, once they are known
};

// The label of each table: the given one, else the name, with -2, -3, … from the second of a name on.
std::vector<std::string> method_labels(const std::vector<ConfigTable>& tables);

// The keys that the method named in the table has; none where there is no such method.
std::vector<std::string> method_keys(const ConfigTable& table);

// ConfigError if there is none, if two have one label, or if the options of a method are wrong.
std::vector<MethodConfig> read_methods(const std::vector<ConfigTable>& tables, const std::string& file,
                                       std::size_t seed);

bool asks_for_theory(const MethodConfig& method);
bool asks_for_theory(std::span<const MethodConfig> methods);

// Puts numbers in place of "theory" and records their formulas, with a note of where the constants come from unless it
// is empty. ConfigError where the theory's value cannot be used.
void resolve_theory(MethodConfig& method, const Constants& constants, const std::string& origin = {});

// Also where they have one seed. Values from the theory must be known.
bool differ_in_seed_only(const MethodConfig& a, const MethodConfig& b);

enum class Formulas { shown, hidden };

// The table as TOML, with every option but those named; the formula of a value from the theory is a comment behind it.
std::string method_text(const MethodConfig& method, Formulas formulas, const std::vector<std::string>& without = {});

}  // namespace driftless
