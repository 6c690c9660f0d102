// DANE+ with approximate local solves: their errors are measured, independently of the stop rule.
#include "driftless/methods/dane/theorems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

constexpr double precision = std::numeric_limits<double>::epsilon();

// ∇F_i(x_i) = ∇f_i(x_i) − h_i + λ(x_i − x^r) of the clients, with x^r kept from the round before. Its norm is reduced
// by the possible rounding error: a solve that ended within rounding counts as exact.
class LocalErrors {
 public:
  explicit LocalErrors(double lambda) : lambda_(lambda) {}

  void keep(State s) { x_ = s.x(); }

  double mean_squared(State s) const {  // mean‖∇F_i(x_i)‖²
    return s.mean([&](const ClientObjective& f, std::size_t i) { return squared(s, f, i); });
  }
  double mean_squared_move(State s) const {  // mean‖x_i − x^r‖²
    return s.mean([&](const ClientObjective&, std::size_t i) { return (s.per_client("x_i")[i] - x_).squaredNorm(); });
  }
  // ‖∇F_j(x_j)‖² of the client whose point x^{r+1} is.
  double chosen_squared(State s) const {
    return of_chosen(s, [&](const ClientObjective& f, std::size_t i) { return squared(s, f, i); });
  }
  // How far F_j(x_j) is above F_j(x^r), reduced by the possible rounding error.
  double chosen_rise(State s) const {
    return of_chosen(s, [&](const ClientObjective& f, std::size_t i) {
      const Vector& y = s.per_client("x_i")[i];
      const Vector& h = s.per_client("h_i")[i];
      const double before = f.value(x_);
      const double rise = f.value(y) - before - h.dot(y - x_) + lambda_ / 2.0 * (y - x_).squaredNorm();
      const double rounding = 1024.0 * precision * (std::abs(before) + h.norm() * (y.norm() + x_.norm()));
      return std::max(rise - rounding, 0.0);
    });
  }

 private:
  double squared(State s, const ClientObjective& f, std::size_t i) const {
    const Vector& y = s.per_client("x_i")[i];
    Vector g(y.size());
    f.gradient(y, g);
    const Vector& h = s.per_client("h_i")[i];
    const double rounding = 64.0 * precision * (g.norm() + h.norm() + lambda_ * (y.norm() + x_.norm()));
    const double norm = std::max((g - h + lambda_ * (y - x_)).norm() - rounding, 0.0);
    return norm * norm;
  }
  // The points of the other clients are from earlier rounds. Clients with the same point are equivalent.
  template <class Body>
  double of_chosen(State s, Body&& body) const {
    const auto chosen = [&](std::size_t i) { return s.per_client("x_i")[i] == s.x(); };
    const double count = s.mean([&](const ClientObjective&, std::size_t i) { return chosen(i) ? 1.0 : 0.0; });
    if (count == 0.0) return std::numeric_limits<double>::infinity();
    return s.mean([&](const ClientObjective& f, std::size_t i) { return chosen(i) ? body(f, i) : 0.0; }) / count;
  }

  double lambda_;
  Vector x_;
};

// min_{r ≤ R} f(x^r) − f* + (μ/2) mean‖x_{i,R} − x*‖², the left side of both convex theorems.
class BestAndSpread {
 public:
  explicit BestAndSpread(double mu) : mu_(mu) {}

  // `measured` is what the errors of the local solves add to the bound.
  CheckedRow against(double bound, State s, Scale scale, double measured = 0.0) {
    best_ = s.round() == 1 ? s.value() : std::min(best_, s.value());
    const double squared =
        s.mean([&](const ClientObjective&, std::size_t i) { return scale.squared_distance(s.per_client("x_i")[i]); });
    return {.bound = bound + measured,
            .observed = scale.gap(best_) + mu_ / 2.0 * squared,
            .rounding = scale.of_value(best_) + mu_ / 2.0 * scale.of_squared_distance(squared, s.x()),
            .measured = measured};
  }

 private:
  double mu_;
  double best_ = 0.0;
};

// Σ e_r² of the theorems with absolute errors. With the stop rule absolute e_r is what that rule promises, known before
// the run; otherwise it is what was measured.
class ErrorSum {
 public:
  explicit ErrorSum(const LocalSolverOptions& local) : local_(local) {}

  // After a round with the error e, e² measured; the assumption where the promise was not kept.
  std::optional<Assumption> add(State s, double squared) {
    if (!promised()) return sum_ += squared, std::nullopt;
    const double e = absolute_error(local_, s.round() - 1);
    sum_ += e * e;
    if (squared <= e * e * (1.0 + 1e-9)) return {};
    return at_most("‖∇F_i(x_i)‖ of the local solves", std::sqrt(squared), "e_r = tolerance/r^decay", e);
  }
  double total() const { return sum_; }
  double measured() const { return promised() ? 0.0 : sum_; }
  static std::string text(const LocalSolverOptions& local) {
    return local.stop_rule == StopRuleName::absolute
               ? "e_r = " + number(local.tolerance) + (local.decay > 0.0 ? "/r^" + number(local.decay) : "") +
                     " by the stop rule"
               : "as measured";
  }

 private:
  bool promised() const { return local_.stop_rule == StopRuleName::absolute; }

  LocalSolverOptions local_;
  double sum_ = 0.0;
};

Theorem absolute(const DanePlusOptions& o, const TheoremFacts& facts, const std::vector<Assumption>& assumptions) {
  const double mu = facts.mu();
  const double lambda = o.lambda;
  return {
      .name = "DANE+, inexact, absolute errors",
      .statement = "min_r f(x^r) − f* + (μ/2) mean‖x_{i,R} − x*‖² ≤ μR_0²/((1 + μ/λ)^R − 1) + (2/(μ + λ)) Σ e_r², "
                   "e_r² = mean‖∇F_i(x_i)‖², " +
                   ErrorSum::text(o.local),
      .source = dane_paper,
      .erratum = erratum_c + "; E-9: e_{r+1} of this theorem and e_r of the next are the errors of one round",
      .assumptions = assumptions,
      .after_round = [lambda, mu, errors = LocalErrors(lambda), left = BestAndSpread(mu), sum = ErrorSum(o.local)](
                         State s, Scale scale) mutable -> Check {
        if (s.round() == 0) return errors.keep(s), Check{};
        if (auto lost = sum.add(s, errors.mean_squared(s))) return {.lost = lost};
        errors.keep(s);
        const double weight = 2.0 / (mu + lambda);
        const double rate = geometric_bound(mu, lambda, scale.radius(), double(s.round()));
        return {.row = left.against(rate + weight * (sum.total() - sum.measured()), s, scale, weight * sum.measured())};
      }};
}

Theorem relative(double lambda, const TheoremFacts& facts, const std::vector<Assumption>& assumptions) {
  const double mu = facts.mu();
  const double allowed = lambda * (mu + lambda) / 8.0;
  return {.name = "DANE+, inexact, relative errors",
          .statement = "min_r f(x^r) − f* + (μ/2) mean‖x_{i,R} − x*‖² ≤ μR_0²/((1 + μ/λ)^R − 1), λR_0²/R for μ = 0, "
                       "while Σ e_r² ≤ λ(μ + λ)/8, e_r² = mean‖∇F_i(x_i)‖²/mean‖x_i − x^r‖² as measured",
          .source = dane_paper,
          .erratum = erratum_c + "; E-8: the appendix sets e_r where e_r² is meant",
          .assumptions = assumptions,
          .after_round = [lambda, mu, allowed, errors = LocalErrors(lambda), left = BestAndSpread(mu), sum = 0.0](
                             State s, Scale scale) mutable -> Check {
            if (s.round() == 0) return errors.keep(s), Check{};
            const double error = errors.mean_squared(s);
            if (error > 0.0) sum += error / errors.mean_squared_move(s);
            errors.keep(s);
            if (!(sum <= allowed * (1.0 + 1e-9))) return {.lost = at_most("Σ e_r²", sum, "λ(μ + λ)/8", allowed)};
            return {.row = left.against(geometric_bound(mu, lambda, scale.radius(), double(s.round())), s, scale)};
          }};
}

std::optional<Assumption> rise_of_chosen(const LocalErrors& errors, State s) {
  const double rise = errors.chosen_rise(s);
  if (rise == 0.0) return {};
  return condition("F_j(x_j) ≤ F_j(x^r) of the chosen client", "it is larger by " + number(rise), false);
}

// min_{r ≤ R} ‖∇f(x^r)‖² ≤ 4(λ + δ_B)²/(λ − δ_B) F_0/R + (2/R) Σ e_r², with a = λ/δ_B the printed form.
Theorem least_gradient(const DanePlusOptions& o, double delta, const std::vector<Assumption>& assumptions) {
  const double lambda = o.lambda;
  const double factor = 4.0 * (lambda + delta) * (lambda + delta) / (lambda - delta);
  return {.name = "DANE+, any f, gradient",
          .statement =
              "min_{r≤R} ‖∇f(x^r)‖² ≤ (4(a + 1)²/(a − 1)) δ_B F_0/R + (2/R) Σ e_r², a = λ/δ_B, e_r = ‖∇F_j(x_j)‖, " +
              ErrorSum::text(o.local) + "; the least f seen stands for f* where that is not known",
          .source = dane_paper,
          .erratum = "E-12: the printed number of local gradient steps lacks a factor 2; here the errors are measured",
          .assumptions = assumptions,
          .after_round = [factor, errors = LocalErrors(lambda), sum = ErrorSum(o.local), least = 0.0](
                             State s, Scale scale) mutable -> Check {
            least = s.round() == 0 ? s.squared_gradient() : std::min(least, s.squared_gradient());
            if (s.round() == 0) return errors.keep(s), Check{};
            if (auto lost = rise_of_chosen(errors, s)) return {.lost = lost};
            if (auto lost = sum.add(s, errors.chosen_squared(s))) return {.lost = lost};
            errors.keep(s);
            const double rounds = double(s.round());
            return {.row = CheckedRow{.bound = (factor * scale.first_gap() + 2.0 * sum.total()) / rounds,
                                      .observed = least,
                                      .rounding = factor * scale.of_value(s.value()) / rounds,
                                      .measured = 2.0 * sum.measured() / rounds}};
          }};
}

// min_{r ≤ R} ‖∇f(x^r)‖² ≤ 72 δ F_0/R, δ = λ/2, where each solve takes K gradient steps and returns the one of least
// ‖∇F‖. Of the points 1 … K − 1 one has ‖∇F_j‖² ≤ 2(η + λ)F_0/(K − 1), so K ≥ 1 + (η + λ)R/(9δ) is enough for R rounds.
Theorem enough_steps(const DanePlusOptions& o, const TheoremFacts& facts) {
  const double delta = o.lambda / 2.0;
  const double steps = static_cast<double>(o.local.local_steps);
  const double most = std::floor(9.0 * delta * (steps - 1.0) / (o.local.eta + o.lambda));
  return {.name = "DANE+-GD, any f, local steps",
          .statement = "min_{r≤R} ‖∇f(x^r)‖² ≤ 72 δ F_0/R, δ = λ/2, with K ≥ 1 + (η + λ)R/(9δ) local steps: for R ≤ " +
                       number(most),
          .source = dane_paper,
          .erratum = "E-12: the printed rate of the local steps lacks a factor 2; E-13: x^r itself is not returned",
          .assumptions = {at_least("λ", o.lambda, "2 δ_B", 2.0 * facts.constants.delta_B),
                          at_least("η", o.local.eta, "L", facts.constants.L),
                          at_least("K", steps, "1 + (η + λ)/(9δ)", 1.0 + (o.local.eta + o.lambda) / (9.0 * delta))},
          .after_round = [delta, most, known = facts.reference.has_value(), least = 0.0](State s,
                                                                                         Scale scale) mutable -> Check {
            least = s.round() == 0 ? s.squared_gradient() : std::min(least, s.squared_gradient());
            const double rounds = double(s.round());
            if (s.round() == 0 || rounds > most) return {};
            const CheckedRow row{.bound = 72.0 * delta * scale.first_gap() / rounds,
                                 .observed = least,
                                 .rounding = 72.0 * delta * scale.of_value(s.value()) / rounds};
            if (!row.holds() && !known)
              return {.lost = condition("f* is known", "the least f seen stands for it and does not decide", false)};
            return {.row = row};
          }};
}

}  // namespace

std::optional<CheckedRow> Descent::row(State s, Scale scale) {
  std::optional<CheckedRow> row;
  if (s.round() > 0)
    row = CheckedRow{.bound = value_ - s.value(),
                     .observed = weight_ * (s.x() - x_).squaredNorm(),
                     .rounding = scale.of_value(s.value())};
  x_ = s.x();
  value_ = s.value();
  return row;
}

Theorems inexact_theorems(const DanePlusOptions& o, const TheoremFacts& facts) {
  const std::vector<Assumption> assumptions{
      facts.convex(), at_least("λ", o.lambda, "2 δ_A", 2.0 * facts.constants.delta_A), facts.optimum_known()};
  return {absolute(o, facts, assumptions), relative(o.lambda, facts, assumptions)};
}

Theorems one_client_theorems(const DanePlusOptions& o, const TheoremFacts& facts) {
  const double delta = facts.constants.delta_B;
  const std::vector<Assumption> assumptions{
      condition("λ > δ_B", "λ = " + number(o.lambda) + ", δ_B = " + number(delta), o.lambda > delta)};
  Theorem descent{.name = "DANE+, any f, descent",
                  .statement = "((λ − δ_B)/2)‖x^{r+1} − x^r‖² ≤ f(x^r) − f(x^{r+1})",
                  .source = dane_paper,
                  .assumptions = assumptions,
                  .after_round = [fall = Descent((o.lambda - delta) / 2.0), errors = LocalErrors(o.lambda)](
                                     State s, Scale scale) mutable -> Check {
                    const std::optional<CheckedRow> row = fall.row(s, scale);
                    const std::optional<Assumption> lost = row ? rise_of_chosen(errors, s) : std::nullopt;
                    errors.keep(s);
                    return lost ? Check{.lost = lost} : Check{.row = row};
                  }};
  Theorems theorems{std::move(descent), least_gradient(o, delta, assumptions)};
  const bool gradient_steps = o.local.solver == SolverName::gd || o.local.solver == SolverName::prox_gradient;
  if (gradient_steps && o.local.stop_rule == StopRuleName::min_gradient) theorems.push_back(enough_steps(o, facts));
  return theorems;
}

}  // namespace driftless
