#include "driftless/experiments/comparison.hpp"

#include "driftless/console/text_table.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/problem_constants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

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
                      .lines = {},
                      .interrupted = false};
    for (const MethodConfig& method : methods()) {
      if (!result.constants || options_.stop_token.stop_requested()) break;
      result.lines.push_back(run_method(method, result.constants->values));
    }
    result.interrupted = options_.stop_token.stop_requested();
    return result;
  }

 private:
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
    stop.gap = target_at(problem_, comparison_target, pool_).gap;
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

std::string settings_text(const Settings& settings) {
  std::vector<std::string> words;
  for (const auto& [key, value] : settings) {
    const auto* real = std::get_if<double>(&value);
    words.push_back(key + " = " + (real != nullptr ? fmt::format("{:.3g}", *real) : to_text(value)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string constants_text(const Comparison& comparison) {
  return comparison.constants ? constants_line(*comparison.constants) : "interrupted while its constants were measured";
}

// Heading and cells, the same for every format of text.
std::vector<std::vector<std::string>> cells(const Comparison& comparison) {
  std::vector<std::vector<std::string>> lines{
      {"method", "rounds", "exchanges", "messages", "bytes", "gradients", "parameters", "remark"}};
  for (const ComparisonLine& line : comparison.lines) {
    std::vector<std::string> row{line.label};
    const TraceRow& r = line.trial.last();
    if (line.trial.reached())
      for (const std::string& cell :
           {fmt::format("{}", r.round), fmt::format("{}", r.exchanges), fmt::format("{}", r.messages),
            bytes_text(double(r.bytes_up + r.bytes_down)), fmt::format("{}", r.grad_evals)})
        row.push_back(cell);
    else row.insert(row.end(), 5, "–");
    row.push_back(settings_text(line.settings));
    row.push_back(remark(line));
    lines.push_back(std::move(row));
  }
  return lines;
}

}  // namespace

Comparison compare_methods(const RunConfig& config, const ComparisonOptions& options) {
  return Comparer(config, options).run();
}

std::string remark(const ComparisonLine& line) {
  const MethodEntry& entry = find_method(line.method);
  if (line.trial.reached()) return entry.reaches_minimizer() ? "" : "its limit is another point: " + entry.limit;
  if (line.trial.reason == StopReason::diverged) return "diverges";
  const std::string left = fmt::format("{:.1e} of the gap left", line.trial.gap_left());
  if (!entry.reaches_minimizer()) return "does not reach it: " + entry.limit + "; " + left;
  return fmt::format("not within the {} allowed; {}", enum_name(line.trial.reason), left);
}

std::string comparison_text(const Comparison& comparison, std::size_t width) {
  std::string head;
  for (const std::string& text : {comparison.problem, constants_text(comparison)})
    for (const std::string& line : wrapped(text, width)) head += line + "\n";
  return head + "\n" + aligned(cells(comparison), {0, 6, 7}, width);
}

std::string comparison_markdown(const Comparison& comparison) {
  std::string text = comparison.problem + "; " + constants_text(comparison) + ".\n\n";
  const auto lines = cells(comparison);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "| " + fmt::format("{}", fmt::join(lines[i], " | ")) + " |\n";
    if (i == 0) text += "|---|---:|---:|---:|---:|---:|---|---|\n";
  }
  return text;
}

std::string comparison_json(std::span<const Comparison> comparisons) {
  Json problems = Json::array();
  for (const Comparison& comparison : comparisons) {
    Json lines = Json::array();
    for (const ComparisonLine& line : comparison.lines) {
      Json settings = Json::object();
      for (const auto& [key, value] : line.settings) settings[key] = to_text(value);
      const TraceRow& r = line.trial.last();
      lines.push_back({{"method", line.method},
                       {"label", line.label},
                       {"settings", std::move(settings)},
                       {"reached", line.trial.reached()},
                       {"stop", enum_name(line.trial.reason)},
                       {"remark", remark(line)},
                       {"gap_left", line.trial.gap_left()},
                       {"rounds", r.round},
                       {"exchanges", r.exchanges},
                       {"messages", r.messages},
                       {"bytes", r.bytes_up + r.bytes_down},
                       {"grad_evals", r.grad_evals}});
    }
    problems.push_back({{"problem", Json::parse(comparison.problem_facts)},
                        {"constants", comparison.constants ? constants_document(*comparison.constants) : Json(nullptr)},
                        {"methods", std::move(lines)}});
  }
  return Json{{"schema_version", 3}, {"target", comparison_target}, {"problems", std::move(problems)}}.dump(2) + "\n";
}

}  // namespace driftless
