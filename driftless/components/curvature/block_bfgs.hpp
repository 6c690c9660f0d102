// B ≈ ∇²f from pairs (u, ∇²f u) that arrive in blocks: block BFGS. Gao, Goldfarb, "Block BFGS methods", SIAM J.
// Optimization 2018. With U made ∇²f-conjugate inside a block, its update is one BFGS update for each column, so the
// two loops of L-BFGS give B⁻¹ r. Here they are linear in the middle matrix and give its two parts apart:
//
//   B⁻¹ r = a + b/γ:  a is the step that the pairs know, b the direction that they do not cover, γ its curvature
//
// For a constant ∇²f and conjugate pairs, a is the minimiser over their span, and b a conjugate gradient direction.
#pragma once

#include "driftless/core/vector.hpp"

#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace driftless {

// A direction and its product, or a step and the difference of gradients along it.
struct DirectionAndProduct {
  Vector u;
  Vector hu;
};

class BlockBfgs {
 public:
  struct Step {
    Vector known;    // a
    Vector unknown;  // b
  };

  // Removes all pairs; the newest `most` are kept from now on.
  void begin(std::size_t most) {
    most_ = most;
    pairs_.clear();
  }
  bool empty() const { return pairs_.empty(); }

  // Columns without positive curvature, or that others of the block contain, are left out.
  void add(std::vector<DirectionAndProduct> block) {
    const std::size_t before = pairs_.size();
    for (DirectionAndProduct& p : block) {
      const double norm = p.u.norm();
      if (!(norm > 0.0)) continue;
      p.u /= norm;
      p.hu /= norm;
      for (std::size_t k = before; k < pairs_.size(); ++k) {
        const double w = pairs_[k].inverse_curvature * pairs_[k].hu.dot(p.u);
        p.u -= w * pairs_[k].u;
        p.hu -= w * pairs_[k].hu;
      }
      const double left = p.u.norm();
      const double curvature = p.u.dot(p.hu);
      if (left < 1e-6 || !(curvature > 1e-12 * left * p.hu.norm())) continue;
      pairs_.push_back({{std::move(p.u), std::move(p.hu)}, 1.0 / curvature});
    }
    while (pairs_.size() > most_) pairs_.pop_front();
  }

  Step solve(const Vector& r) const {
    std::vector<double> weight(pairs_.size());
    Step s{.known = Vector::Zero(r.size()), .unknown = r};
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      weight[k] = pairs_[k].inverse_curvature * pairs_[k].u.dot(s.unknown);
      s.unknown -= weight[k] * pairs_[k].hu;
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const Pair& p = pairs_[k];
      s.known += (weight[k] - p.inverse_curvature * p.hu.dot(s.known)) * p.u;
      s.unknown -= p.inverse_curvature * p.hu.dot(s.unknown) * p.u;
    }
    return s;
  }

  // visitor(u, ∇²f u), the oldest first
  template <class Visitor>
  void for_each(Visitor&& visitor) const {
    for (const Pair& p : pairs_) visitor(p.u, p.hu);
  }

  // u and ∇²f u in turn, the oldest first; and back.
  Vector packed() const {
    const Index dim = pairs_.empty() ? 0 : pairs_.front().u.size();
    Vector all(2 * dim * static_cast<Index>(pairs_.size()));
    Index at = 0;
    for (const Pair& p : pairs_) {
      all.segment(at, dim) = p.u;
      all.segment(at + dim, dim) = p.hu;
      at += 2 * dim;
    }
    return all;
  }
  void unpack(const Vector& all, Index dim) {
    pairs_.clear();
    for (Index at = 0; at < all.size(); at += 2 * dim) {
      Pair p{{all.segment(at, dim), all.segment(at + dim, dim)}, 0.0};
      p.inverse_curvature = 1.0 / p.u.dot(p.hu);
      pairs_.push_back(std::move(p));
    }
  }

 private:
  struct Pair : DirectionAndProduct {
    double inverse_curvature;  // 1/⟨u, ∇²f u⟩
  };

  std::size_t most_ = 0;
  std::deque<Pair> pairs_;
};

// γ along a direction, ‖Hu‖²/⟨u, Hu⟩: the larger of the two usual scales of L-BFGS, so that steps along what is not
// known are rather short. `otherwise` where the curvature is not positive.
inline double scale_along(const Vector& u, const Vector& hu, double otherwise) {
  const double curvature = u.dot(hu);
  const double scale = hu.squaredNorm() / curvature;
  return curvature > 0.0 && std::isfinite(scale) && scale > 0.0 ? scale : otherwise;
}

}  // namespace driftless
