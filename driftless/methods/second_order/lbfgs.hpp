// Distributed L-BFGS. Liu, Nocedal, "On the limited memory BFGS method for large scale optimization", Mathematical
// Programming 1989.
//
//   f, g = ∇f at x;  γ = ‖g‖
//   for k = 0, 1, …:
//     p = −B⁻¹ g by the two loops over the last m pairs (s, z), from B_0 = γ I
//     for t = 1, then where ∇f along p vanishes by interpolation:  f⁺, g⁺ at x + t p
//     the first t that descends:  s = t p, z = g⁺ − g;  γ = ‖z‖²/⟨s, z⟩;  x ← x + s, f ← f⁺, g ← g⁺
//
// m = memory. The first step has length 1. Descends: f⁺ ≤ f + c t ⟨g, p⟩ with c = 1e-4; or, where differences of f are
// rounding, the slope ⟨g⁺, p⟩ along p is at most 0.8 |⟨g, p⟩| and not as steep upwards (the approximate conditions of
// Hager, Zhang, SIAM J. Optimization 2005, which see no values), so that the search is sound to the last digits. A pair
// without positive curvature is left out, and steps grow twofold there: B stays positive definite and p a direction of
// descent, also where f is not convex. Where no t of a round descends, x stays, the pairs are removed, and the next
// round continues with shorter steps.
//
// Exchanges: one per trial, f_i and ∇f_i at once, so one per round where t = 1 descends, and one at the start. The
// iterates do not depend on how the data are divided.
//
// Rate: linear; with m ≥ d, on quadratics and with exact steps, it ends after d rounds.
#pragma once

#include "driftless/components/curvature/block_bfgs.hpp"
#include "driftless/methods/method.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

struct LbfgsOptions {
  std::size_t memory = 10;
  std::size_t trials = 30;

  static Fields fields() {
    using S = LbfgsOptions;
    return {field("memory", &S::memory, at_least_one, "m, pairs (s, z) that are kept"),
            field("trials", &S::trials, at_least_one, "most points tried in a round, an exchange each")};
  }
};

class Lbfgs final : public MethodWith<LbfgsOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation&) override { inverse_.begin(o_.memory); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    now_ = look(fed, x);
    gamma_ = now_.g.norm();
    clients_ = fed.everyone().size();
  }

  // For callers that know f(x) and ∇f(x) already.
  void start_from(const Federation& fed, double f, const Vector& g) {
    prepare(fed);
    now_ = {f, g};
    gamma_ = g.norm();
    clients_ = fed.everyone().size();
  }

  void round(Federation& fed, Vector& x) override {
    if (clients_ != fed.everyone().size()) start(fed, x);  // some were dropped: f is another function
    if (now_.g.norm() == 0.0) return;
    const BlockBfgs::Step step = inverse_.solve(-now_.g);
    const Vector p = step.known + step.unknown / gamma_;
    const double slope = now_.g.dot(p);
    double t = 1.0;
    for (std::size_t k = 0; k < o_.trials; ++k) {
      const Vector y = x + t * p;
      Point at = look(fed, y);
      const double slope_there = at.g.dot(p);
      if (descends(at, slope, slope_there, t)) {
        learn(t * p, at);
        x = y;
        now_ = std::move(at);
        return;
      }
      t *= shortening(slope, slope_there);
    }
    inverse_.begin(o_.memory);
    gamma_ /= t;
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n, .at_least = true}; }

  void visit_state(StateVisitor& visit) override {
    visit.number("f", now_.f);
    visit.vector("g", now_.g);
    visit.number("gamma", gamma_);
    visit.count("clients", clients_);
    packed_ = inverse_.packed();
    visit.vector("pairs", packed_);
    inverse_.unpack(packed_, now_.g.size());
  }

 private:
  struct Point {
    double f = 0.0;
    Vector g;
  };

  static Point look(Federation& fed, const Vector& y) {
    auto [g, f] = fed.mean_with_scalars({fed.everyone(), fed.everyone()}, 1, [&](Client& i, VecOut row, VecOut value) {
      value[0] = i.value_gradient(y, row);
      i.count_step();
    });
    return {f[0], std::move(g)};
  }

  bool descends(const Point& at, double slope, double slope_there, double t) const {
    const double rounding = 1e-14 * (1.0 + std::abs(now_.f));
    const bool flat = at.f <= now_.f + rounding && slope_there <= -0.8 * slope && slope_there >= slope;
    return at.f <= now_.f + 1e-4 * t * slope || flat;
  }

  // The share of a step at whose end the derivative along it vanishes, where that grows evenly.
  static double shortening(double slope, double slope_there) {
    if (!std::isfinite(slope_there)) return 0.1;
    return slope_there > 0.0 ? std::clamp(slope / (slope - slope_there), 0.1, 0.5) : 0.5;
  }

  void learn(const Vector& s, const Point& at) {
    const Vector z = at.g - now_.g;
    inverse_.add({{s, z}});
    gamma_ = scale_along(s, z, 0.5 * gamma_);
  }

  BlockBfgs inverse_;
  Point now_;                  // f and ∇f at x
  double gamma_ = 1.0;         // γ
  std::uint64_t clients_ = 0;  // whose mean f is
  Vector packed_;              // the pairs, as they are saved
};

}  // namespace driftless
