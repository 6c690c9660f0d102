#include "driftless/experiments/comparison.hpp"

#include "driftless/console/log.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/problems/make_problem.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

class Comparer {
 public:
  Comparer(const RunConfig& config, const ComparisonOptions& options)
      : config_(config), options_(options), pool_(config.federation.threads), problem_(make_problem(config, pool_)) {
    if (!problem_.reference)
      throw ConfigError({.what = "methods are compared by the gap to the optimum, which is not known here",
                         .seen = problem_.summary,
                         .advice = "use a convex problem with l2 > 0 and reference = \"auto\""});
  }

  Comparison run() {
    Comparison result{.problem = problem_.summary,
                      .problem_facts = problem_json(problem_).dump(),
                      .constants = problem_constants(
                          problem_, pool_, {.progress = options_.progress, .stop_token = options_.stop_token}),
                      .targets = sorted_targets(),
                      .lines = {},
                      .interrupted = false};
    if (result.constants) warn_of_low_similarity(result.constants->values);
    for (const MethodConfig& method : methods()) {
      if (!result.constants || options_.stop_token.stop_requested()) break;
      result.lines.push_back(run_method(method, result.constants->values));
    }
    result.interrupted = options_.stop_token.stop_requested();
    return result;
  }

 private:
  std::vector<double> sorted_targets() const {
    std::vector<double> sorted = options_.targets;
    std::ranges::sort(sorted, std::greater<>());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }

  void warn_of_low_similarity(const Constants& constants) const {
    const std::vector<std::string> all = names();
    const bool concerned =
        std::ranges::any_of(all, [](const std::string& name) { return theory_uses_similarity(find_method(name)); });
    const std::string warning = similarity_warning(constants);
    if (concerned && !warning.empty()) log_warning(warning);
  }

  std::vector<std::string> names() const {
    if (!options_.methods.empty()) return options_.methods;
    std::vector<std::string> all;
    for (const MethodEntry& entry : method_catalog()) all.push_back(entry.name);
    return all;
  }

  std::vector<MethodConfig> methods() const {
    std::vector<MethodConfig> all;
    for (const std::string& name : names()) {
      all.push_back({.name = name, .label = name, .seed = config_.seed, .settings = {}, .theory = {}});
      for (const MethodConfig& table : config_.methods)
        if (options_.tables && table.name == name) all.push_back(table);
    }
    return all;
  }

  ComparisonLine run_method(const MethodConfig& method, const Constants& constants) {
    const MethodEntry& entry = find_method(method.name);
    // first the options that are numbers, so that the reader sees them beside what follows from them
    Settings given;
    for (const auto& setting : method.settings)
      if (!asks_for_theory(setting.second)) given.push_back(setting);
    ComparisonLine line{.method = method.name,
                        .label = method.label,
                        .settings = theory_settings(entry, constants, given),
                        .trial = {}};
    StopConditions stop = config_.stop;
    stop.gap = target_at(problem_, sorted_targets().back(), pool_).gap;
    line.trial = try_method(
        problem_, entry, line.settings,
        {.stop = stop, .seed = method.seed, .progress = options_.progress, .stop_token = options_.stop_token}, pool_);
    return line;
  }

  const RunConfig& config_;
  const ComparisonOptions& options_;
  ThreadPool pool_;
  Problem problem_;
};

}  // namespace

Comparison compare_methods(const RunConfig& config, const ComparisonOptions& options) {
  require_mean(config.federation, "driftless compare");
  return Comparer(config, options).run();
}

}  // namespace driftless
