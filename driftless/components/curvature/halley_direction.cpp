#include "driftless/components/curvature/halley_direction.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

// With the whole correction, else with a half or a quarter of it: the first that leaves the matrix positive definite.
std::optional<NewtonDirection> corrected(const Matrix& H, const Matrix& correction, const Vector& g) {
  for (const double share : {1.0, 0.5, 0.25})
    if (auto direction = convex_newton_direction(H + share * correction, g)) return direction;
  return std::nullopt;
}

}  // namespace

NewtonDirection halley_direction(const SecondOrderPoint& before, const SecondOrderPoint& at) {
  NewtonDirection newton = newton_direction(at.H, at.g);
  const Vector s = at.z - before.z;
  const Vector Hs = at.H * s;
  const double along = s.dot(Hs);
  const double change = along - s.dot(before.H * s);                      // ⟨s, (H − H') s⟩
  const double third = 6.0 * s.dot(before.g - at.g + Hs) - 2.0 * change;  // of f along s
  const double rho = third / change;
  if (!(along > 0.0 && rho > 0.0 && rho <= 2.0)) return newton;
  const double a = std::clamp(newton.p.dot(Hs) / along, -1.0, 1.0);
  std::optional<NewtonDirection> halley = corrected(at.H, (0.5 * a * rho) * (at.H - before.H), at.g);
  if (!halley) return newton;
  const Vector difference = halley->p - newton.p;
  constexpr double most = 0.7;
  if (!(difference.dot(at.H * difference) <= most * most * newton.curvature)) return newton;
  halley->curvature = halley->p.dot(at.H * halley->p);
  return *std::move(halley);
}

}  // namespace driftless
