// FedPVR. Li, Schmidt, Alstrøm, Stich, "On the effectiveness of partial variance reduction in federated learning with
// heterogeneous data", CVPR 2023.
//
//   c = c_i = 0, for the corrected part of the vector only: its last φ d entries
//   for r = 0, 1, …:
//     sample s clients S
//     i ∈ S:  y_i = x;  K times:  y_i ← y_i − γ (g_i(y_i) − (0, c_i − c))
//             c_i⁺ = c_i − c + (corrected part of x − y_i)/(K γ)
//     x ← x + η_g (1/s) Σ_S (y_i − x)
//     c ← c + (s/n) (1/s) Σ_S (c_i⁺ − c_i),   c_i ← c_i⁺
//
// γ = step, K = local_steps, η_g = server_step, φ = corrected. In a net the last entries are the last layers, in which
// clients with unlike labels differ most. φ = 1 is Scaffold with option 2, φ = 0 FedAvg. Departures: the part is a
// share of the entries, at least one where φ > 0, and not a list of layers; no momentum on the uncorrected part.
//
// Traffic, as the article counts it: y_i and c_i⁺ − c_i up, x and c down. The ledger counts the partial vectors as one
// vector each and with their true bytes, so that bytes are 1 + φ times those of FedAvg both ways. Invariant:
// c = (1/n) Σ c_i.
//
// The limit is x* where clients differ in the corrected entries alone and these are not coupled with the rest;
// otherwise the uncorrected entries drift as in FedAvg. Rate: non-convex, as Scaffold plus a term of the clients'
// dissimilarity in the uncorrected part, stated without access to the article.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

#include <cmath>

namespace driftless {

struct FedPvrOptions {
  LocalStepOptions local = {};
  double corrected = required;
  double server_step = 1.0;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedPvrOptions;
    return {nested(&S::local),
            field("corrected", &S::corrected, Range{.low = 0.0, .high = 1.0},
                  "φ, share of the entries, from the end, that have control variates"),
            field("server_step", &S::server_step, positive, "η_g, step of the server"), nested(&S::sampling)};
  }
};

class FedPvr final : public MethodWith<FedPvrOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation& fed) override {
    part_ = corrects() ? std::max<Index>(1, std::lround(o_.corrected * static_cast<double>(fed.dim()))) : 0;
    y_i_ = dc_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
  }

  void start(Federation& fed, Vector&) override {
    prepare(fed);
    c_ = Vector::Zero(part_);
    c_i_ = fed.per_client<Vector>(c_);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    fed.for_each_client(S, [&](Client& i) { local_work(i, x); });
    if (!corrects()) {
      x += o_.server_step * (fed.mean({S, S}, y_i_) - x);
      return;
    }
    const std::uint64_t bytes = sizeof(double) * S.size() * static_cast<std::uint64_t>(x.size() + part_);
    const auto [y, dc] = fed.mean({.from = S, .to = S, .bytes_up = bytes, .bytes_down = bytes}, y_i_, dc_i_);
    x += o_.server_step * (y - x);
    c_ += (static_cast<double>(S.size()) / static_cast<double>(fed.clients())) * dc.tail(part_);
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    const std::uint64_t each = corrects() ? 2 : 1;
    return {.exchanges = 1, .up = each * s, .down = each * s};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("c", c_);
    visit.per_client("c_i", c_i_);
  }

 private:
  bool corrects() const { return o_.corrected > 0.0; }

  // y_i, and dc_i = c_i⁺ − c_i, zero in the uncorrected part
  void local_work(Client& i, const Vector& x) {
    const double K = static_cast<double>(o_.local.local_steps);
    Vector shift = Vector::Zero(x.size());
    shift.tail(part_) = c_i_[i] - c_;
    y_i_[i] = x;
    i.minimize({.shift = &shift}, y_i_[i], o_.local.solver());
    dc_i_[i].tail(part_) = (x - y_i_[i]).tail(part_) / (K * o_.local.step) - c_;
    c_i_[i] += dc_i_[i].tail(part_);
  }

  Index part_ = 0;  // entries that are corrected
  Vector c_;
  PerClient<Vector> y_i_, c_i_, dc_i_;
};

}  // namespace driftless
