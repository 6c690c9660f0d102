// The options that choose the local solver and its stop rule, the same for every method.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/solvers/local_solver.hpp"

#include <array>

namespace driftless {

enum class SolverName { exact, gd, agd, adaptive, prox_gradient, sgd, newton_cg };
template <>
struct EnumNames<SolverName> {
  static constexpr std::array<std::string_view, 7> value{"exact",         "gd",  "agd",      "adaptive",
                                                         "prox-gradient", "sgd", "newton-cg"};
};

enum class StopRuleName { steps, e_r, relative, proximal, min_gradient, absolute };
template <>
struct EnumNames<StopRuleName> {
  static constexpr std::array<std::string_view, 6> value{"steps",    "e_r",          "relative",
                                                         "proximal", "min-gradient", "absolute"};
};

struct LocalSolverOptions {
  SolverName solver = SolverName::exact;
  double eta = 0.0;
  double mu = 0.0;
  std::size_t local_steps = 10;
  std::size_t max_steps = 100000;
  StopRuleName stop_rule = StopRuleName::steps;
  double tolerance = 1e-9;
  double decay = 0.0;
  std::size_t batch = 32;

  static Fields fields() {
    using S = LocalSolverOptions;
    return {
        field("solver", &S::solver, anything, "how a client solves its local problem"),
        field("eta", &S::eta, nonnegative,
              "η ≥ L, smoothness of f_i: a gradient step has length 1/(η + λ); gd, agd, prox-gradient, sgd need it"),
        field("mu", &S::mu, nonnegative, "μ, strong convexity of f_i, for agd, adaptive and the e_r rule"),
        field("local_steps", &S::local_steps, at_least_one, "K, steps of the rules steps and min-gradient"),
        field("max_steps", &S::max_steps, at_least_one, "most steps of the rules e_r, relative, proximal and absolute"),
        field("stop_rule", &S::stop_rule, anything, "when a local solve ends"),
        field("tolerance", &S::tolerance, nonnegative,
              "‖∇F‖ for absolute; ‖∇F‖/‖y − x‖ for relative, and that over λ for proximal"),
        field("decay", &S::decay, nonnegative, "a: round r = 0, 1, … of absolute has e_{r+1} = tolerance/(r + 1)^a"),
        field("batch", &S::batch, at_least_one, "samples per step of sgd"),
    };
  }

  void check() const;                                            // ConfigError if the choices do not fit each other
  LocalSolver at_round(std::size_t round, double lambda) const;  // the solver of round r = 0, 1, … with weight λ
  bool stochastic() const { return solver == SolverName::sgd; }
};

// e_{r+1} of the rule absolute in round r = 0, 1, …: tolerance/(r + 1)^decay.
double absolute_error(const LocalSolverOptions& options, std::size_t round);

// e_r of DANE+: e_r² = λ(μ + λ) / (8 (r + 1)(r + 2)), so that Σ e_r² = λ(μ + λ)/8.
double e_r(double lambda, double mu, std::size_t round);

}  // namespace driftless
