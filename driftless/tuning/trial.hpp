// One trial of a search: a setting of a method, its budget and its result.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/tuning/tune_config.hpp"

#include <cstdint>
#include <span>

namespace driftless {

struct Trial {
  std::size_t number = 0;  // from 1, over all methods
  std::size_t rung = 0;    // of successive halving; a later rung repeats a setting with a larger budget
  std::size_t method = 0;  // its index in the configuration
  Settings chosen;         // of the free options
  Settings tried;          // the same as the search space has it: multiples where an option is searched in those
  Budget budget;
};

// The cost of reaching a target.
struct Cost {
  std::uint64_t rounds = 0;
  std::uint64_t exchanges = 0;
  std::uint64_t bytes = 0;
  std::uint64_t grad_evals = 0;

  std::uint64_t in(Currency currency) const;
  bool operator==(const Cost&) const = default;
};
Cost cost_of(const TraceRow& row);

// Of a method that draws at random it stands for `tune.seeds` runs: means, and only what all of them reached.
struct TrialResult {
  Trial trial;
  StopReason reason = StopReason::none;
  Cost spent;
  double part = 1.0;                    // smallest gap within the budget, as a fraction of the first
  std::vector<std::optional<Cost>> at;  // one per target; none where it was not reached within the budget

  std::size_t reached() const;  // targets
};

// What all trials of a search share.
struct TrialContext {
  const TuneConfig& config;
  const Problem& problem;
  StopConditions goal;  // the hardest target, which ends a trial
  StopToken stop_token = {};
};

// The runs of one setting as one result: diverged where one did, `part` as the geometric mean.
TrialResult mean_of(const std::vector<TrialResult>& runs);

// Runs in one thread, on clients that no other thread uses meanwhile. Divergence is a result; a trial that was stopped
// has none worth keeping, and its reason is `interrupted`.
TrialResult run_trial(const Trial& trial, const TrialContext& context, const ClientObjectives& clients);

// Whether the first of two trials of a method is better: it reached more targets, did not diverge, spent less of the
// currency until the hardest target if both reached it or else has the smaller gap, has the smaller number.
bool better(const TrialResult& a, const TrialResult& b, Currency currency);

// A line of trials.csv, from which the same result can be read. The trial comes first, then its result.
std::string trials_header(const TuneConfig& config);
std::string trial_line(const TrialResult& result, const TuneConfig& config);
// None where the line belongs to another trial or is malformed.
std::optional<TrialResult> parse_trial(const Trial& trial, std::string_view line, const TuneConfig& config);
std::string trial_key(const Trial& trial);  // the beginning of its line: "number,rung,"

std::string target_text(double target);  // 1e-8

}  // namespace driftless
