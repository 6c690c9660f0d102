#include "driftless/optimize/check_gradient.hpp"

#include "driftless/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <sstream>

namespace driftless {
namespace {

// Balances the error of the difference, of order step², with that of rounding, of order 1/step.
const double relative_step = std::cbrt(std::numeric_limits<double>::epsilon());

// All variables, or as many as are wanted, drawn without replacement.
std::vector<Index> drawn_variables(Index dim, std::size_t most, Stream& chance) {
  std::vector<Index> all(static_cast<std::size_t>(dim));
  std::iota(all.begin(), all.end(), Index{0});
  if (all.size() <= most) return all;
  chance.shuffle(std::span(all));
  all.resize(most);
  return all;
}

// The worst of `variables`. Rounding of values of size `floor` is no error.
GradientCheck::Comparison worst_of(std::string derivative, const std::vector<Index>& variables, const Vector& given,
                                   const Vector& expected, double floor) {
  double scale = 0.0;
  for (const Index j : variables) scale = std::max({scale, std::abs(given[j]), std::abs(expected[j])});
  scale += 1e-4 * floor;
  GradientCheck::Comparison worst{.derivative = std::move(derivative), .error = -1.0};
  for (const Index j : variables) {
    const double error = std::abs(given[j] - expected[j]) / scale;
    if (error <= worst.error) continue;
    worst.variable = j;
    worst.given = given[j];
    worst.expected = expected[j];
    worst.error = std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
  }
  return worst;
}

class DerivativeComparer {
 public:
  DerivativeComparer(const ClientObjective& f, VecIn x, const GradientCheckOptions& options)
      : f_(f),
        x_(x),
        chance_(options.seed, Purpose::search),
        variables_(drawn_variables(f.dim(), options.variables, chance_)),
        gradient_(f.dim()),
        value_(f.value_gradient(x, gradient_)) {}

  GradientCheck::Comparison gradient() {
    Vector expected = Vector::Zero(f_.dim());
    for (const Index j : variables_) {
      Vector up = x_;
      Vector down = x_;
      const double step = relative_step * std::max(1.0, std::abs(x_[j]));
      up[j] += step;
      down[j] -= step;
      expected[j] = (f_.value(up) - f_.value(down)) / (up[j] - down[j]);
    }
    return worst_of("gradient", variables_, gradient_, expected, 1.0 + std::abs(value_));
  }

  // A function that computes the gradient alone must give the same one.
  GradientCheck::Comparison gradient_alone() {
    Vector alone(f_.dim());
    f_.gradient(x_, alone);
    return worst_of("gradient without the value", variables_, alone, gradient_, 1.0 + gradient_.norm());
  }

  GradientCheck::Comparison value_alone() {
    const Vector alone = Vector::Constant(1, f_.value(x_));
    return worst_of("value without the gradient", {0}, alone, Vector::Constant(1, value_), 1.0 + std::abs(value_));
  }

  GradientCheck::Comparison hessian_product() {
    Vector direction(f_.dim());
    for (double& entry : direction) entry = chance_.normal();
    Vector product(f_.dim());
    f_.hessian_vector(x_, direction, product);
    const double step = relative_step * std::max(1.0, x_.norm()) / std::max(direction.norm(), 1e-300);
    Vector up(f_.dim());
    Vector down(f_.dim());
    f_.value_gradient(x_ + step * direction, up);
    f_.value_gradient(x_ - step * direction, down);
    return worst_of("Hessian product", variables_, product, (up - down) / (2.0 * step), 1.0 + gradient_.norm());
  }

 private:
  const ClientObjective& f_;
  const Vector x_;
  Stream chance_;
  std::vector<Index> variables_;
  Vector gradient_;
  double value_;
};

}  // namespace

bool GradientCheck::passed() const {
  return std::ranges::all_of(comparisons, [&](const Comparison& c) { return c.error <= tolerance; });
}

std::string GradientCheck::brief() const {
  std::ostringstream text;
  text.precision(6);
  for (const Comparison& c : comparisons) {
    if (&c != &comparisons.front()) text << '\n';
    text << c.derivative << ": " << (c.error <= tolerance ? "agrees" : "WRONG") << ", largest error " << c.error;
    if (c.error > tolerance)
      text << " at variable " << c.variable << ", where " << c.given << " was given and " << c.expected
           << " was expected";
  }
  return text.str();
}

Vector random_point(Index dim, std::uint64_t seed) {
  Stream chance(seed, Purpose::generator);
  Vector x(dim);
  for (double& entry : x) entry = chance.normal();
  return x;
}

GradientCheck check_gradient(const ClientObjective& f, VecIn x, bool hessian_products,
                             const GradientCheckOptions& options) {
  if (x.size() != f.dim() || f.dim() < 1)
    throw ConfigError({.what = "the point of a gradient check does not have the size of the objective",
                       .seen = std::to_string(x.size()) + " entries, " + std::to_string(f.dim()) + " variables",
                       .advice = "give one entry for each variable"});
  DerivativeComparer comparer(f, x, options);
  GradientCheck check{.comparisons = {comparer.gradient(), comparer.gradient_alone(), comparer.value_alone()},
                      .tolerance = options.tolerance};
  if (hessian_products) check.comparisons.push_back(comparer.hessian_product());
  return check;
}

}  // namespace driftless
