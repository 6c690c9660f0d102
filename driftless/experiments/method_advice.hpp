// Short trials of the leading methods on a problem, and the advice that follows from them: what was measured, beside
// what is proved.
#pragma once

#include "driftless/experiments/method_trial.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/results/target_table.hpp"

#include <functional>
#include <string>
#include <vector>

namespace driftless {

struct AdviceTrial {
  std::string method;
  std::string label;               // of its table in the configuration; empty: the settings are those of its theory
  Settings settings = {};          // with values from theory resolved
  std::optional<double> multiple;  // λ in units of theory's, where it is not theory's itself
  std::string obstacle = {};       // why there was no trial; empty: there was one, and the rest is known
  StopReason reason = StopReason::none;
  bool reached = false;
  bool chance = false;  // it draws at random, so another seed gives other counts
  TraceRow spent;       // until the target, or in all
  double part_left = 1.0;

  bool tried() const { return obstacle.empty(); }
  bool configured() const { return !label.empty(); }
  // Local problems were solved in closed form, which counts no gradient: the number of gradients says little.
  bool closed_form() const { return spent.local_steps > 0 && spent.grad_evals < spent.exchanges; }
};

struct MethodAdvice {
  TrialBudget budget;
  double target = 0.0;  // part of the first gap, or of the first gradient norm where no optimum is known
  Yardstick yardstick = Yardstick::gap;
  std::vector<AdviceTrial> trials;
  bool out_of_time = false;  // the clock ended the trials: on a faster machine there are more

  // Of the trials that reached the target; null where none did. `recommended` is within a tenth of the fewest exchanges
  // and needs fewest gradients there: one exchange less is not worth ten times the work.
  const AdviceTrial* recommended() const;
  const AdviceTrial* recommended_of_configured() const;
  const AdviceTrial* fewest_gradients() const;  // without those in closed form
  // The one that left least, among all that did not diverge; null where there is none.
  const AdviceTrial* nearest() const;
  std::vector<const AdviceTrial*> best_of_each() const;  // of every method and every table, in their order

 private:
  std::vector<const AdviceTrial*> reached(const std::function<bool(const AdviceTrial&)>& of) const;
};

struct AdviceOptions {
  double target = 1e-6;
  Transport* transport = nullptr;  // to the other peers; null: this process hosts every client
  bool progress = false;
  StopToken stop_token = {};
};

// Tries the methods of the configuration's tables, and those that the catalogue names for it with the values of their
// theory; λ, which theory takes from the worst case, also at smaller values as long as they help. Collective.
MethodAdvice advise(const RunConfig& config, const Problem& problem, const Constants& constants,
                    const AdviceOptions& options, ThreadPool& pool);

std::string advice_text(const MethodAdvice& advice);      // table and sentence
std::string advice_sentence(const MethodAdvice& advice);  // "Advice from these trials: …"
std::string trials_json(const MethodAdvice& advice);      // trials.json

}  // namespace driftless
