#include "driftless/problems/problem_constants.hpp"

#include "driftless/console/progress.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/theory/federated_constants.hpp"

#include <algorithm>
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
      : fed_(problem.clients, problem.dim(), transport, pool, 1), line_(options.progress) {
    inspect_.stop_token = options.stop_token;
    inspect_.on_stage = [this](const std::string& stage) { line_.show("constants at the " + point_ + ": " + stage); };
  }

  FederatedConstants at(const Vector& x, const std::string& point) {
    point_ = point;
    return federated_constants(fed_, x, inspect_);
  }
  double tolerance() const { return inspect_.tolerance; }

 private:
  Federation fed_;
  StageLine line_;
  InspectOptions inspect_;
  std::string point_;
};

// The largest error of all constants. μ may be far smaller than L, so its relative error would say little.
double error_of(const ProblemConstants& constants) {
  double largest = 0.0;
  for (const ConstantInfo& constant : constant_list) largest = std::max(largest, constants.errors.*constant.member);
  return largest;
}

}  // namespace

std::optional<ProblemConstants> problem_constants(const Problem& problem, ThreadPool& pool,
                                                  const MeasuringOptions& options) {
  InProcessTransport transport(problem.n);
  return problem_constants(problem, transport, pool, options);
}

std::optional<ProblemConstants> problem_constants(const Problem& problem, Transport& transport, ThreadPool& pool,
                                                  const MeasuringOptions& options) {
  if (problem.constants) return ProblemConstants{.values = *problem.constants, .exact = true, .at = "everywhere"};
  Measuring measuring(problem, transport, pool, options);
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
  return worst;
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
