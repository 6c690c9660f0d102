// Armijo's rule over the whole federation: one exchange of K + 1 numbers per client, f_i(x + 2^{−k} p) for k = 0 … K.
//
//   t = the first of 1, ½, …, 2^{−K} with  f(x + t p) ≤ f(x) + c t ⟨∇f(x), p⟩,  c = 1e-4
//
// up to the rounding of f, which near x* exceeds the decrease of a step. If none satisfies it, the t of least f. K = 0
// is the full step, without an exchange.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"

#include <cmath>

namespace driftless {

struct ArmijoOptions {
  std::size_t halvings = 10;

  static Fields fields() {
    return {field("halvings", &ArmijoOptions::halvings, nonnegative,
                  "K, step sizes 1, 1/2, …, 2^−K tried at once; 0 = full steps, one exchange less")};
  }
  std::size_t exchanges() const { return halvings == 0 ? 0 : 1; }
};

inline double armijo_step(Federation& fed, const ArmijoOptions& options, const Vector& x, const Vector& p, double value,
                          double slope) {
  constexpr double c = 1e-4;
  if (options.halvings == 0) return 1.0;
  const auto t = [](Index k) { return std::ldexp(1.0, -static_cast<int>(k)); };
  const Vector f =
      fed.mean_scalars({fed.everyone(), fed.everyone()}, options.halvings + 1, [&](Client& i, VecOut values) {
        for (Index k = 0; k < values.size(); ++k) values[k] = i.value(x + t(k) * p);
      });
  const double rounding = 1e-15 * (1.0 + std::abs(value));
  for (Index k = 0; k < f.size(); ++k)
    if (f[k] <= value + c * t(k) * slope + rounding) return t(k);
  Index least = 0;
  f.minCoeff(&least);
  return t(least);
}

}  // namespace driftless
