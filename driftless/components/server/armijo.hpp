// Armijo's rule over the whole federation: one exchange of K + 1 numbers per client, f_i(x + 2^{−k} p) for k = 0 … K.
//
//   t = the first of 1, ½, …, 2^{−K} with  f(x + t p) ≤ f(x) + c t ⟨∇f(x), p⟩,  c = 1e-4
//
// up to the rounding of f, which near x* exceeds the decrease of a step. If none satisfies it, the t of least f, where
// that is below f(x). Otherwise the search continues along p, if it is a direction of descent, with 20 more halvings
// per exchange, at most three times; then in the same way along −∇f(x), from a step as long as p; and where nothing
// descends, x stays. So f never rises by a step. K = 0 is the full step, without an exchange and without that promise.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"

#include <cmath>
#include <limits>

namespace driftless {

struct ArmijoOptions {
  std::size_t halvings = 10;

  static Fields fields() {
    return {field("halvings", &ArmijoOptions::halvings, nonnegative,
                  "K, step sizes 1, 1/2, …, 2^−K tried at once; 0 = full steps, one exchange less")};
  }
  std::size_t exchanges() const { return halvings == 0 ? 0 : 1; }
  bool may_need_more() const { return halvings > 0; }  // exchanges, where none of the first steps descends
};

// f and ∇f at x.
struct PointOfDescent {
  const Vector& x;
  double value;
  const Vector& gradient;
};

namespace internal {

// One exchange: a step 2^{−k} along p with k = first … last, or 0 where f is nowhere below f(x).
inline double tried_step(Federation& fed, const PointOfDescent& at, const Vector& p, std::size_t first,
                         std::size_t last) {
  constexpr double c = 1e-4;
  const auto t = [&](Index k) { return std::ldexp(1.0, -static_cast<int>(first) - static_cast<int>(k)); };
  const Vector f = fed.mean_scalars({fed.everyone(), fed.everyone()}, last - first + 1, [&](Client& i, VecOut values) {
    for (Index k = 0; k < values.size(); ++k) values[k] = i.value(at.x + t(k) * p);
  });
  const double slope = at.gradient.dot(p);
  const double rounding = 1e-15 * (1.0 + std::abs(at.value));
  double best = 0.0;
  double least = at.value;
  for (Index k = 0; k < f.size(); ++k) {
    if (f[k] <= at.value + c * t(k) * slope + rounding) return t(k);
    if (!(f[k] < least)) continue;
    least = f[k];
    best = t(k);
  }
  return best;
}

inline double step_along(Federation& fed, const ArmijoOptions& options, const PointOfDescent& at, const Vector& p) {
  constexpr std::size_t more = 20;
  constexpr std::size_t most_exchanges = 4;
  std::size_t tried = options.halvings + 1;
  double t = tried_step(fed, at, p, 0, options.halvings);
  for (std::size_t e = 1; t == 0.0 && at.gradient.dot(p) < 0.0 && e < most_exchanges; ++e, tried += more)
    t = tried_step(fed, at, p, tried, tried + more - 1);
  return t;
}

}  // namespace internal

// What to add to x.
inline Vector armijo_step(Federation& fed, const ArmijoOptions& options, const PointOfDescent& at, const Vector& p) {
  if (options.halvings == 0) return p;
  if (const double t = internal::step_along(fed, options, at, p); t > 0.0) return t * p;
  const double length = p.norm() / at.gradient.norm();
  const bool usable = length > 0.0 && length < std::numeric_limits<double>::infinity();
  const Vector descent = -(usable ? length : 1.0) * at.gradient;
  return internal::step_along(fed, options, at, descent) * descent;
}

}  // namespace driftless
