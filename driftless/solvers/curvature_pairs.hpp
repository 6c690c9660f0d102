// Pairs (u, Hu) from earlier conjugate gradients, of which a preconditioner P ≈ H for the next run is made without
// further products. Morales, Nocedal, "Automatic preconditioning by limited memory quasi-Newton updating", SIAM J.
// Optimization 2000: P⁻¹ r by the two loops of L-BFGS over the pairs, from
//
//   P_0 = γ D,  γ = min ⟨u, Hu⟩/⟨u, D u⟩ over the pairs
//
// with D the identity or a diagonal. Directions that no pair covers have mostly small curvature, because conjugate
// gradients find directions of large curvature first. γ moves the eigenvalues of the covered directions to those of the
// others: with γ = 1 there would be two clusters of eigenvalues, and more products than without P.
#pragma once

#include "driftless/core/vector.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace driftless {

class CurvaturePairs {
 public:
  // Removes all pairs; from now on P is made of at most `most` pairs.
  void begin(std::size_t most) {
    most_ = most;
    added_ = used_ = recorded_ = 0;
  }

  // Makes P of the newest pairs. Pairs added later are used from the next call on: conjugate gradients need a constant
  // P. No `diagonal` is the identity. Its entries may have any sign, P_0 is positive.
  void make_preconditioner(const Vector* diagonal) {
    used_ = std::min(most_, added_);
    recorded_ = 0;
    end_ = added_;
    if (diagonal != nullptr) base_ = diagonal->cwiseAbs().cwiseMax(least_share * diagonal->cwiseAbs().maxCoeff());
    else base_.resize(0);
    inverse_curvature_.resize(used_);
    scale_ = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < used_; ++k) {
      const Pair& p = pair(k);
      const double curvature = p.u.dot(p.hu);
      inverse_curvature_[k] = 1.0 / curvature;
      scale_ = std::min(scale_, curvature / (base_.size() > 0 ? p.u.dot(base_.cwiseProduct(p.u)) : p.u.squaredNorm()));
    }
    if (used_ == 0) scale_ = 1.0;
  }

  // Keeps the first `most` pairs of a run, except those whose curvature is below rounding.
  void add(const Vector& u, const Vector& hu) {
    if (recorded_ == most_ || !(u.dot(hu) > 1e-12 * u.norm() * hu.norm())) return;
    const std::size_t slot = added_ % (2 * most_);  // pairs in use are not overwritten
    if (slot == pairs_.size()) pairs_.emplace_back();
    pairs_[slot].u = u;
    pairs_[slot].hu = hu;
    ++added_;
    ++recorded_;
  }

  // s = P⁻¹ r
  void solve(const Vector& r, Vector& s) {
    weight_.resize(used_);
    s = r;
    for (std::size_t k = used_; k-- > 0;) {
      weight_[k] = inverse_curvature_[k] * pair(k).u.dot(s);
      s -= weight_[k] * pair(k).hu;
    }
    if (base_.size() > 0) s.array() /= scale_ * base_.array();
    else s /= scale_;
    for (std::size_t k = 0; k < used_; ++k) s += (weight_[k] - inverse_curvature_[k] * pair(k).hu.dot(s)) * pair(k).u;
  }

  // The pairs that the next P is made of, u and Hu in turn, the oldest first; and back.
  Vector packed() const {
    const std::size_t count = std::min(most_, added_);
    const Index dim = count == 0 ? 0 : pairs_.front().u.size();
    Vector all(2 * dim * static_cast<Index>(count));
    for (std::size_t k = 0; k < count; ++k) {
      const Pair& p = pairs_[(added_ - count + k) % (2 * most_)];
      all.segment(2 * dim * static_cast<Index>(k), dim) = p.u;
      all.segment(2 * dim * static_cast<Index>(k) + dim, dim) = p.hu;
    }
    return all;
  }
  void unpack(const Vector& all, Index dim) {
    begin(most_);
    for (Index at = 0; at < all.size(); at += 2 * dim) add(all.segment(at, dim), all.segment(at + dim, dim));
  }

 private:
  static constexpr double least_share = 1e-10;  // of the largest entry of a diagonal

  struct Pair {
    Vector u;
    Vector hu;
  };
  // Of those in use, the oldest first.
  const Pair& pair(std::size_t k) const { return pairs_[(end_ - used_ + k) % (2 * most_)]; }

  std::size_t most_ = 0;
  std::size_t added_ = 0;                  // since begin
  std::size_t recorded_ = 0;               // since P was made
  std::size_t end_ = 0;                    // added before P was made
  std::size_t used_ = 0;                   // in P
  std::vector<Pair> pairs_;                // number m in slot m mod 2 most; made on first use and then kept
  std::vector<double> inverse_curvature_;  // 1/⟨u, Hu⟩
  std::vector<double> weight_;
  Vector base_;         // D; empty = the identity
  double scale_ = 1.0;  // γ
};

}  // namespace driftless
