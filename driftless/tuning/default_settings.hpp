// The settings that the ranges of the catalogue come to on a problem whose constants are known.
#pragma once

#include "driftless/methods/catalog.hpp"
#include "driftless/tuning/search_space.hpp"

#include <string>
#include <vector>

namespace driftless {

// The setting with numbers in place of multiples of theory's values. Each is a multiple of what theory says with the
// numbers before it, in the order of theory: p of fedred follows from its λ.
Settings in_numbers(const MethodEntry& entry, const Settings& asked, const SearchSpace& space, Settings chosen,
                    const Constants& constants);

struct TunedSetting {
  Settings settings;  // all that the method needs, as numbers
  std::string text;   // of the free options: "lambda = 0.05 (0.25 of theory)"; empty where there are none
};

// The grid of a method for which nobody gave values: every combination of its ranges, without those that the method
// rejects and without repetitions. Empty where theory has no value for an option that needs one.
std::vector<TunedSetting> default_settings(const MethodEntry& entry, const Constants& constants, std::size_t clients);

}  // namespace driftless
