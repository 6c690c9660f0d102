// FedRed, algorithms 2 (exact solver) and 3 (gradient or stochastic gradient step) of Jiang, Rodomanov, Stich,
// "Federated optimization with doubly regularized drift correction", ICML 2024.
//
//   x_i = x̃ = x⁰;  h_i = ∇f_i(x⁰) − ∇f(x⁰)
//   for k = 0, 1, … with one shared coin θ_k, true with probability p:
//     exact:  x_i ← argmin_y f_i(y) − ⟨h_i, y⟩ + (η/2)‖y − x_i‖² + (λ/2)‖y − x̃‖²
//     (S)GD:  the same with f_i replaced by its linearisation at x_i:  x_i ← (η x_i + λ x̃ − (g_i(x_i) − h_i)) / (η + λ)
//     θ_k true:  x̃ = Avg or Rand of the x_i;  renew h_i at x̃:
//       exact differences (one more exchange), or  h_i ← h_i + m (x̃ − x_i)
//       with restart:  x_i ← x̃
//
// A round is everything up to and including a true coin, drawn at once as a geometric number of iterations. x = x̃; m
// defaults to p η. With restart, ∇f_i(x̃) formed for h_i is also the first local gradient.
//
// Departures: the algorithm box has no restart, the authors' released code restarts; restart = true is the default
// here, because the non-convex proofs need it, and false is the box. The output "uniform" is drawn from the iterates
// 1 … K of exact steps, as the proof does (the statement has 0 … K − 1), and from 0 … K − 1 of gradient steps.
//
// Theory: convex λ = δ_A, η = L, p = (λ + μ/2)/(η − μ/2) for GD, (λ + μ/2)/(η + μ/2) for the exact solver; non-convex
// Rand, λ = δ_B, GD η = 6L, p = δ_B/L, exact η = 4 δ_B, p = 2λ/η. SGD with noise σ² for an accuracy ε: η = L + σ²/ε.
// Its theorems assume batches that are independent of each other, draw = "independent"; those of an epoch are not.
//
// Expected rounds: ((δ_A + μ)/μ) log(1/ε), δ_A R_0²/ε, δ_B F_0/ε.
#pragma once

#include "driftless/components/server/averaging.hpp"
#include "driftless/components/server/control_variate.hpp"
#include "driftless/components/server/output_record.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver.hpp"

namespace driftless {

enum class FedRedSolver { exact, gd, sgd };
template <>
struct EnumNames<FedRedSolver> {
  static constexpr std::array<std::string_view, 3> value{"exact", "gd", "sgd"};
};

struct FedRedOptions {
  double lambda = required;
  double eta = required;
  double p = required;
  FedRedSolver solver = FedRedSolver::exact;
  std::size_t batch = 32;
  BatchDraw draw = BatchDraw::epochs;
  double sigma = 0.0;
  double epsilon = 0.0;
  ControlVariateOptions control = {};
  Averaging averaging = Averaging::mean;
  bool restart = true;
  double mu = 0.0;

  static Fields fields() {
    using S = FedRedOptions;
    return {
        field("lambda", &S::lambda, nonnegative,
              "λ, pull towards the server point; δ_A in theory, \"p*eta\" in practice"),
        field("eta", &S::eta, nonnegative, "η, pull towards the previous local iterate; L in theory"),
        field("p", &S::p, probability, "chance that an iteration communicates; about δ/L"),
        field("solver", &S::solver, anything, "the local step"),
        field("batch", &S::batch, at_least_one, "samples per step of sgd"),
        field("draw", &S::draw, anything, "batches of sgd: from a new order every epoch, or each drawn independently"),
        field("sigma", &S::sigma, nonnegative,
              "σ of sgd, σ² ≥ mean over clients of E‖g_i − ∇f_i‖²; 0: as measured at the start and the optimum"),
        field("epsilon", &S::epsilon, nonnegative, "ε, accuracy of sgd for which eta = \"theory\" is; 0: none"),
        nested(&S::control),
        field("averaging", &S::averaging, anything, "next x: mean of all, or one client's point"),
        field("restart", &S::restart, anything, "clients continue from the server point after communicating"),
        field("mu", &S::mu, nonnegative, "μ, strong convexity of f_i: weights of the output point 'weighted'")};
  }
  void check() const;
};

class FedRed final : public MethodWith<FedRedOptions> {
 public:
  explicit FedRed(const Options& o) : MethodWith(o), h_(o.control, o.p * o.eta) {}

  void prepare(const Federation& fed) override {
    center_i_ = fed.per_client<Vector>(Vector());
    record_.prepare(fed, average_weight());
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    x_i_ = fed.per_client<Vector>(x);
    h_.start(fed, x);
    h_.refresh(fed, x, fed.everyone());
  }

  void round(Federation& fed, Vector& x) override {
    const std::size_t steps = fed.geometric(o_.p);  // iterations until θ_k is true
    const bool at_server_point = o_.restart || fed.round() == 0;
    if (at_server_point) fed.for_each_client([&](Client& i) { x_i_[i] = x; });
    record_.begin(fed, steps, o_.solver == FedRedSolver::exact ? nullptr : &x_i_);
    fed.for_each_client([&](Client& i) { local_iterations(i, x, steps, at_server_point ? h_.gradient() : nullptr); });
    x = fed.mean({chosen(fed, o_.averaging), fed.everyone()}, x_i_);  // x̃
    h_.follow(fed, x, x_i_);
    h_.refresh(fed, x, fed.everyone());
  }

  Traffic start_traffic(std::size_t n) const override {
    return h_.exact() ? Traffic{.exchanges = 1, .up = n, .down = n} : h_.start_traffic(n);
  }
  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = chosen_of(n, o_.averaging);
    if (h_.exact()) return {.exchanges = 2, .up = s + n, .down = 2 * n};
    return {.exchanges = 1, .up = s, .down = n};
  }

  bool keep_for_output(OutputPoint point) override { return record_.keep(point); }
  Vector output(Federation& fed, const Vector& x) override { return record_.output(fed, x); }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    h_.visit_state(visit);
    record_.visit_state(visit);
  }

 private:
  void local_iterations(Client& i, const Vector& x, std::size_t steps, const Vector* first_gradient) {
    IterateRecord* record = record_[i];
    const Subproblem towards_x{
        .shift = h_[i], .center = &x, .lambda = o_.lambda, .start_gradient = first_gradient, .record = record};
    switch (o_.solver) {
      case FedRedSolver::gd:
        i.minimize(towards_x, x_i_[i], ProxGradient{.eta = o_.eta, .stop = {.max_steps = steps}});
        return;
      case FedRedSolver::sgd:
        i.minimize(towards_x, x_i_[i], Sgd{.eta = o_.eta, .batch = o_.batch, .steps = steps, .draw = o_.draw});
        return;
      case FedRedSolver::exact: break;
    }
    const double weight = o_.eta + o_.lambda;  // two centres are one
    for (std::size_t k = 0; k < steps; ++k) {
      center_i_[i] = (o_.eta * x_i_[i] + o_.lambda * x) / weight;
      i.minimize({.shift = h_[i], .center = &center_i_[i], .lambda = weight, .record = record}, x_i_[i], Exact{});
    }
  }

  // q of the weights q^{−k}: 1 − μ/(2η + μ) for the exact solver, 1 − μ/(2η − μ) for the gradient steps.
  double average_weight() const {
    if (o_.mu == 0.0) return 1.0;
    const double sign = o_.solver == FedRedSolver::exact ? 1.0 : -1.0;
    return 1.0 - o_.mu / (2.0 * o_.eta + sign * o_.mu);
  }

  ControlVariate h_;
  OutputRecord record_;
  PerClient<Vector> x_i_;
  PerClient<Vector> center_i_;
};

inline void FedRedOptions::check() const {
  control.check(averaging);
  if (eta + lambda <= 0.0)
    throw ConfigError({.what = "'eta' and 'lambda' are both zero: the local problem has no regularisation left",
                       .seen = "eta = " + number(eta) + ", lambda = " + number(lambda),
                       .advice = "give eta > 0, e.g. the smoothness L of a client"});
  if (mu > 0.0 && mu >= 2.0 * eta)
    throw ConfigError({.what = "'mu' must be below 2 eta for the weights of the output point",
                       .seen = "mu = " + number(mu) + ", eta = " + number(eta),
                       .advice = "give mu <= L <= eta, or leave mu out"});
}

}  // namespace driftless
