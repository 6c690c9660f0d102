#include "driftless/solvers/local_solver_options.hpp"

#include <cmath>

namespace driftless {
namespace {

StopRule stop_rule_at(const LocalSolverOptions& o, std::size_t round, double lambda) {
  using Kind = StopRule::Kind;
  switch (o.stop_rule) {
    case StopRuleName::steps: return {.kind = Kind::steps, .max_steps = o.local_steps};
    case StopRuleName::e_r:
      return {.kind = Kind::relative, .max_steps = o.max_steps, .tolerance = e_r(lambda, o.mu, round)};
    case StopRuleName::relative: return {.kind = Kind::relative, .max_steps = o.max_steps, .tolerance = o.tolerance};
    case StopRuleName::proximal:
      return {.kind = Kind::relative, .max_steps = o.max_steps, .tolerance = o.tolerance * lambda};
    case StopRuleName::min_gradient: return {.kind = Kind::min_gradient, .max_steps = o.local_steps};
    case StopRuleName::absolute:
      return {.kind = Kind::absolute, .max_steps = o.max_steps, .tolerance = absolute_error(o, round)};
  }
  return {};
}

}  // namespace

double absolute_error(const LocalSolverOptions& options, std::size_t round) {
  return options.tolerance / std::pow(static_cast<double>(round) + 1.0, options.decay);
}

double e_r(double lambda, double mu, std::size_t round) {
  const double r = static_cast<double>(round);
  return std::sqrt(lambda * (mu + lambda) / (8.0 * (r + 1.0) * (r + 2.0)));
}

void LocalSolverOptions::check() const {
  const bool has_step =
      solver != SolverName::exact && solver != SolverName::newton_cg && solver != SolverName::adaptive;
  const std::string name(enum_name(solver));
  if (has_step && eta <= 0.0)
    throw ConfigError({.what = "solver '" + name + "' needs 'eta', the smoothness of f_i; its step is 1/(eta + lambda)",
                       .seen = "eta = " + number(eta),
                       .advice = "give eta > 0, e.g. the largest curvature L of a client"});
  if (solver == SolverName::agd && mu > eta)
    throw ConfigError({.what = "solver 'agd' needs 'mu' at most 'eta': f_i is not more convex than smooth",
                       .seen = "mu = " + number(mu) + ", eta = " + number(eta),
                       .advice = "give mu <= eta, the strong convexity and the smoothness of f_i"});
  if (decay > 0.0 && stop_rule != StopRuleName::absolute)
    throw ConfigError({.what = "'decay' belongs to the stop rule 'absolute'",
                       .seen = "decay = " + number(decay) + ", stop_rule = " + toml_string(enum_name(stop_rule)),
                       .advice = "set stop_rule = \"absolute\", or remove 'decay'"});
  if (stochastic() && stop_rule != StopRuleName::steps)
    throw ConfigError({.what = "solver 'sgd' takes a fixed number of steps and cannot follow another stop rule",
                       .seen = "stop_rule = \"" + std::string(enum_name(stop_rule)) + "\"",
                       .advice = "set stop_rule = \"steps\" and local_steps, or choose another solver"});
}

LocalSolver LocalSolverOptions::at_round(std::size_t round, double lambda) const {
  const StopRule stop = stop_rule_at(*this, round, lambda);
  switch (solver) {
    case SolverName::exact: return Exact{};
    case SolverName::gd: return GradientDescent{.step = 1.0 / (eta + lambda), .stop = stop};
    case SolverName::agd: return AcceleratedGradient{.eta = eta, .mu = mu, .stop = stop};
    case SolverName::adaptive: return AdaptiveGradient{.mu = mu, .stop = stop};
    case SolverName::prox_gradient: return ProxGradient{.eta = eta, .stop = stop};
    case SolverName::sgd: return Sgd{.eta = eta, .batch = batch, .steps = local_steps};
    case SolverName::newton_cg: return NewtonCg{.stop = stop};
  }
  return Exact{};
}

}  // namespace driftless
