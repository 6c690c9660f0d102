#include "driftless/experiments/experiment.hpp"

#include "driftless/config/theory_settings.hpp"
#include "driftless/console/log.hpp"
#include "driftless/experiments/method_run.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/results/shown_settings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

class ExperimentRun {
 public:
  ExperimentRun(const RunConfig& config, const ExperimentOptions& options)
      : config_(config),
        options_(options),
        in_process_(config.clients()),
        transport_(options.transport != nullptr ? *options.transport : in_process_),
        pool_(config.federation.threads != 0 ? config.federation.threads : options.threads),
        stop_(transport_, options.stop_token, config.stop.seconds),
        recorder_(config, options, problem_, transport_, pool_.size()) {
    transport_.set_summation(config.summation());
  }

  Experiment run() {
    set_up_or_discard();
    if (options_.on_start) options_.on_start(recorder_.directory());
    try {
      for (std::size_t m = 0; m < methods_.size(); ++m)
        if (!stop_.interrupted() && !recorder_.take_finished(config_.methods[m])) run_method(m);
      recorder_.judge_theorems(constants_);
    } catch (const Error& error) {
      transport_.abort(error.info().what);
      recorder_.finish(error.kind());
      throw;
    }
    const std::optional<ErrorKind> failure = find_failure();
    recorder_.finish(failure);
    return {std::move(config_), std::move(problem_), recorder_.take_record(), failure};
  }

 private:
  void set_up_or_discard() {
    try {
      set_up();
    } catch (const std::exception& error) {
      const auto* known = dynamic_cast<const Error*>(&error);
      transport_.abort(known != nullptr ? known->info().what : error.what());
      recorder_.discard();
      throw;
    }
    if (Checkpointing* shared = transport_.checkpointing()) shared->on_setup_done();
    if (!stop_.interrupted()) log_setup();
    recorder_.start(config_, constants_);
  }

  // Where a stop is requested meanwhile, no method will run, the problem may be unfinished, so that nothing can be
  // identified by it, and the configuration keeps its "theory".
  void set_up() {
    problem_ = make_problem(config_, transport_, pool_, options_.own, stop_.token());
    require_all_clients_for_theorem_checks();
    if (stop_.interrupted()) return;
    const bool needs_constants = asks_for_theory(config_.methods) || has_theorem_checks();
    if (needs_constants && !find_constants()) return;
    make_methods();
    recorder_.identify(config_);
  }

  bool has_theorem_checks() const { return std::ranges::any_of(config_.methods, &MethodConfig::certificate); }

  // Theorems are checked on the functions of all clients.
  void require_all_clients_for_theorem_checks() const {
    if (!stop_.several_peers() || !has_theorem_checks()) return;
    const auto checked = std::ranges::find_if(config_.methods, &MethodConfig::certificate);
    throw ConfigError(
        {.what = "a certificate needs all clients in one process",
         .seen = checked->label + ": certificate = true, " + std::to_string(transport_.layout().peers) + " peers",
         .advice = "leave 'certificate' out, or use 'driftless run' without --transport"});
  }

  bool find_constants() {
    constants_ = problem_constants(problem_, transport_, pool_,
                                   {.everywhere = has_theorem_checks(),
                                    .noise = needs_noise(config_.methods),
                                    .progress = options_.progress,
                                    .stop_token = stop_.token()});
    if (!constants_) return false;
    for (MethodConfig& method : config_.methods)
      resolve_theory(method, constants_->values, constants_->exact ? "" : origin_of(*constants_));
    return true;
  }

  // Makes all methods before the first one runs: some do not fit every number of clients, as a graph may not. Computing
  // the cost of a round finds out.
  void make_methods() {
    for (const MethodConfig& method : config_.methods) {
      methods_.push_back(find_method(method.name).make(method.settings));
      methods_.back()->round_traffic(problem_.n);
    }
  }

  void log_setup() const {
    log_info(problem_.summary);
    if (constants_) log_theory();
    if (!problem_.reference && config_.problem.may_have_reference())
      log_warning("the optimum was not found, so gaps and distances are left out" +
                  (problem_.no_reference.empty() ? "" : ": " + problem_.no_reference));
  }

  void log_theory() const {
    log_info(constants_line(*constants_));
    if (!constants_->converged) log_warning(unfinished_constants);
    const bool from_theory =
        std::ranges::any_of(config_.methods, [](const MethodConfig& m) { return !m.theory.empty(); });
    if (from_theory && constants_->values.mu < 0.0)
      log_warning("not every f_i is convex here, and most values from theory are those of convex theorems");
    warn_of_low_similarity();
    for (const MethodConfig& method : config_.methods)
      if (!method.theory.empty()) log_info(theory_line(method));
  }

  // All digits, and where the constants come from, are in config.toml.
  static std::string theory_line(const MethodConfig& method) {
    std::vector<std::string> values;
    for (const auto& [option, formula] : method.theory) {
      const auto used = std::ranges::find(method.settings, option, &Settings::value_type::first);
      values.push_back(
          fmt::format("{} = {}", shown_settings({*used}, 6), formula.substr(0, formula.find("; constants"))));
    }
    return fmt::format("{}, from theory: {}", method.label, fmt::join(values, "; "));
  }

  // Where a value from theory has δ in it.
  void warn_of_low_similarity() const {
    const auto from_delta = [](const TheoryUse& use) { return use.formula.find("δ") != std::string::npos; };
    const bool concerned = std::ranges::any_of(
        config_.methods, [&](const MethodConfig& method) { return std::ranges::any_of(method.theory, from_delta); });
    const std::string warning = similarity_warning(constants_->values);
    if (concerned && !warning.empty()) log_warning(warning);
  }

  void run_method(std::size_t m) {
    const RunContext context{config_, options_, problem_, constants_, transport_, pool_, stop_};
    MethodRun run(context, config_.methods[m], recorder_);
    const DriveResult result = run.run(*methods_[m]);
    const std::optional<FitReport> fit = describe_fit(result);
    MethodOutcome outcome = run.outcome(*methods_[m], result);
    outcome.fit = fit;
    recorder_.add(std::move(outcome), result, constants_);
  }

  // All peers have the same reason, so they agree on whether there are exchanges.
  std::optional<FitReport> describe_fit(const DriveResult& result) {
    const bool fitted = result.reason != StopReason::interrupted && result.reason != StopReason::diverged;
    if (!problem_.describe_fit || !fitted) return std::nullopt;
    return problem_.describe_fit(result.output, transport_, pool_);
  }

  std::optional<ErrorKind> find_failure() const {
    const std::optional<ErrorKind> interruption = failure_of(stop_.signal());
    return interruption ? interruption : recorder_.failure();
  }

  RunConfig config_;
  const ExperimentOptions& options_;
  InProcessTransport in_process_;
  Transport& transport_;
  ThreadPool pool_;
  Problem problem_;
  std::optional<ProblemConstants> constants_;  // where values from theory or theorem checks need them
  std::vector<std::unique_ptr<Method>> methods_;
  StopAgreement stop_;
  RunRecorder recorder_;
};

}  // namespace

Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options) {
  return ExperimentRun(config, options).run();
}

}  // namespace driftless
