#include "driftless/experiments/method_advice.hpp"

#include "driftless/experiments/stop_agreement.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/methods/uses_chance.hpp"

#include <algorithm>
#include <chrono>

namespace driftless {
namespace {

// Whether the first trial is worth more: it reached the target earlier, or alone, or came nearer to it.
bool better(const AdviceTrial& a, const AdviceTrial& b) {
  if (a.reached != b.reached) return a.reached;
  if (a.reached) return a.spent.exchanges < b.spent.exchanges;
  const bool lost = a.reason == StopReason::diverged;
  return lost != (b.reason == StopReason::diverged) ? !lost : a.part_left < b.part_left;
}

std::vector<const MethodEntry*> leading_methods() {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : method_catalog())
    if (entry.trial_turn > 0) entries.push_back(&entry);
  std::ranges::stable_sort(entries, {}, &MethodEntry::trial_turn);
  return entries;
}

// The multiples of theory's λ, from 1 downwards. Empty for methods without λ.
std::vector<double> smaller_lambdas(const MethodEntry& entry) {
  const auto range = std::ranges::find(entry.ranges, "lambda", &DefaultRange::option);
  if (range == entry.ranges.end()) return {};
  std::vector<double> multiples;
  std::ranges::copy_if(range->multiples, std::back_inserter(multiples), [](double m) { return m < 1.0; });
  std::ranges::sort(multiples, std::greater<>());
  return multiples;
}

class Advising {
 public:
  Advising(const RunConfig& config, const Problem& problem, const Constants& constants, const AdviceOptions& options,
           ThreadPool& pool)
      : config_(config),
        problem_(problem),
        constants_(constants),
        options_(options),
        pool_(pool),
        in_process_(problem.n),
        transport_(options.transport != nullptr ? *options.transport : in_process_),
        stop_(transport_, StopToken([this] { return own_signal(); }), {}) {}

  MethodAdvice run() {
    advice_.budget = config_.inspect;
    advice_.target = options_.target;
    advice_.yardstick = problem_.reference ? Yardstick::gap : Yardstick::grad_norm;
    goal_ = target_at(problem_, options_.target, transport_, pool_);
    for (const MethodConfig& table : config_.methods) try_table(table);
    for (const MethodEntry* entry : leading_methods()) try_entry(*entry);
    advice_.out_of_time = reason_of(stop_.signal()) == StopReason::seconds;
    stop_.begin_method();  // later collectives are not to be ended by this clock
    return std::move(advice_);
  }

 private:
  // At rank 0: the others learn it with a collective, so all end the same trials.
  StopSignal own_signal() const {
    if (const StopSignal given = options_.stop_token.signal(); given != StopSignal::none) return given;
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
    return used.count() >= config_.inspect.seconds ? StopSignal::time_over : StopSignal::none;
  }

  // By the clock or a signal. A round that was abandoned for its work ends one trial only.
  bool ended() const {
    const StopReason reason = reason_of(stop_.signal());
    return reason == StopReason::seconds || reason == StopReason::interrupted;
  }

  void try_table(const MethodConfig& table) {
    AdviceTrial trial{.method = table.name, .label = table.label, .settings = {}, .multiple = {}};
    try_settings(trial, table.settings, table.seed);
  }

  void try_entry(const MethodEntry& entry) {
    Settings settings;
    for (const TheoryValue& value : entry.theory) settings.emplace_back(value.option, "theory");
    AdviceTrial best{.method = entry.name, .label = {}, .settings = {}, .multiple = {}};
    if (!try_settings(best, settings, config_.seed)) return;
    const auto lambda = std::ranges::find(best.settings, "lambda", &Settings::value_type::first);
    const auto* theory = lambda != best.settings.end() ? std::get_if<double>(&lambda->second) : nullptr;
    if (theory == nullptr || !(*theory > 0.0)) return;
    const double unit = *theory;
    for (const double multiple : smaller_lambdas(entry)) {
      AdviceTrial next{.method = entry.name, .label = {}, .settings = {}, .multiple = multiple};
      std::ranges::find(settings, "lambda", &Settings::value_type::first)->second = unit * multiple;
      if (!try_settings(next, settings, config_.seed) || !better(next, best)) return;
      best = std::move(next);
    }
  }

  // Adds the trial; false where there was none, or it was ended before its own budget.
  bool try_settings(AdviceTrial& trial, const Settings& asked, std::size_t seed) {
    if (ended()) return false;
    const MethodEntry& entry = find_method(trial.method);
    try {
      trial.settings = resolve_settings(entry, asked, constants_, trial.method).settings;
      entry.make(trial.settings)->round_traffic(problem_.n);
    } catch (const ConfigError& error) {
      trial.obstacle = error.info().what;
      advice_.trials.push_back(trial);
      return false;
    }
    StopConditions stop = goal_;
    stop.exchanges = config_.inspect.exchanges;
    stop.grad_evals = config_.inspect.grad_evals;
    const MethodTrial run = try_method(problem_, entry, trial.settings,
                                       {.stop = stop,
                                        .seed = seed,
                                        .progress = options_.progress,
                                        .stop_token = stop_.token(),
                                        .transport = &transport_},
                                       pool_);
    const TraceRow* hit = first_at(run.rows, options_.target);
    trial.reason = run.reason;
    trial.reached = hit != nullptr;
    trial.chance = uses_chance(entry, trial.settings);
    trial.spent = hit != nullptr ? *hit : run.last();
    trial.part_left = run.gap_left();
    if (!trial.reached && ended()) return false;
    advice_.trials.push_back(trial);
    return true;
  }

  const RunConfig& config_;
  const Problem& problem_;
  const Constants& constants_;
  const AdviceOptions& options_;
  ThreadPool& pool_;
  InProcessTransport in_process_;
  Transport& transport_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  StopAgreement stop_;
  StopConditions goal_;
  MethodAdvice advice_;
};

// Of the given trials that with fewest gradients, of equal ones that with fewest exchanges, then the first.
const AdviceTrial* least_work(const std::vector<const AdviceTrial*>& trials) {
  const auto price = [](const AdviceTrial* t) { return std::pair(t->spent.grad_evals, t->spent.exchanges); };
  const auto least = std::ranges::min_element(trials, {}, price);
  return least == trials.end() ? nullptr : *least;
}

const AdviceTrial* best_of(std::vector<const AdviceTrial*> trials) {
  constexpr double margin = 1.1;
  const auto exchanges = [](const AdviceTrial* t) { return static_cast<double>(t->spent.exchanges); };
  const auto fewest = std::ranges::min_element(trials, {}, exchanges);
  if (fewest == trials.end()) return nullptr;
  const double most = margin * exchanges(*fewest);
  std::erase_if(trials, [&](const AdviceTrial* t) { return exchanges(t) > most; });
  return least_work(trials);
}

}  // namespace

const AdviceTrial* MethodAdvice::recommended() const {
  return best_of(reached([](const AdviceTrial&) { return true; }));
}

const AdviceTrial* MethodAdvice::recommended_of_configured() const {
  return best_of(reached(&AdviceTrial::configured));
}

const AdviceTrial* MethodAdvice::fewest_gradients() const {
  return least_work(reached([](const AdviceTrial& trial) { return !trial.closed_form(); }));
}

std::vector<const AdviceTrial*> MethodAdvice::reached(const std::function<bool(const AdviceTrial&)>& of) const {
  std::vector<const AdviceTrial*> found;
  for (const AdviceTrial& trial : trials)
    if (trial.reached && of(trial)) found.push_back(&trial);
  return found;
}

const AdviceTrial* MethodAdvice::nearest() const {
  const AdviceTrial* best = nullptr;
  for (const AdviceTrial& trial : trials)
    if (trial.tried() && trial.reason != StopReason::diverged && (best == nullptr || better(trial, *best)))
      best = &trial;
  return best;
}

std::vector<const AdviceTrial*> MethodAdvice::best_of_each() const {
  std::vector<const AdviceTrial*> best;
  for (const AdviceTrial& trial : trials) {
    const auto same = std::ranges::find_if(
        best, [&](const AdviceTrial* b) { return b->method == trial.method && b->label == trial.label; });
    if (same == best.end()) best.push_back(&trial);
    else if (trial.tried() && better(trial, **same)) *same = &trial;
  }
  return best;
}

MethodAdvice advise(const RunConfig& config, const Problem& problem, const Constants& constants,
                    const AdviceOptions& options, ThreadPool& pool) {
  return Advising(config, problem, constants, options, pool).run();
}

}  // namespace driftless
