#include "driftless/problems/problem_constants.hpp"

#include "driftless/console/progress.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/objectives/quadratic/constants.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace driftless {
namespace {

void add_point(ProblemConstants& worst, const FederatedConstants& found) {
  const Constants values = found.values();
  const Constants errors = found.errors();
  for (const auto& [name, member, largest_is_worst] : constant_list) {
    double& value = worst.values.*member;
    value = largest_is_worst ? std::max(value, values.*member) : std::min(value, values.*member);
    worst.errors.*member = std::max(worst.errors.*member, errors.*member);
  }
  worst.converged = worst.converged && found.converged;
}

class Measuring {
 public:
  Measuring(const Problem& problem, Transport& transport, ThreadPool& pool, const MeasuringOptions& options)
      : problem_(problem), fed_(problem.clients, problem.dim(), transport, pool, 1), line_(options.progress) {
    inspect_.stop_token = options.stop_token;
    inspect_.on_stage = [this](const std::string& stage) { line_.show("constants at the " + point_ + ": " + stage); };
  }

  FederatedConstants at(const Vector& x, const std::string& point) {
    point_ = point;
    FederatedConstants found = federated_constants(fed_, x, inspect_);
    if (!found.interrupted) require_finite(found, problem_);
    return found;
  }
  FederatedConstants curvature_at_zero() {
    point_ = "origin";
    return federated_curvature(fed_, Vector::Zero(fed_.dim()), inspect_);
  }
  // The worst of the start and the optimum.
  SampleNoise noise() {
    line_.show("noise of the samples");
    const SampleNoise start = sample_noise(fed_, problem_.start);
    return problem_.reference ? worse_noise(start, sample_noise(fed_, problem_.reference->minimizer)) : start;
  }
  double tolerance() const { return inspect_.tolerance; }

 private:
  const Problem& problem_;
  Federation fed_;
  StageLine line_;
  InspectOptions inspect_;
  std::string point_;
};

// With their errors on the safe side.
Constants worst_within_errors(const Constants& values, const Constants& errors) {
  Constants worst = values;
  for (const auto& [name, member, largest_is_worst] : constant_list)
    worst.*member += largest_is_worst ? errors.*member : -(errors.*member);
  return worst;
}

// The largest error of all constants. μ may be far smaller than L, so its relative error would say little.
double error_of(const ProblemConstants& constants) {
  double largest = 0.0;
  for (const ConstantInfo& constant : constant_list) largest = std::max(largest, constants.errors.*constant.member);
  return largest;
}

}  // namespace

Constants bounds_from_zero(const FederatedConstants& zero, double kappa, const Problem& problem) {
  const double l2 = problem.l2.value_or(0.0);
  const double bounded = 2.0 * problem.beta;  // curvature of the bounded term at the origin
  const auto most = [&](const Eigenvalue& e) {
    const double at_zero = e.value + e.error - bounded;
    return at_zero + (kappa - 1.0) * (at_zero - l2);
  };
  const double L = most(zero.L());
  const double L_f = most(zero.L_f);
  const double delta_B = std::max(L, L_f) - l2;
  const Constants convex{.clients = zero.clients.size(),
                         .L = L,
                         .L_f = L_f,
                         .mu = l2,
                         .mu_f = l2,
                         .delta_A = std::sqrt((L - l2) * (L_f - l2)),
                         .delta_A_up = delta_B,
                         .delta_B = delta_B,
                         .delta_1 = delta_B,
                         .L_sample = zero.L_sample > 0.0 ? zero.L_sample - bounded : 0.0};
  return with_bounded_regularizer(convex, problem.beta);
}

namespace {

// At a point the bounded term may look convex: μ is its bound at all points.
void include_bounded_term(ProblemConstants& worst, const Problem& problem) {
  const double least = problem.l2.value_or(0.0) - 0.5 * problem.beta;
  worst.values.mu = std::min(worst.values.mu, least);
  worst.values.mu_f = std::min(worst.values.mu_f, least);
}

// The worst of the start and, where it is known, the optimum. None where the measurement was interrupted.
std::optional<ProblemConstants> measured_constants(const Problem& problem, Measuring& measuring,
                                                   const MeasuringOptions& options) {
  const FederatedConstants start = measuring.at(problem.start, "start");
  if (start.interrupted) return std::nullopt;
  ProblemConstants worst{.values = start.values(),
                         .exact = false,
                         .at = "start",
                         .errors = start.errors(),
                         .tolerance = measuring.tolerance(),
                         .converged = start.converged};
  if (problem.reference) {
    const FederatedConstants optimum = measuring.at(problem.reference->minimizer, "optimum");
    if (optimum.interrupted) return std::nullopt;
    add_point(worst, optimum);
    worst.at = "start and optimum";
  }
  if (problem.beta > 0.0) include_bounded_term(worst, problem);
  if (!options.everywhere) return worst;
  if (problem.hessians.constant) worst.everywhere = worst_within_errors(worst.values, worst.errors);
  else if (problem.hessians.growth_from_zero) {
    const FederatedConstants zero = problem.start.isZero(0.0) ? start : measuring.curvature_at_zero();
    if (zero.interrupted) return std::nullopt;
    worst.everywhere = bounds_from_zero(zero, *problem.hessians.growth_from_zero, problem);
  }
  return worst;
}

}  // namespace

std::optional<ProblemConstants> problem_constants(const Problem& problem, ThreadPool& pool,
                                                  const MeasuringOptions& options) {
  InProcessTransport transport(problem.n);
  return problem_constants(problem, transport, pool, options);
}

std::optional<ProblemConstants> problem_constants(const Problem& problem, Transport& transport, ThreadPool& pool,
                                                  const MeasuringOptions& options) {
  std::optional<ProblemConstants> constants;
  if (problem.constants) constants = ProblemConstants{.values = *problem.constants, .exact = true, .at = "everywhere"};
  if (constants && !options.noise) return constants;
  Measuring measuring(problem, transport, pool, options);
  if (!constants) constants = measured_constants(problem, measuring, options);
  if (!constants || !options.noise) return constants;
  constants->values.noise = measuring.noise();
  if (constants->everywhere) constants->everywhere->noise = constants->values.noise;
  return constants;
}

void require_finite(const FederatedConstants& found, const Problem& problem) {
  const Constants values = found.values();
  if (std::ranges::all_of(constant_list, [&](const auto& c) { return std::isfinite(values.*c.member); })) return;
  const std::string cause =
      problem.largest ? fmt::format("column {} has the value {}, and Hessians are as large as squares of values",
                                    problem.largest->column, number(problem.largest->value))
                      : problem.summary;
  throw DataError({.what = "the curvature of the clients is too large for double precision, so L, mu and delta do not "
                           "exist",
                   .seen = cause,
                   .advice = "scale the features to about 1, or remove rows with such values; numbers instead of "
                             "\"theory\" need no constants"});
}

std::string similarity_warning(const Constants& constants) {
  constexpr double enough = 5.0;
  if (!(constants.delta_A > 0.0) || constants.L >= enough * constants.delta_A) return "";
  return fmt::format("L/delta_A = {:.3g} (L = {:.4g}, delta_A = {:.4g}): below {:g} drift correction hardly pays with "
                     "theory's lambda; let 'driftless tune' search a smaller one, or take newton-cg",
                     constants.L / constants.delta_A, constants.L, constants.delta_A, enough);
}

std::string origin_of(const ProblemConstants& constants) {
  if (constants.exact) return "exact";
  return fmt::format("measured by Lanczos at the {}, to {:.0e} of L",
                     constants.at == "start and optimum" ? "start and at the optimum" : "start",
                     error_of(constants) / constants.values.L);
}

std::string constants_line(const ProblemConstants& constants) {
  const Constants& c = constants.values;
  return fmt::format("L = {:.4g}, L_f = {:.4g}, mu = {:.4g}, delta_A = {:.4g}, delta_B = {:.4g}, delta_1 = {:.4g} ({})",
                     c.L, c.L_f, c.mu, c.delta_A, c.delta_B, c.delta_1, origin_of(constants));
}

}  // namespace driftless
