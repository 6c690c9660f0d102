// Mime and MimeLite with momentum. Karimireddy, Jaggi, Kale, Mohri, Reddi, Stich, Suresh, "Breaking the centralized
// barrier for cross-device federated learning", NeurIPS 2021.
//
//   m = 0
//   for r = 0, 1, …:
//     sample clients S;  c = (1/|S|) Σ_S ∇f_i(x)
//     i ∈ S:  y_i = x;  K times:  y_i ← y_i − γ [(1 − b) d + b m]
//             Mime: d = g_i(y_i, ξ) − g_i(x, ξ) + c, the same batch ξ at both points      MimeLite: d = g_i(y_i, ξ)
//     m ← (1 − b) c + b m
//     x ← x + η_s (1/|S|) Σ_S (y_i − x)
//
// γ = step, K = local_steps, b = b, η_s = server_step, m = m_. m is constant during local steps. The name of the method
// fixes `correction`: Mime has it, which costs a second exchange; MimeLite sends c and y_i together.
//
// Full batches: x* is fixed for Mime; with K > 1 and clients that differ MimeLite leaves it, as FedAvg does. b = 0 is
// Mime with SGD as base. Other bases of the article (Adam) are not implemented. The theory is for the MVR base, see
// mime_mvr.hpp.
#pragma once

#include "driftless/components/server/frozen_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct MimeOptions {
  LocalStepOptions local = {};
  double b = 0.9;
  double server_step = 1.0;
  bool correction = true;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = MimeOptions;
    return {nested(&S::local),
            field("b", &S::b, Range{.low = 0.0, .high = 1.0, .high_open = true}, "b, weight of the old momentum"),
            field("server_step", &S::server_step, positive, "η_s, step of the server"),
            field("correction", &S::correction, anything, "local steps corrected by gradients at x"),
            nested(&S::sampling)};
  }
};

class Mime final : public MethodWith<MimeOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation& fed) override { y_i_ = g_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim())); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    m_ = Vector::Zero(x.size());
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const Vector mean_y = o_.correction ? corrected_round(fed, x, S) : lite_round(fed, x, S);
    x += o_.server_step * (mean_y - x);
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    if (o_.correction) return {.exchanges = 2, .up = 2 * s, .down = 3 * s};  // ∇f_i, then y_i; c, then x and m
    return {.exchanges = 1, .up = 2 * s, .down = 2 * s};                     // y_i and ∇f_i; x and m
  }
  void visit_state(StateVisitor& visit) override { visit.vector("m", m_); }

 private:
  // Mime: (1 − b) d + b m = (1 − b)(g_i(y, ξ) − g_i(x, ξ)) + m⁺
  Vector corrected_round(Federation& fed, const Vector& x, const Cohort& S) {
    const Vector c = fed.mean({S, S}, [&](Client& i, VecOut row) {
      i.gradient(x, g_i_[i]);
      row = g_i_[i];
    });
    m_ = (1.0 - o_.b) * c + o_.b * m_;
    const FrozenDirection direction{.w = 1.0 - o_.b, .beta = 1.0, .e = m_};
    return fed.mean({S, S, 1}, [&](Client& i, VecOut y) { take_frozen_steps(i, x, g_i_[i], direction, o_.local, y); });
  }

  // MimeLite: (1 − b) g_i(y, ξ) + b m
  Vector lite_round(Federation& fed, const Vector& x, const Cohort& S) {
    const FrozenDirection direction{.w = 1.0 - o_.b, .beta = 0.0, .e = o_.b * m_};
    fed.for_each_client(S, [&](Client& i) {
      i.gradient(x, g_i_[i]);
      take_frozen_steps(i, x, g_i_[i], direction, o_.local, y_i_[i]);
    });
    const auto [y, c] = fed.mean({S, S}, y_i_, g_i_);
    m_ = (1.0 - o_.b) * c + o_.b * m_;
    return y;
  }

  Vector m_;
  PerClient<Vector> y_i_, g_i_;
};

}  // namespace driftless
