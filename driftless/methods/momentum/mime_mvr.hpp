// MimeMVR: Mime with the momentum-based variance reduction of STORM as base. Karimireddy, Jaggi, Kale, Mohri, Reddi,
// Stich, Suresh, "Breaking the centralized barrier for cross-device federated learning", NeurIPS 2021.
//
//   for r = 0, 1, … (with a = 1 in round 0):
//     sample clients S;  c = g_S(x_r);  m_r = a c + (1 − a) [m_{r−1} + c − g_S(x_{r−1})],  g_S = (1/|S|) Σ_S ∇f_i
//     i ∈ S:  y_i = x_r;  K times:  y_i ← y_i − γ [a d + (1 − a) (m_r + g_i(y_i, ξ) − g_i(x_r, ξ))]
//             d = g_i(y_i, ξ) − g_i(x_r, ξ) + c, the same batch ξ at both points;  without correction: d = g_i(y_i, ξ)
//     x_{r+1} = x_r + η_s (1/|S|) Σ_S (y_i − x_r)
//
// γ = step, K = local_steps, a = a, η_s = server_step, m = m_, x_{r−1} = x_previous_. m_r is formed before the local
// steps of round r; lagged = true lets them use m_{r−1}. correction = false is MimeLiteMVR. Sampled clients do not
// remember x_{r−1}, which is sent again.
//
// The structure agrees with public implementations of Mime; the MVR recursion and the theory were reconstructed without
// access to the article. Tests check: with all clients, full batches and any a, m_r = ∇f(x_r) and the method is FedLin,
// with K = 1 gradient descent; a = 1 is Mime with b = 0 also for batches and cohorts.
//
// Theory: K of order L/δ_B, γ of order 1/L, a of order (δ_B K γ)². Rounds, with (1/n) Σ ‖∇f_i − ∇f‖² ≤ G²:
// δ_B G F_0/(√n ε^{3/2}) + G²/(n ε) + δ_B F_0/ε. The output is the last x; the theory draws one of all x.
#pragma once

#include "driftless/components/server/frozen_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct MimeMvrOptions {
  LocalStepOptions local = {};
  double a = required;
  double server_step = 1.0;
  bool correction = true;
  bool lagged = false;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = MimeMvrOptions;
    return {nested(&S::local),
            field("a", &S::a, Range{.low = 0.0, .high = 1.0, .low_open = true}, "a, weight of the fresh gradient"),
            field("server_step", &S::server_step, positive, "η_s, step of the server"),
            field("correction", &S::correction, anything, "local steps corrected by gradients at x"),
            field("lagged", &S::lagged, anything, "local steps use the momentum of the round before"),
            nested(&S::sampling)};
  }
};

class MimeMvr final : public MethodWith<MimeMvrOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation& fed) override {
    g_i_ = g_previous_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    x_previous_ = x;
    m_ = Vector::Zero(x.size());
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const FrozenDirection direction = renew_momentum(fed, x, S);
    const Vector y = fed.mean({S, S, sent_along(S.is_everyone())}, [&](Client& i, VecOut row) {
      take_frozen_steps(i, x, g_i_[i], direction, o_.local, row);
    });
    x_previous_ = x;
    x += o_.server_step * (y - x);
  }

  Traffic round_traffic(std::size_t n) const override {  // ∇f_i(x_r), ∇f_i(x_{r−1}), then y_i; m and c, then x
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 2, .up = 3 * s, .down = (3 + sent_along(s == n)) * s};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("m", m_);
    visit.vector("x_previous", x_previous_);
  }

 private:
  std::size_t sent_along(bool everyone) const { return everyone ? 0 : 1; }  // x_{r−1}, besides x_r

  // m_r, and the local direction: a d + (1 − a)(m + g_i(y, ξ) − g_i(x, ξ)) with what does not depend on y put together
  FrozenDirection renew_momentum(Federation& fed, const Vector& x, const Cohort& S) {
    const bool first = fed.round() == 0;
    fed.for_each_client(S, [&](Client& i) {
      i.gradient(x, g_i_[i]);
      if (first) g_previous_i_[i] = g_i_[i];
      else i.gradient(x_previous_, g_previous_i_[i]);
    });
    const auto [c, c_previous] = fed.mean({S, S}, g_i_, g_previous_i_);
    const Vector old = first ? c : m_;
    m_ = o_.a * c + (1.0 - o_.a) * (old + c - c_previous);
    const Vector& m = o_.lagged ? old : m_;
    if (o_.correction) return {.w = 1.0, .beta = 1.0, .e = o_.a * c + (1.0 - o_.a) * m};
    return {.w = 1.0, .beta = 1.0 - o_.a, .e = (1.0 - o_.a) * m};
  }

  Vector x_previous_;
  Vector m_;
  PerClient<Vector> g_i_, g_previous_i_;
};

}  // namespace driftless
