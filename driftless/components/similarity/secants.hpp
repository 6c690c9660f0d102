// Constants of f along the path of a run, from the gradients of two points c', c at which every client was asked for
// its gradient. With D_i = ∇f_i(c) − ∇f_i(c') and their mean D:
//
//   L̂ = ‖D‖/‖s‖,   μ̂ = ⟨D, s⟩/‖s‖²,   δ̂² = ((1/n) Σ ‖D_i‖² − ‖D‖²)/‖s‖² = (1/n) Σ ‖D_i − D‖²/‖s‖²,   s = c − c'
//
// δ̂ ≤ δ_A, L̂ ≤ L_f, and μ̂ ≥ μ is an upper estimate. A client keeps its last gradient and sends one number with the new
// one. Differences of gradients mean something long after those of f are rounding; only for clients that are alike to
// twelve digits the difference of squares is rounding, and then δ̂² is 1e-12 (1/n) Σ ‖D_i‖²/‖s‖², which is no smaller.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

class SecantEstimates {
 public:
  void start(const Federation& fed) {
    g_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
    c_ = g_ = Vector::Zero(fed.dim());
    clients_ = 0;
    L_ = delta_ = mu_ = 0.0;
  }

  // ∇f(c), one exchange of a vector and a number, and the estimates renewed.
  Vector gradient(Federation& fed, const Vector& c) {
    const auto [g, squares] =
        fed.mean_with_scalars({fed.everyone(), fed.everyone()}, 1, [&](Client& i, VecOut row, VecOut square) {
          i.gradient(c, row);
          square[0] = compare(i, row);
        });
    follow(fed, c, g, squares[0]);
    return g;
  }
  // For methods that form ∇f(c) in an exchange of their own. First, inside its body, with ∇f_i(c): the number ‖D_i‖².
  double compare(const Client& i, VecIn gradient) {
    const double square = (gradient - g_i_[i]).squaredNorm();
    g_i_[i] = gradient;
    return square;
  }
  // Then, with ∇f(c) and the mean of those numbers. False where the two points allow no estimate, as at the first one:
  // the estimates are then the old ones.
  bool follow(const Federation& fed, const Vector& c, const Vector& gradient, double mean_square) {
    const Vector s = c - c_;
    const Vector D = gradient - g_;
    const bool same_clients = clients_ == fed.everyone().size();
    const double square = s.squaredNorm();
    c_ = c;
    g_ = gradient;
    clients_ = fed.everyone().size();
    if (!same_clients || !(square > 1e-24 * c.squaredNorm()) || !(mean_square > 0.0) || !std::isfinite(mean_square))
      return false;
    L_ = D.norm() / s.norm();
    mu_ = D.dot(s) / square;
    delta_ = std::sqrt(std::max(mean_square - D.squaredNorm(), 1e-12 * mean_square) / square);
    return true;
  }

  bool known() const { return delta_ > 0.0; }
  double smoothness() const { return L_; }         // L̂
  double dissimilarity() const { return delta_; }  // δ̂
  double convexity() const { return mu_; }         // μ̂, negative where f is concave along the step
  const Vector& own_gradient(const Client& i) const { return g_i_[i]; }  // ∇f_i(c)
  const Vector& mean_gradient() const { return g_; }                     // ∇f(c)

  void visit_state(StateVisitor& visit) {
    visit.per_client("secant_g_i", g_i_);
    visit.vector("secant_point", c_);
    visit.vector("secant_gradient", g_);
    visit.count("secant_clients", clients_);
    visit.number("secant_L", L_);
    visit.number("secant_delta", delta_);
    visit.number("secant_mu", mu_);
  }

 private:
  PerClient<Vector> g_i_;      // ∇f_i(c')
  Vector c_, g_;               // c', ∇f(c')
  std::uint64_t clients_ = 0;  // that took part at c'; 0 before the first point
  double L_ = 0.0, delta_ = 0.0, mu_ = 0.0;
};

// A weight from an estimate, at most `factor` times the last weight and at least 1/`factor` of it.
inline double clipped(double proposal, double last, double factor = 8.0) {
  return std::clamp(proposal, last / factor, last * factor);
}

}  // namespace driftless
