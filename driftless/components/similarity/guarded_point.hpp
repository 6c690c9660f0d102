// The server point of a method whose rounds are trials: where a trial is accepted, and the constants found on the way.
//
//   at x:    h_i = ∇f_i(x) − ∇f(x);  clients minimise F_i(y) = f_i(y) − ⟨h_i, y⟩ + (λ/2)‖y − x‖², the server takes x⁺
//   one exchange at x⁺:  ∇f_i(x⁺), f_i(x⁺), ‖∇f_i(x⁺) − ∇f_i(x')‖² for the last trial x', and M_i
//   accepted if  f(x) − f(x⁺) ≥ max((λ/4)‖x⁺ − x‖², (1/10)⟨∇f(x), x − x⁺⟩):   x ← x⁺, λ ← c δ̂
//   else:                                                                     x as it was, λ ← max(2λ, c δ̂)
//
// c = factor; no λ is more than 8 times or less than 1/8 of the last. The first is η/100. δ̂ is that of secants.hpp, M_i
// the smoothness of f_i that local solvers find by backtracking, at first ‖∇f_i(x + v) − ∇f_i(x)‖/‖v‖ for a short v
// along ∇f_i(x), and η = ((1/n) Σ M_i⁸)^{1/8}, by at most the factor n^{1/8} below their maximum.
//
// Where f(x) − f(x⁺) is so small that rounding may decide, ½⟨∇f(x) + ∇f(x⁺), x − x⁺⟩ replaces it: near a minimum they
// agree up to the third order of x⁺ − x, and gradients mean something long after differences of f are rounding.
//
// For convex f_i, ‖∇F_i(x_i)‖ ≤ (λ/2)‖x_i − x‖ and x⁺ the mean of the x_i, λ ≥ √2 δ_A implies the first part of the
// test: with d_i = x − x_i, d their mean and s² = (1/n) Σ‖d_i − d‖²,
//   f(x) − f(x⁺) ≥ (1/n) Σ [⟨∇F_i(x_i), d_i⟩ + λ‖d_i‖²] − δ_A ‖d‖ s ≥ (λ/2)(‖d‖² + s²) − δ_A ‖d‖ s ≥ (λ/4)‖d‖²
// For any f_i and x⁺ the point of one client with F_i(x_i) ≤ F_i(x), λ ≥ 2 δ_B does. The second part keeps steps with a
// very small λ from passing without progress; that it accepts those λ too is checked in the tests, not proved.
#pragma once

#include "driftless/components/similarity/secants.hpp"
#include "driftless/core/options.hpp"
#include "driftless/solvers/subproblem.hpp"

namespace driftless {

struct AdaptiveLambdaOptions {
  double lambda = 0.0;
  double lambda_start = 0.0;
  double factor = 0.5;

  static Fields fields() {
    using S = AdaptiveLambdaOptions;
    return {field("lambda", &S::lambda, nonnegative, "λ, kept without any test of the steps; 0: found on the way"),
            field("lambda_start", &S::lambda_start, nonnegative, "first λ where it is found; 0: from the gradients"),
            field("factor", &S::factor, positive, "c, the λ proposed is c times the dissimilarity δ̂ of the last step")};
  }
  bool found() const { return lambda == 0.0; }
};

class GuardedPoint {
 public:
  explicit GuardedPoint(const AdaptiveLambdaOptions& options) : o_(options) {}

  // One exchange.
  void start(Federation& fed, const Vector& x) {
    h_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
    M_i_ = fed.per_client(0.0);
    secants_.start(fed);
    rejected_ = 0;
    keep(fed, measure(fed, x));
    lambda_ = o_.lambda_start > 0.0 ? o_.lambda_start : 0.01 * eta_;
    if (!o_.found()) lambda_ = o_.lambda;
  }

  // A round, two exchanges: the mean of the local solutions of the clients S is the trial.
  void advance_by(Federation& fed, Vector& x, const Cohort& S, const LocalSolver& solver) {
    const Vector trial = fed.mean({S, fed.everyone()}, [&](Client& i, VecOut x_i) {
      x_i = x;
      i.minimize(problem(i, x), x_i, solver);
    });
    advance(fed, x, trial);
  }

  double lambda() const { return lambda_; }
  double smoothness() const { return eta_; }  // η
  const SecantEstimates& secants() const { return secants_; }

  void visit_state(StateVisitor& visit) {
    visit.per_client("h_i", h_i_);
    visit.per_client("M_i", M_i_);
    visit.vector("gradient", gradient_);
    visit.number("value", value_);
    visit.number("value_size", value_size_);
    visit.number("lambda", lambda_);
    visit.number("eta", eta_);
    visit.count("accepted_clients", clients_);
    visit.count("rejected", rejected_);
    secants_.visit_state(visit);
  }

 private:
  struct Measured {
    Vector gradient;
    double value;  // f
    double size;   // (1/n) Σ |f_i|, which the rounding of f is proportional to
  };

  // The solver may continue the estimate M_i.
  Subproblem problem(const Client& i, const Vector& x) {
    return {.shift = &h_i_[i], .center = &x, .lambda = lambda_, .start_gradient = &gradient_, .smoothness = &M_i_[i]};
  }

  // One exchange: moves x to the trial if that is accepted.
  void advance(Federation& fed, Vector& x, const Vector& trial) {
    const Measured at_trial = measure(fed, trial);
    const bool accepted = !o_.found() || clients_ != fed.everyone().size() || descends(x, trial, at_trial);
    if (accepted) {
      x = trial;
      keep(fed, at_trial);
    } else ++rejected_;
    if (o_.found()) lambda_ = next_lambda(accepted);
  }

  Measured measure(Federation& fed, const Vector& x) {
    auto [gradient, numbers] =
        fed.mean_with_scalars({fed.everyone(), fed.everyone()}, 4, [&](Client& i, VecOut row, VecOut number) {
          number[0] = i.value_gradient(x, row);
          number[1] = std::abs(number[0]);
          number[2] = secants_.compare(i, row);
          if (!(M_i_[i] > 0.0) || !std::isfinite(M_i_[i])) M_i_[i] = probed_smoothness(i, x, row);
          const double square = M_i_[i] * M_i_[i];
          number[3] = square * square * square * square;
        });
    secants_.follow(fed, x, gradient, numbers[2]);
    eta_ = std::sqrt(std::sqrt(std::sqrt(numbers[3])));
    return {std::move(gradient), numbers[0], numbers[1]};
  }

  static double probed_smoothness(Client& i, const Vector& x, VecIn gradient) {
    const double length = 1e-6 * (1.0 + x.norm());
    const double size = gradient.norm();
    Vector v = Vector::Constant(x.size(), length / std::sqrt(static_cast<double>(x.size())));
    if (size > 0.0) v = (-length / size) * gradient;
    const Vector there = x + v;
    Vector g(x.size());
    i.gradient(there, g);
    return (g - gradient).norm() / length;
  }

  bool descends(const Vector& x, const Vector& trial, const Measured& at_trial) const {
    const Vector d = x - trial;
    double decrease = value_ - at_trial.value;
    const double slope = gradient_.dot(d);
    if (!(std::abs(decrease) > 1e-10 * std::max(value_size_, at_trial.size)))
      decrease = 0.5 * (slope + at_trial.gradient.dot(d));
    return decrease >= std::max(0.25 * lambda_ * d.squaredNorm(), 0.1 * slope);
  }

  void keep(Federation& fed, const Measured& here) {
    gradient_ = here.gradient;
    value_ = here.value;
    value_size_ = here.size;
    clients_ = fed.everyone().size();
    fed.for_each_client([&](Client& i) { h_i_[i] = secants_.own_gradient(i) - gradient_; });
  }

  double next_lambda(bool accepted) const {
    const double proposal = secants_.known() ? o_.factor * secants_.dissimilarity() : lambda_;
    return clipped(accepted ? proposal : std::max(2.0 * lambda_, proposal), lambda_);
  }

  AdaptiveLambdaOptions o_;
  SecantEstimates secants_;  // between the last two trials
  PerClient<Vector> h_i_;    // at x
  PerClient<double> M_i_;
  Vector gradient_;                           // ∇f(x)
  double value_ = 0.0, value_size_ = 0.0;     // f(x), (1/n) Σ |f_i(x)|
  double lambda_ = 0.0, eta_ = 0.0;           // λ of the next trial, η
  std::uint64_t clients_ = 0, rejected_ = 0;  // that took part in f(x); trials
};

}  // namespace driftless
