// FedNL-PP, FedNL with partial participation. Safaryan, Islamov, Qian, Richtárik, "FedNL: making Newton-type methods
// applicable to federated learning", ICML 2022.
//
//   w_i = x⁰;  H_i, l_i as after a round of FedNL at x⁰;  g_i = (H_i + l_i I) w_i − ∇f_i(w_i)
//   H, l, g = means of the H_i, l_i, g_i over everyone
//   for k = 0, 1, …:
//     x ← (H + l I)⁻¹ g
//     sample τ clients S;  i ∈ S:  w_i = x
//       S_i = C(∇²f_i(x) − H_i),  H_i ← H_i + α S_i,  l_i = ‖∇²f_i(x) − H_i‖_F,  g_i = (H_i + l_i I) x − ∇f_i(x)
//     H, l, g ← with the changes that S sends
//
// τ = cohort; C, α and H_i are in components/curvature/learned_hessian.hpp. No client needs w_i afterwards. With
// everyone in S the points are those of FedNL with `shift`. After clients were dropped everyone sends all of H_i, l_i
// and g_i once more, at x.
//
// Cost: one exchange per round with τ clients, one with everyone at the start and after losses: up g_i, S_i and two
// numbers, down x. Rate: local, superlinear in expectation, free of the condition number; a start far from x* wants
// h_start = "exact".
#pragma once

#include "driftless/components/curvature/learned_hessian.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedNlPpOptions {
  LearnedHessianOptions hessian = {};
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedNlPpOptions;
    return {nested(&S::hessian), nested(&S::sampling)};
  }
};

class FedNlPp final : public MethodWith<FedNlPpOptions> {
 public:
  explicit FedNlPp(const Options& o) : MethodWith(o), H_(o.hessian) {}

  void prepare(const Federation& fed) override { H_.prepare(fed); }

  void start(Federation& fed, Vector& x) override {
    H_.start(fed);
    g_ = Vector::Zero(x.size());
    g_i_ = fed.per_client<Vector>(g_);
    l_i_ = fed.per_client(0.0);
    l_ = 0.0;
    exchange(fed, fed.everyone(), x);
  }

  void round(Federation& fed, Vector& x) override {
    const bool lost = H_.needs_whole(fed);  // H, l and g are means over others, too
    if (!lost) x = H_.solve(l_, known_, g_);
    exchange(fed, lost ? fed.everyone() : fed.sample(o_.sampling.cohort), x);
    if (lost) x = H_.solve(l_, known_, g_);
  }

  Traffic start_traffic(std::size_t n) const override {
    return {.exchanges = 1, .up = 2 * n, .down = n, .at_least = true};
  }
  // The matrix counts as (d + 1)/2 vectors.
  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = 2 * s, .down = s, .at_least = true};
  }
  void visit_state(StateVisitor& visit) override {
    H_.visit_state(visit);
    visit.vector("g", g_);
    visit.number("l", l_);
    visit.number("known", known_);
    visit.per_client("g_i", g_i_);
    visit.per_client("l_i", l_i_);
  }

 private:
  // The clients of S follow x, and H, l and g their changes.
  void exchange(Federation& fed, const Cohort& S, const Vector& x) {
    const bool whole = H_.needs_whole(fed);
    if (whole) forget(fed);
    const std::uint64_t bytes = fed.bytes_of({.vectors = 1}) + H_.bytes(fed.dim(), whole);
    RowMean change =
        fed.mean_rows({.from = S, .to = S, .bytes_up = S.size() * bytes}, {.vectors = 1, .matrices = 1, .scalars = 2},
                      {.vectors = 1}, [&](Client& i, Row& row) { follow(i, x, whole, row); });
    H_.add(fed, S, whole, change.matrix());
    const double share = static_cast<double>(S.size()) / static_cast<double>(fed.everyone().size());
    g_ += share * change.vector();
    l_ += share * change.scalar(0);
    known_ = change.scalar(1);
  }

  void follow(Client& i, const Vector& x, bool whole, Row& row) {
    const double l = H_.learn(i, x, whole, row.matrix());
    Vector g(x.size());
    i.gradient(x, g);
    g = l * x + unpacked(H_.of(i), x.size()) * x - g;
    row.vector() = g - g_i_[i];
    row.scalars()[0] = l - l_i_[i];
    row.scalars()[1] = LearnedHessian::known_curvature(i);
    g_i_[i] = g;
    l_i_[i] = l;
    i.count_step();
  }

  void forget(Federation& fed) {
    g_.setZero();
    l_ = 0.0;
    fed.for_each_client([&](Client& i) {
      g_i_[i].setZero();
      l_i_[i] = 0.0;
    });
  }

  LearnedHessian H_;
  Vector g_;
  double l_ = 0.0;
  double known_ = 0.0;  // curvature that the clients know of, mean over those asked last
  PerClient<Vector> g_i_;
  PerClient<double> l_i_;
};

}  // namespace driftless
