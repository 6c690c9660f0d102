// The iteration that Newton's methods with whole Hessians share: an exchange brings f, ∇f and ∇²f of the trial point,
// in whatever coordinates z the Hessian is kept.
//
//   y = z⁰;  f, g, H at y;  p from g and H, t = 1
//   repeat:  f⁺, g⁺, H⁺ at y + t p
//     if f⁺ ≤ f + c t ⟨g, p⟩:  y ← y + t p;  p from g⁺ and H⁺, t = 1
//     else                     t ← where the derivative of f along p vanishes, by its cubic interpolation
//     shown: y, or y + p where fast convergence has set in
//
// c = 1e-4. p = −|H|⁻¹ g (components/curvature/newton_direction.hpp), so f also descends where it is not convex; with
// steps = "halley" the third derivative along the last step improves it (components/curvature/halley_direction.hpp).
// Where differences of f are rounding, the Newton decrement decides: a step must reduce it. A rejected trial costs its
// exchange, but its slope g⁺ and curvature H⁺ along p, with those at y, find the next t.
//
// A full step that divided the Newton decrement by ten is followed by a better one: then y + p is shown at once, which
// the next exchange confirms or takes back. So the last exchange of a run is the one that its step came from.
#pragma once

#include "driftless/components/curvature/halley_direction.hpp"
#include "driftless/components/curvature/slope_interpolation.hpp"
#include "driftless/components/curvature/symmetric.hpp"
#include "driftless/core/options.hpp"
#include "driftless/federation/state_visitor.hpp"

#include <array>
#include <cmath>
#include <string_view>

namespace driftless {

enum class NewtonSteps { newton, halley };
template <>
struct EnumNames<NewtonSteps> {
  static constexpr std::array<std::string_view, 2> value{"newton", "halley"};
};

class NewtonIteration {
 public:
  explicit NewtonIteration(NewtonSteps steps) : steps_(steps) {}

  // From the first point, or again where f has become another function.
  void begin(SecondOrderPoint first) {
    const NewtonDirection direction = newton_direction(first.H, first.g);
    move_to(std::move(first), direction);
  }

  Vector trial() const { return y_.z + t_ * p_; }

  // With what the exchange brought of trial(). Returns the point to show.
  Vector next(SecondOrderPoint at) {
    constexpr double c = 1e-4;
    const double rounding = 1e-12 * (1.0 + std::abs(y_.f));
    const bool descends = at.f <= y_.f + c * t_ * slope_;
    if (descends || at.f <= y_.f + rounding) {
      const NewtonDirection direction =
          steps_ == NewtonSteps::halley ? halley_direction(y_, at) : newton_direction(at.H, at.g);
      const bool converges = t_ == 1.0 && direction.slope >= 0.01 * slope_;
      if (descends || direction.slope > slope_) {
        move_to(std::move(at), direction);
        return converges ? trial() : y_.z;
      }
    }
    t_ *= slope_root({t_ * slope_, t_ * t_ * curvature_}, {t_ * at.g.dot(p_), t_ * t_ * p_.dot(at.H * p_)});
    return y_.z;
  }

  void visit_state(StateVisitor& visit) {
    visit.vector("y", y_.z);
    visit.vector("p", p_);
    visit.number("t", t_);
    visit.number("f", y_.f);
    visit.number("slope", slope_);
    visit.number("curvature", curvature_);
    if (steps_ == NewtonSteps::newton) return;
    visit.vector("g", y_.g);
    entries_ = Eigen::Map<const Vector>(y_.H.data(), y_.H.size());
    visit.vector("H", entries_);
    y_.H = Eigen::Map<const Matrix>(entries_.data(), y_.g.size(), y_.g.size());
  }

 private:
  void move_to(SecondOrderPoint at, const NewtonDirection& direction) {
    y_ = std::move(at);
    p_ = direction.p;
    slope_ = direction.slope;
    curvature_ = direction.curvature;
    t_ = 1.0;
  }

  NewtonSteps steps_;
  SecondOrderPoint y_;
  Vector p_;
  double t_ = 1.0;
  double slope_ = 0.0, curvature_ = 0.0;  // ⟨g, p⟩, ⟨p, H p⟩ at y
  Vector entries_;                        // of H, as they are saved
};

}  // namespace driftless
