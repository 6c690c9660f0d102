#include "driftless/methods/uses_chance.hpp"

#include <algorithm>

namespace driftless {

bool uses_chance(const MethodEntry& entry, const Settings& given) {
  const OptionValues options = values_of(entry, given);
  const auto is = [&](const char* option, std::initializer_list<const char*> choices) {
    return options.has(option) &&
           std::ranges::any_of(choices, [&](const char* choice) { return options.is(option, choice); });
  };
  const auto is_given = [&](const char* option) { return options.has(option) && options.number(option) > 0.0; };
  const bool one_client_for_all = entry.name == "ce-lgd";
  const bool sketches = entry.name == "newton-in-span";
  const bool minibatches = is_given("batch") && (!options.has("solver") || options.is("solver", "sgd"));
  return one_client_for_all || sketches || options.has("p") || is_given("cohort") || is_given("p_loc") || minibatches ||
         is("averaging", {"random"}) || is("compressor", {"rand-k", "rand-seq-k", "natural", "qsgd"});
}

}  // namespace driftless
