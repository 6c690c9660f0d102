// The result of a search: as text, as JSON, and as a configuration that runs it.
#pragma once

#include "driftless/tuning/tuning_result.hpp"

namespace driftless {

// Best setting of every method at every target, and the frontier of rounds against gradient evaluations.
std::string tuning_text(const TuningResult& result);

// tune.json. Nothing in it depends on time, threads or folders.
std::string tuning_json(const TuningResult& result);

// The distinct settings that are best at some target, each as a [[method]]; for a method that reached no target, the
// one with the smallest gap. [stop] is the budget and the hardest target.
std::vector<MethodConfig> winners(const TuningResult& result);
std::string best_toml(const TuningResult& result);

}  // namespace driftless
