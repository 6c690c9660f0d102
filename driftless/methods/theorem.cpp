#include "driftless/methods/theorem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double precision = std::numeric_limits<double>::epsilon();
constexpr double value_units = 1024.0;  // a sum of many terms, each rounded
constexpr double point_units = 64.0;  // times the condition number: ∇f is known to precision · L‖x‖, so x to 1/μ of it
constexpr double decimals = 1e-9;     // numbers typed by hand

std::string both(const std::string& a, double va, const std::string& b, double vb) {
  return a + " = " + number(va) + ", " + b + " = " + number(vb);
}

}  // namespace

Assumption at_least(const std::string& name, double value, const std::string& bound_name, double bound) {
  return condition(name + " ≥ " + bound_name, both(name, value, bound_name, bound),
                   value >= bound - decimals * std::abs(bound));
}

Assumption at_most(const std::string& name, double value, const std::string& bound_name, double bound) {
  return condition(name + " ≤ " + bound_name, both(name, value, bound_name, bound),
                   value <= bound + decimals * std::abs(bound));
}

Assumption condition(std::string statement, std::string seen, bool holds) {
  return {.statement = std::move(statement), .seen = std::move(seen), .holds = holds};
}

Assumption TheoremFacts::convex() const {
  return condition("every f_i is convex", "μ = " + number(constants.mu), constants.convex());
}

Assumption TheoremFacts::mean_convex() const {
  return condition("f is convex", "μ_f = " + number(constants.mu_f), constants.mean_convex());
}

Assumption TheoremFacts::optimum_known() const {
  return {.statement = "the optimum is known",
          .seen = reference ? "f* = " + number(reference->minimum) : "no reference",
          .holds = reference.has_value(),
          .essential = true};
}

double CheckedRow::ratio() const {
  const double left = std::max(observed - rounding, 0.0);
  if (std::isnan(observed)) return std::numeric_limits<double>::infinity();
  if (bound > 0.0) return left / bound;
  return left > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

void TheoremScale::see(const Snapshot& now) {
  least_value_ = now.round() == 0 ? now.value() : std::min(least_value_, now.value());
  if (now.round() > 0) return;
  first_value_ = now.value();
  if (!facts_.reference) return;
  radius_ = squared_distance(now.x());
  const double mu = facts_.constants.mu_f;
  if (mu > 0.0) optimum_error_ = now.measure(optimum()).gradient.norm() / mu;
  optimal_gradients_.assign(now.hosted(), Vector(now.x().size()));
  now.mean([&](const ClientObjective& f, std::size_t slot) {
    f.gradient(optimum(), optimal_gradients_[slot]);
    return 0.0;
  });
}

double TheoremScale::of_value(double value) const {
  const double f_star = facts_.reference ? std::abs(facts_.reference->minimum) : 0.0;
  return value_units * precision * std::max({std::abs(first_value_), std::abs(value), f_star});
}

double TheoremScale::of_distance(const Vector& x) const {
  const Constants& c = facts_.constants;
  const double condition_number = c.mu_f > 0.0 ? c.L / c.mu_f : 1.0 / std::sqrt(precision);
  return point_units * precision * (1.0 + condition_number) * (x.norm() + optimum().norm()) + optimum_error_;
}

double TheoremScale::of_squared_distance(double squared, const Vector& x) const {
  const double error = of_distance(x);
  return 2.0 * std::sqrt(squared) * error + error * error;
}

PotentialTerms correction_terms(const Snapshot& s, const TheoremScale& scale) {
  PotentialTerms terms;
  terms.distance = scale.squared_distance(s.x());
  terms.distance_rounding = scale.of_squared_distance(terms.distance, s.x());
  terms.correction = s.mean([&](const ClientObjective&, std::size_t i) {
    return (s.per_client("h_i")[i] - scale.optimal_gradients()[i]).squaredNorm();
  });
  const double error = scale.of_gradient(s.x());
  terms.correction_rounding = 2.0 * std::sqrt(terms.correction) * error + error * error;
  return terms;
}

}  // namespace driftless
