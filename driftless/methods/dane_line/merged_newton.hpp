// Newton-CG with one exchange for all: every exchange is a trial point and brings f, ∇f and k products with ∇²f there.
// The part of newton-cg that `directions` = k > 0 turns on.
//
//   f, g = ∇f, H 1_1, …, H 1_k at x,  1_j = the ones at the indices ≡ j mod k;  B from the pairs
//   in every round:
//     a + b/γ = −B⁻¹ g;  y = x + a + b/γ
//     f, ∇f and H b_1, …, H b_k at y,  b_j = the entries of b at the indices ≡ j mod k
//     B from the pairs (y − x, ∇f(y) − g), then (b_j, H b_j);  γ = ‖H b‖²/⟨b, H b⟩
//     x ← y, where f falls; else x stays, and the next m rounds are those of newton-cg without merging
//
// B: components/curvature/block_bfgs.hpp; a is the part of the step that the pairs know, b what they do not cover. To
// split the direction into k of disjoint support: Grigori, Moufawad, Nataf, "Enlarged Krylov subspace conjugate
// gradient methods", SIAM J. Matrix Analysis 2016. All know b, so a round sends y and b down, whatever k is.
//
// A rejected trial shows that products of earlier points mislead. m doubles from 1 to 32 with every rejection, and is 1
// again after eight accepted trials: far from x*, and where f is not convex, the cost is at most a few exchanges more.
#pragma once

#include "driftless/components/curvature/block_bfgs.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/solvers/newton_step.hpp"

#include <algorithm>
#include <cstdint>

namespace driftless {

class MergedNewton {
 public:
  MergedNewton(std::size_t directions, std::size_t rounds_kept) : k_(directions), rounds_kept_(rounds_kept) {}

  void prepare() { inverse_.begin(rounds_kept_ * (k_ + 1)); }

  // The directions 1_j of the products at the start.
  std::vector<Vector> first_directions(Index dim) const {
    const Vector ones = Vector::Ones(dim);
    std::vector<Vector> directions;
    for (std::size_t j = 0; j < k_; ++j) directions.push_back(part(ones, j));
    return directions;
  }

  // f(x); g = ∇f(x)
  double start(Federation& fed, const Vector& x, Vector& g) {
    Trial at = look(fed, x, Vector::Ones(x.size()), {.vectors = 1});
    begin(at);
    g = std::move(at.g);
    return at.f;
  }
  // For callers that know ∇f(x) and the products with first_directions() already.
  void start_from(const Vector& g, const std::vector<Vector>& products) {
    Trial at{.f = 0.0, .g = g, .products = {}};
    const std::vector<Vector> directions = first_directions(g.size());
    for (std::size_t j = 0; j < k_; ++j) at.products.push_back({directions[j], products[j]});
    begin(at);
  }

  bool separate() const { return separate_ > 0; }  // this round is one without merging

  void round(Federation& fed, Vector& x, double& f, Vector& g) {
    const double norm = g.norm();
    if (norm == 0.0) return;
    const BlockBfgs::Step step = inverse_.solve(-g);
    const Vector d = step.known + step.unknown / gamma_;
    const Vector y = x + d;
    Trial at = look(fed, y, step.unknown, {.vectors = 2});
    if (!step_descends({f, norm}, {at.f, at.g.norm()}, g.dot(d))) return reject();
    inverse_.add({{d, at.g - g}});
    learn(step.unknown, at, gamma_);
    x = y;
    f = at.f;
    g = std::move(at.g);
    if (++accepted_ >= 8) wait_ = 1;
  }

  // Of a round without merging: its products are pairs too, and so are its directions those of the preconditioner.
  template <class Visitor>
  void for_each_pair(Visitor&& visitor) const {
    inverse_.for_each(visitor);
  }
  void add(const Vector& u, const Vector& hu) {
    inverse_.add({{u, hu}});
    gamma_ = scale_along(u, hu, gamma_);
  }
  void end_separate() { --separate_; }

  std::size_t vectors_up() const { return 1 + k_; }
  std::size_t pairs_kept() const { return rounds_kept_ * (k_ + 1); }

  void visit_state(StateVisitor& visit, Index dim) {
    visit.number("gamma", gamma_);
    visit.count("separate_rounds", separate_);
    visit.count("wait", wait_);
    visit.count("accepted", accepted_);
    packed_ = inverse_.packed();
    visit.vector("merged_pairs", packed_);
    inverse_.unpack(packed_, dim);
  }

 private:
  struct Trial {
    double f;
    Vector g;
    std::vector<DirectionAndProduct> products;
  };

  void begin(Trial& at) {
    prepare();
    separate_ = accepted_ = 0;
    wait_ = 1;
    learn(Vector::Ones(at.g.size()), at, at.g.norm());
  }

  Vector part(const Vector& b, std::size_t j) const {
    Vector u = Vector::Zero(b.size());
    for (Index i = static_cast<Index>(j); i < b.size(); i += static_cast<Index>(k_)) u[i] = b[i];
    return u;
  }

  Trial look(Federation& fed, const Vector& y, const Vector& b, const RowShape& down) const {
    Trial at;
    for (std::size_t j = 0; j < k_; ++j) at.products.push_back({part(b, j), {}});
    RowMean mean = fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = 1 + k_, .scalars = 1}, down,
                                 [&](Client& i, Row& row) {
                                   row.scalars()[0] = i.value_gradient(y, row.vector());
                                   for (std::size_t j = 0; j < k_; ++j) {
                                     i.hessian_vector(y, at.products[j].u, row.vector(1 + j));
                                     i.count_step();
                                   }
                                 });
    at.f = mean.scalar(0);
    at.g = mean.vector();
    for (std::size_t j = 0; j < k_; ++j) at.products[j].hu = mean.vector(1 + j);
    return at;
  }

  void learn(const Vector& b, Trial& at, double otherwise) {
    Vector hb = Vector::Zero(b.size());
    for (const DirectionAndProduct& p : at.products) hb += p.hu;
    gamma_ = scale_along(b, hb, otherwise);
    inverse_.add(std::move(at.products));
  }

  void reject() {
    constexpr std::uint64_t longest = 32;
    accepted_ = 0;
    separate_ = wait_;
    wait_ = std::min(2 * wait_, longest);
  }

  std::size_t k_;
  std::size_t rounds_kept_;
  BlockBfgs inverse_;
  double gamma_ = 1.0;          // γ
  std::uint64_t separate_ = 0;  // rounds left of m
  std::uint64_t wait_ = 1;      // m after the next rejection
  std::uint64_t accepted_ = 0;  // trials since the last one
  Vector packed_;               // the pairs, as they are saved
};

}  // namespace driftless
