#include "driftless/tuning/tuning.hpp"

#include "driftless/config/theory_settings.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/method_trial.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/problem_constants.hpp"
#include "driftless/tuning/default_settings.hpp"
#include "driftless/tuning/search_directory.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace driftless {
namespace {

class Search {
 public:
  Search(const TuneConfig& config, const TuneOptions& options)
      : config_(config), options_(options), pool_(config.run.federation.threads) {
    if (options.files) check_search_folder(options.out, options.must_exist);
    if (options.problem == nullptr) {
      made_ = make_problem(config.run, pool_);
      log_info(made_.summary);
    }
    result_.problem = problem().summary;
    if (config.default_ranges)
      log_info("no ranges are given, so those of the catalogue are searched; 'driftless tune --dry-run' shows them");
    if (asks_for_theory(config_.run.methods)) resolve_all();
    if (result_.interrupted()) return;
    check_methods();
    result_.config = config_;
    result_.goal = target_at(problem(), config_.keys.targets.back(), pool_);
    result_.yardstick = problem().reference ? Yardstick::gap : Yardstick::grad_norm;
    copies_.resize(pool_.size());
  }

  TuningResult run() {
    if (result_.interrupted()) return std::move(result_);  // before the first trial
    std::vector<std::vector<Trial>> rung = first_rung();   // per method
    result_.planned = planned(rung);
    if (options_.files) directory_.emplace(config_, problem(), options_.out);
    if (directory_) result_.directory = directory_->path();
    CountProgress progress(options_.progress, "trials", result_.planned);
    while (!rung.empty()) {
      const std::vector<TrialResult> results = run_all(rung, progress);
      result_.trials.insert(result_.trials.end(), results.begin(), results.end());
      result_.stopped = options_.stop_token.signal();
      if (result_.interrupted() && result_.trials.size() < result_.planned) break;
      rung = next_rung(rung, results);
    }
    progress.clear();
    if (result_.trials.size() == result_.planned) result_.stopped = StopSignal::none;
    std::ranges::sort(result_.trials, {}, [](const TrialResult& r) { return std::pair(r.trial.number, r.trial.rung); });
    if (directory_ && !result_.interrupted()) directory_->finish(result_);
    return std::move(result_);
  }

 private:
  void resolve_all() {
    const auto constants = problem_constants(
        problem(), pool_,
        {.noise = needs_noise(config_.run.methods), .progress = options_.progress, .stop_token = options_.stop_token});
    if (!constants) {
      result_.stopped = options_.stop_token.signal();
      return;
    }
    asked_ = config_.run.methods;
    constants_ = constants->values;
    for (MethodConfig& method : config_.run.methods)
      resolve_theory(method, constants->values, constants->exact ? "" : origin_of(*constants));
    log_info(constants_line(*constants));
    if (!constants->converged) log_warning(unfinished_constants);
  }
  const Problem& problem() const { return options_.problem != nullptr ? *options_.problem : made_; }

  struct TrialSettings {
    Settings chosen;
    Settings tried;  // as the search space has it
  };

  // The settings of every trial of a method: the free options and the values from theory that follow from them.
  std::vector<TrialSettings> settings_of_trials(std::size_t m) const {
    std::vector<TrialSettings> all;
    for (Settings& tried : settings_tried(config_, m)) {
      Settings chosen = tried;
      if (!asked_.empty() && asks_for_theory(asked_[m])) resolve_trial(m, chosen);
      const auto same = [&](const TrialSettings& other) { return other.chosen == chosen; };
      if (may_drop(m) && (std::ranges::any_of(all, same) || !accepted(m, chosen))) continue;
      all.push_back({std::move(chosen), std::move(tried)});
    }
    if (all.empty())
      throw ConfigError({.what = "no setting that would be tried fits '" + config_.run.methods[m].label + "'",
                         .seen = axis_texts(config_.spaces[m]),
                         .advice = "give ranges that it accepts in [method.search]"});
    return all;
  }

  // Multiples of theory's value are numbers only now, and may be out of range; so may be those of default ranges.
  bool may_drop(std::size_t m) const {
    return config_.default_ranges || std::ranges::any_of(config_.spaces[m], &SearchAxis::of_theory);
  }
  bool accepted(std::size_t m, const Settings& chosen) const {
    const MethodConfig& method = config_.run.methods[m];
    try {
      find_method(method.name).make(with(method.settings, chosen))->round_traffic(problem().clients.size());
      return true;
    } catch (const ConfigError&) { return false; }
  }
  static std::string axis_texts(const SearchSpace& space) {
    std::string text;
    for (const SearchAxis& axis : space) text += (text.empty() ? "" : "; ") + axis_text(axis);
    std::erase(text, '\n');
    return text;
  }

  void resolve_trial(std::size_t m, Settings& chosen) const {
    const MethodConfig& asked = asked_[m];
    const MethodEntry& entry = find_method(asked.name);
    chosen = in_numbers(entry, asked.settings, config_.spaces[m], chosen, constants_);
    const Settings given = with(asked.settings, chosen);
    const Settings resolved = may_drop(m) ? resolve_theory_values(entry, given, constants_).settings
                                          : resolve_settings(entry, given, constants_, asked.label).settings;
    for (const auto& [option, value] : asked_of_theory(given)) {
      const auto found = std::ranges::find(resolved, option, &Settings::value_type::first);
      const auto usual = std::ranges::find(config_.run.methods[m].settings, option, &Settings::value_type::first);
      if (found->second != usual->second) chosen.push_back(*found);
    }
  }

  // Some methods do not fit every number of clients, as a graph may not. Computing the cost of a round finds out.
  void check_methods() const {
    for (std::size_t m = 0; m < config_.spaces.size(); ++m) {
      const MethodConfig& method = config_.run.methods[m];
      for (const TrialSettings& settings : settings_of_trials(m))
        find_method(method.name).make(with(method.settings, settings.chosen))->round_traffic(problem().clients.size());
    }
  }

  std::vector<std::size_t> rungs_of(const std::vector<Trial>& trials) const {
    if (config_.keys.strategy != Strategy::halving) return {trials.size()};
    return rung_sizes(trials.size(), config_.keys.reduction);
  }

  std::size_t planned(const std::vector<std::vector<Trial>>& first) const {
    std::size_t sum = 0;
    for (const std::vector<Trial>& trials : first)
      for (const std::size_t size : rungs_of(trials)) sum += size;
    return sum;
  }

  std::vector<std::vector<Trial>> first_rung() {
    std::vector<std::vector<Trial>> first;
    std::size_t number = 0;
    for (std::size_t m = 0; m < config_.spaces.size(); ++m) {
      std::vector<Trial>& trials = first.emplace_back();
      for (TrialSettings& settings : settings_of_trials(m))
        trials.push_back({.number = ++number,
                          .rung = 0,
                          .method = m,
                          .chosen = std::move(settings.chosen),
                          .tried = std::move(settings.tried),
                          .budget = {}});
      rungs_.push_back(rungs_of(trials));
      for (Trial& trial : trials) trial.budget = budget_of(trial);
    }
    return first;
  }

  // The last rung has the whole budget, each one before it 1/reduction of the next.
  Budget budget_of(const Trial& trial) const {
    std::size_t divisor = 1;
    for (std::size_t left = rungs_[trial.method].size() - 1 - trial.rung; left > 0; --left)
      divisor *= config_.keys.reduction;
    return config_.budget.divided_by(divisor);
  }

  // The better trials of each method, from the start with a larger budget; empty after the last rung.
  std::vector<std::vector<Trial>> next_rung(const std::vector<std::vector<Trial>>& rung,
                                            std::vector<TrialResult> results) const {
    std::ranges::sort(results, [&](const auto& a, const auto& b) { return better(a, b, config_.keys.currency); });
    std::vector<std::vector<Trial>> next(rung.size());
    bool any = false;
    for (const TrialResult& result : results) {
      Trial trial = result.trial;
      const std::vector<std::size_t>& sizes = rungs_[trial.method];
      ++trial.rung;
      if (trial.rung >= sizes.size() || next[trial.method].size() >= sizes[trial.rung]) continue;
      trial.budget = budget_of(trial);
      next[trial.method].push_back(std::move(trial));
      any = true;
    }
    return any ? next : std::vector<std::vector<Trial>>{};
  }

  // The finished trials; fewer than requested only where the search was stopped.
  std::vector<TrialResult> run_all(const std::vector<std::vector<Trial>>& rung, CountProgress& progress) {
    std::vector<const Trial*> trials;
    for (const std::vector<Trial>& method : rung)
      for (const Trial& trial : method) trials.push_back(&trial);
    std::vector<std::optional<TrialResult>> results(trials.size());
    if (trials.size() > 1) make_copies();
    pool_.for_each(trials.size(), [&](std::size_t task, std::size_t worker) {
      results[task] = result_of(*trials[task], worker);
      const std::scoped_lock lock(mutex_);
      if (results[task]) progress.add();
    });
    std::vector<TrialResult> finished;
    for (std::optional<TrialResult>& result : results)
      if (result) finished.push_back(std::move(*result));
    return finished;
  }

  std::optional<TrialResult> result_of(const Trial& trial, std::size_t worker) {
    if (directory_)
      if (std::optional<TrialResult> known = directory_->find(trial)) return known;
    if (options_.stop_token.stop_requested()) return std::nullopt;
    const TrialResult result = run_trial(
        trial, {.config = config_, .problem = problem(), .goal = result_.goal, .stop_token = options_.stop_token},
        clients_of(worker));
    if (result.reason == StopReason::interrupted) return std::nullopt;
    const std::scoped_lock lock(mutex_);
    if (directory_) directory_->add(result);
    return result;
  }

  // A client is used by one thread at a time: every worker but the first has its own copies, made while no worker runs.
  void make_copies() {
    for (std::size_t worker = 1; worker < pool_.size(); ++worker) {
      if (!copies_[worker].empty()) continue;
      for (const auto& client : problem().clients) copies_[worker].push_back(client->clone());
    }
  }
  const ClientObjectives& clients_of(std::size_t worker) const {
    return worker == 0 ? problem().clients : copies_[worker];
  }

  TuneConfig config_;
  std::vector<MethodConfig> asked_;  // the methods with "theory" as it was asked for; empty where nothing was
  Constants constants_;
  const TuneOptions& options_;
  ThreadPool pool_;
  Problem made_;
  std::vector<ClientObjectives> copies_;
  std::vector<std::vector<std::size_t>> rungs_;  // sizes, per method
  std::optional<SearchDirectory> directory_;
  TuningResult result_;
  std::mutex mutex_;  // of the files and the progress line
};

}  // namespace

std::vector<std::size_t> rung_sizes(std::size_t trials, std::size_t reduction) {
  std::vector<std::size_t> sizes{trials};
  while (sizes.back() > 1) sizes.push_back((sizes.back() + reduction - 1) / reduction);
  return sizes;
}

TuningResult tune(const TuneConfig& config, const TuneOptions& options) {
  require_mean(config.run.federation, "driftless tune");
  return Search(config, options).run();
}

}  // namespace driftless
