// The best setting of one method in one cell: successive halving over the grid of the catalogue.
//
//   every rung has three times the exchanges of the one before, the last has all, and a third of its settings remains;
//   with k rungs left a rung has 1/(k + 1) of the gradient evaluations left, the last all, in equal parts for settings
//
// A setting that has reached the target is not run again. No other one runs for as many exchanges as the best so far
// has needed, and one is dropped that would miss the budget by far at its speed until then. A method with
// one setting has the whole budget in one run.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/reproduce/auto/plan.hpp"
#include "driftless/tuning/default_settings.hpp"
#include "driftless/tuning/trial.hpp"

#include <optional>
#include <span>

namespace driftless {

// Why a method did not arrive: what ended the setting that came nearest.
enum class AutoEnd { arrived, exchanges, gradients, too_slow, diverged, clock, unfit };
template <>
struct EnumNames<AutoEnd> {
  static constexpr std::array<std::string_view, 7> value{"arrived",  "exchanges", "gradients", "too_slow",
                                                         "diverged", "clock",     "unfit"};
};

struct AutoArrival {
  std::string setting;  // of the free options
  Cost cost;

  bool operator==(const AutoArrival&) const = default;
};

// A method in a cell.
struct AutoResult {
  std::string method;
  AutoEnd end = AutoEnd::unfit;
  std::optional<AutoArrival> best = {};          // fewest exchanges, then fewest bytes
  std::optional<AutoArrival> fewest_bytes = {};  // of the settings that arrived
  std::optional<AutoArrival> fewest_gradients = {};
  std::string nearest = {};  // where none arrived: the setting that came nearest, and the part of ‖∇f(x⁰)‖ it left
  double part = 1.0;
  std::string note = {};  // why it is unfit, or what it chose by itself
  std::size_t settings = 0;
  std::uint64_t gradients = 0;  // of all its runs
  bool clock = false;           // the safety net stopped it: another machine may find another result
  double seconds = 0.0;         // of the processor

  bool arrived() const { return best.has_value(); }
  bool operator==(const AutoResult&) const = default;
};

struct AutoLimits {
  std::size_t exchanges = 300;
  std::size_t gradients = 15000;
  double seconds = 60.0;
};

struct AutoTask {
  const Problem& problem;
  const ClientObjectives& clients;  // used by this search alone
  ThreadPool& pool;
  AutoLimits limits;
  double target = AutoPlan::target;
  StopToken stop_token = {};
};

// None where it was interrupted.
std::optional<AutoResult> search_method(const MethodEntry& entry, std::span<const TunedSetting> settings,
                                        const AutoTask& task);

}  // namespace driftless
