#include "driftless/components/curvature/halley_direction.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

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
  NewtonDirection halley = newton_direction(at.H + (0.5 * a * rho) * (at.H - before.H), at.g);
  const Vector difference = halley.p - newton.p;
  constexpr double most = 0.7;
  if (!(difference.dot(at.H * difference) <= most * most * newton.curvature)) return newton;
  halley.curvature = halley.p.dot(at.H * halley.p);
  return halley;
}

}  // namespace driftless
