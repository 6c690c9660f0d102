#include "driftless/experiments/inspection.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/stop_agreement.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/problem_constants.hpp"
#include "driftless/results/run_directory.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

class Inspecting {
 public:
  Inspecting(const RunConfig& config, const InspectionOptions& options)
      : config_(config),
        options_(options),
        line_(options.progress),
        pool_(config.federation.threads),
        in_process_(config.clients()),
        transport_(options.transport != nullptr ? *options.transport : in_process_),
        stop_(transport_, options.stop_token, {}) {
    transport_.set_summation(config.summation());
    if (!options.along.empty()) find_method(options.along);  // an unknown name is an error before anything is computed
    problem_ = make_problem(config, transport_, pool_, options.own);
    fed_.emplace(problem_.clients, problem_.dim(), transport_, pool_, config.seed);
    inspect_.stop_token = stop_.token();
    inspect_.on_stage = [this](const std::string& stage) { line_.show(stage); };
  }

  Inspection run() {
    log_info(problem_.summary);
    const Vector x = point();
    out_.problem = problem_.summary;
    out_.problem_facts = problem_json(problem_).dump();
    out_.at = options_.at;
    out_.tolerance = inspect_.tolerance;
    out_.exact = problem_.constants && problem_.hessians.constant;
    out_.measured = federated_constants(*fed_, x, inspect_);
    if (!out_.measured.interrupted) {
      require_finite(out_.measured, problem_);
      conclude();
    }
    line_.clear();
    out_.interrupted = out_.measured.interrupted || stop_.interrupted();
    return std::move(out_);
  }

 private:
  Vector point() const {
    if (options_.at == "zero") return Vector::Zero(problem_.dim());
    if (options_.at != "optimum") return point_from_file(options_.at, "--at", problem_.dim());
    if (problem_.reference) return problem_.reference->minimizer;
    throw ConfigError({.what = "the optimum of this problem is not known",
                       .seen = "--at optimum: " + problem_.summary,
                       .advice = "use --at zero or --at point.npy, or a convex problem with reference = \"auto\""});
  }

  void conclude() {
    out_.constants = out_.exact ? *problem_.constants : out_.measured.values();
    if (!out_.measured.converged) log_warning(unfinished_constants);
    if (const std::string warning = similarity_warning(out_.constants); !warning.empty()) log_warning(warning);
    set_lower_bounds();
    set_upper_bounds();
    if (!options_.along.empty()) follow();
    if (problem_.reference && out_.constants.L_f > 0.0) predict_rounds();
    if (config_.inspect.trials) try_methods();
  }

  // What is seen at a point or a step holds of the worst.
  void set_lower_bounds() {
    const Constants& c = out_.constants;
    GlobalBounds& b = out_.bounds;
    b.L_lower = c.L;
    b.mu_upper = c.mu;
    b.delta_A_lower = c.delta_A;
    b.delta_B_lower = c.delta_B;
  }

  void set_upper_bounds() {
    GlobalBounds& b = out_.bounds;
    const FederatedConstants& m = out_.measured;
    const auto most = [](const Eigenvalue& e) { return e.value + e.error; };
    if (problem_.constants) {  // known by construction; with the regulariser L and μ are bounds already
      const Constants& c = *problem_.constants;
      b = {c.L, c.L_f, c.mu, c.delta_A, c.delta_B, b.L_lower, b.mu_upper, b.delta_A_lower, b.delta_B_lower};
    } else if (problem_.hessians.constant) {
      b.L_upper = most(m.L());
      b.L_f_upper = most(m.L_f);
      b.mu_lower = m.mu().value - m.mu().error;
      if (problem_.hessians.growth_from_zero) b.mu_lower = std::max(*b.mu_lower, problem_.l2.value_or(0.0));
      b.delta_A_upper = most(m.delta_A);
      b.delta_B_upper = most(m.delta_B());
    } else if (problem_.hessians.growth_from_zero) {
      set_bounds_from_zero(*problem_.hessians.growth_from_zero);
    }
  }

  void set_bounds_from_zero(double kappa) {
    const FederatedConstants zero =
        options_.at == "zero" ? out_.measured : federated_curvature(*fed_, Vector::Zero(problem_.dim()), inspect_);
    const Constants everywhere = bounds_from_zero(zero, kappa, problem_);
    GlobalBounds& b = out_.bounds;
    b.L_upper = everywhere.L;
    b.L_f_upper = everywhere.L_f;
    b.mu_lower = everywhere.mu;
    b.delta_B_upper = everywhere.delta_B;
    b.delta_A_upper = everywhere.delta_A;
  }

  // The method with the settings of its table in the configuration, or those of its theory.
  Settings settings_along() const {
    for (const MethodConfig& method : config_.methods)
      if (method.name == options_.along) return method.settings;
    return theory_settings(find_method(options_.along), out_.constants);
  }

  void follow() {
    constexpr std::size_t most_rounds = 200;
    constexpr double negligible = 1e-10;  // relative to the first gradient
    const std::size_t rounds = std::min(config_.stop.rounds.value_or(most_rounds), most_rounds);
    const std::unique_ptr<Method> method =
        located("--along " + options_.along, [&] { return find_method(options_.along).make(settings_along()); });
    SecantSampler sampler(*fed_);
    Vector x = problem_.start;
    method->start(*fed_, x);
    sampler.add(*fed_, x);
    const double first = fed_->measure(x).gradient.norm();
    for (std::size_t r = 0; r < rounds && !stop_.interrupted(); ++r) {
      inspect_.on_stage("along " + options_.along + ", round " + std::to_string(r + 1));
      fed_->begin_round();
      method->round(*fed_, x);
      const double now = fed_->measure(x).gradient.norm();
      if (!std::isfinite(now) || !(now > negligible * first)) break;
      sampler.add(*fed_, x);
    }
    out_.along = options_.along;
    out_.secants = sampler.bounds();
    merge(sampler.bounds());
  }

  void merge(const SecantBounds& s) {
    GlobalBounds& b = out_.bounds;
    if (s.steps == 0) return;
    b.L_lower = std::max(b.L_lower, s.L);
    b.mu_upper = std::min(b.mu_upper, s.mu);
    b.delta_A_lower = std::max(b.delta_A_lower, s.delta_A);
    b.delta_B_lower = std::max(b.delta_B_lower, s.delta_B);
  }

  std::string validity() const {
    if (out_.exact || problem_.hessians.constant) return "that hold everywhere";
    const std::string point =
        options_.at == "zero" || options_.at == "optimum" ? "at " + options_.at : "at the point given";
    return point + ", which may be worse elsewhere";
  }

  void predict_rounds() {
    const Vector& best = problem_.reference->minimizer;
    RateInput input{.constants = out_.constants};
    input.distance2 = (problem_.start - best).squaredNorm();
    input.gap = fed_->measure(problem_.start).value - problem_.reference->minimum;
    input.gradients2 = gather_scalars(*fed_, 1, [&](Client& i, VecOut number) {
                         Vector g(best.size());
                         i.gradient(best, g);
                         number[0] = g.squaredNorm();
                       }).mean();
    if (!(input.gap > 0.0)) return;  // the start is the optimum
    out_.target = input.target;
    out_.predictions = predict(input, problem_.dim(), validity());
  }

  // With the constants that "theory" has in a run, so that the advice can be followed there.
  void try_methods() {
    const std::optional<ProblemConstants> constants =
        problem_constants(problem_, transport_, pool_, {.progress = options_.progress, .stop_token = stop_.token()});
    if (!constants) return;
    line_.clear();
    out_.advice =
        advise(config_, problem_, constants->values,
               {.transport = &transport_, .progress = options_.progress, .stop_token = options_.stop_token}, pool_);
  }

  const RunConfig& config_;
  const InspectionOptions& options_;
  StageLine line_;
  ThreadPool pool_;
  InProcessTransport in_process_;
  Transport& transport_;
  StopAgreement stop_;
  Problem problem_;
  std::optional<Federation> fed_;
  InspectOptions inspect_;
  Inspection out_;
};

}  // namespace

Inspection inspect(const RunConfig& config, const InspectionOptions& options) {
  std::optional<RunDirectory> directory;
  if (!options.out.empty()) directory.emplace(config.output, canonical_text(config), options.out);
  try {
    Inspection found = Inspecting(config, options).run();
    if (!directory) return found;
    if (found.interrupted) {
      directory->discard();
      return found;
    }
    found.directory = directory->path().string();
    write_output_file(directory->path() / "constants.json", constants_file(found));
    write_output_file(directory->path() / "predictions.json", predictions_file(found));
    if (found.advice) write_output_file(directory->path() / "trials.json", trials_json(*found.advice));
    return found;
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    if (options.transport != nullptr) options.transport->abort(known != nullptr ? known->info().what : error.what());
    if (directory) directory->discard();
    throw;
  }
}

}  // namespace driftless
