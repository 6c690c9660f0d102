// One trial of a search: a setting of a method, its budget, and what came of it.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/tuning/tune_config.hpp"

#include <cstdint>
#include <span>

namespace driftless {

struct Trial {
  std::size_t number = 0;  // from 1, over all methods
  std::size_t rung = 0;    // of successive halving; the same setting comes back with a larger budget
  std::size_t method = 0;  // which of the configuration's
  Settings chosen;         // the options that were left open
  Budget budget;
};

// What it took to come to a target.
struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t exchanges = 0;
  std::uint64_t bytes = 0;
  std::uint64_t grad_evals = 0;

  std::uint64_t in(Currency currency) const;
  bool operator==(const Cost&) const = default;
};
Cost cost_of(const TraceRow& row);

struct TrialResult {
  Trial trial;
  StopReason reason = StopReason::none;
  Cost spent;
  double part = 1.0;                    // least part of the first gap that was seen within the budget
  std::vector<std::optional<Cost>> at;  // one per target; none where it was not reached within the budget

  std::size_t reached() const;  // targets
};

// What all trials of a search share.
struct TrialContext {
  const TuneConfig& config;
  const Problem& problem;
  StopConditions goal;  // the hardest target, which ends a trial
};

// In one thread, on clients that nobody else uses meanwhile. Divergence is a result.
TrialResult run_trial(const Trial& trial, const TrialContext& context, const ClientObjectives& clients);

// Which of two trials of a method continues: more targets reached; one that did not diverge; less of the currency at the
// hardest target if both came to it, otherwise less of the gap left; the smaller number.
bool better(const TrialResult& a, const TrialResult& b, Currency currency);

// A line of trials.csv, which reads back as the same result. What was asked comes first, then what came of it.
std::string trials_header(const TuneConfig& config);
std::string trial_line(const TrialResult& result, const TuneConfig& config);
// None where the line belongs to another trial or is no line of such a file.
std::optional<TrialResult> parse_trial(const Trial& trial, std::string_view line, const TuneConfig& config);
std::string trial_key(const Trial& trial);  // how its line begins: "number,rung,"

std::string target_text(double target);  // 1e-8

}  // namespace driftless
