// The ranges that a search tries for an option of a given name, unless the entry of the method has its own.
//
// Options that change what a method is (solvers, compressors, cohorts, batches) have none: they stay as they are given.
// Neither have η and μ, for which a value other than theory's is rarely of use: an η below L makes local solves fail.
#include "driftless/methods/catalog_entry.hpp"

namespace driftless {
namespace {

struct UsualRange {
  std::string_view option;
  std::vector<double> multiples;
  // Names an option beside it: where the method has that one, this one is not searched (or only there).
  std::string_view unless = {};
  std::string_view only_with = {};
  bool of_default = false;  // also where neither theory nor the user gives a value
};

const std::vector<UsualRange>& usual_ranges() {
  static const std::vector<UsualRange> ranges{
      {.option = "lambda", .multiples = {1.0 / 256, 1.0 / 64, 1.0 / 16, 0.25, 1.0, 4.0}},
      {.option = "alpha", .multiples = {1.0 / 16, 0.25, 1.0, 4.0}},
      {.option = "tau", .multiples = {1.0 / 16, 0.25, 1.0, 4.0}, .unless = "lambda"},
      {.option = "step", .multiples = {0.25, 0.5, 1.0, 2.0, 4.0}},
      {.option = "p", .multiples = {0.25, 1.0, 4.0}},
      {.option = "q", .multiples = {0.25, 1.0, 4.0}},
      {.option = "a", .multiples = {0.25, 1.0, 4.0}},
      {.option = "corrected", .multiples = {0.5, 1.0, 2.0}},
      {.option = "mixing_steps", .multiples = {1.0 / 3, 1.0, 2.0}},
      {.option = "pcg_tolerance", .multiples = {0.1, 1.0, 10.0}},
      // An option of the local solver where there is one to choose, and then not used by every solver.
      {.option = "local_steps", .multiples = {0.2, 1.0, 5.0}, .unless = "stop_rule", .of_default = true},
      {.option = "server_step", .multiples = {0.1, 1.0, 10.0}, .only_with = "v_start", .of_default = true},
  };
  return ranges;
}

bool is_number(const OptionInfo& option) {
  return option.kind == OptionKind::number || option.kind == OptionKind::whole_number;
}

bool applies(const UsualRange& usual, const OptionInfo& option, const MethodEntry& entry) {
  if (usual.option != option.name || !is_number(option)) return false;
  if (!usual.unless.empty() && has_option(entry, std::string(usual.unless))) return false;
  if (!usual.only_with.empty() && !has_option(entry, std::string(usual.only_with))) return false;
  const bool from_theory = std::ranges::find(entry.theory, option.name, &TheoryValue::option) != entry.theory.end();
  return usual.of_default || option.required || from_theory;
}

}  // namespace

void add_usual_ranges(MethodEntry& entry) {
  for (const OptionInfo& option : entry.options) {
    if (std::ranges::find(entry.ranges, option.name, &DefaultRange::option) != entry.ranges.end()) continue;
    for (const UsualRange& usual : usual_ranges())
      if (applies(usual, option, entry)) entry.ranges.push_back({.option = option.name, .multiples = usual.multiples});
  }
}

}  // namespace driftless
