// FedDC. Gao, Fu, Li, Chen, Xu, Xu, "FedDC: federated learning with non-IID data via local drift decoupling and
// correction", CVPR 2022.
//
//   w = x⁰, h_i = g_i = 0, ḡ = 0
//   for t = 0, 1, …:
//     sample s clients S
//     i ∈ S:  θ_i = w;  K steps of length η on  f_i(θ) + (α/2)‖θ − (w − h_i)‖² + ⟨ḡ − g_i, θ⟩
//             h_i ← h_i + θ_i − w,   g_i ← g_i − ḡ + (w − θ_i)/(K η)
//     ḡ ← ḡ + (1/n) Σ_S (change of g_i)
//     w ← (1/s) Σ_S θ_i + (1/n) Σ_all h_i
//
// α = alpha, η = step, K = local_steps, w = x, h̄ = (1/n) Σ h_i = h_, ḡ = (1/n) Σ g_i = g_. Departures: the article
// sends the changes of h_i and g_i beside θ_i. Both follow from θ_i and from what the server has sent, so here the
// mean of the θ_i alone goes up; w and ḡ go down. Public code divides α and ḡ by the client's weight; here all are 1.
//
// Fixed points (α > 0): θ_i = w needs ∇f_i(w) + α h_i + ḡ − g_i = 0, and then h̄ = 0, ḡ = 0. So w = x*, with any g_i of
// mean 0 and h_i = (g_i − ∇f_i(x*))/α: x* is fixed, the split between h_i and g_i is not. Without the term ḡ − g_i it
// is FedDyn, g_i there being −α h_i; without h_i it has Scaffold's corrections. For one client of curvature a and K = 1
// errors shrink by 1 − q with q² − η(α + 2a) q + η a = 0. Along the flattest direction that is fastest, q = √(ημ), for
// α = 2√(μ/η) − 2μ; with K steps ηK stands for η. On quadratics it then needs √(1/(ηKμ)) log(1/ε) rounds (tested).
//
// Rate: the article's theorem, which was not available, is for non-convex f_i of bounded dissimilarity.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedDcOptions {
  LocalStepOptions local = {};
  double alpha = 0.01;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedDcOptions;
    return {nested(&S::local),
            field("alpha", &S::alpha, nonnegative,
                  "α, pull towards w − h_i; 0.005 … 0.1 for nets, 2√(μ/(ηK)) for quadratics"),
            nested(&S::sampling)};
  }
};

class FedDc final : public MethodWith<FedDcOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    h_ = g_ = Vector::Zero(x.size());
    h_i_ = g_i_ = fed.per_client<Vector>(h_);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const Vector theta = fed.mean({S, S, 1}, [&](Client& i, VecOut theta_i) { local_work(i, x, theta_i); });
    const double share = static_cast<double>(S.size()) / static_cast<double>(fed.clients());  // s/n
    h_ += share * (theta - x);
    g_ += share * mean_step(x, theta) - share * g_;
    x = theta + h_;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = 2 * s};  // θ_i; w and ḡ
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("h", h_);
    visit.vector("g", g_);
    visit.per_client("h_i", h_i_);
    visit.per_client("g_i", g_i_);
  }

 private:
  void local_work(Client& i, const Vector& w, VecOut theta_i) {
    const Vector shift = g_i_[i] - g_;
    const Vector center = w - h_i_[i];
    theta_i = w;
    i.minimize({.shift = &shift, .center = &center, .lambda = o_.alpha}, theta_i,
               o_.local.solver(o_.local.local_steps, o_.alpha));
    h_i_[i] += theta_i - w;
    g_i_[i] = shift + mean_step(w, theta_i);
  }
  // (w − θ)/(K η), the mean gradient of the local steps
  Vector mean_step(VecIn w, VecIn theta) const {
    return (w - theta) / (static_cast<double>(o_.local.local_steps) * o_.local.step);
  }

  Vector h_, g_;
  PerClient<Vector> h_i_, g_i_;
};

}  // namespace driftless
