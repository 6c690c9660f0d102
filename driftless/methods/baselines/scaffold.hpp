// Scaffold. Karimireddy, Kale, Mohri, Reddi, Stich, Suresh, "SCAFFOLD: stochastic controlled averaging for federated
// learning", ICML 2020.
//
//   c = c_i = 0
//   for r = 0, 1, …:
//     sample s clients S
//     i ∈ S:  y_i = x;  K times:  y_i ← y_i − γ (g_i(y_i) − c_i + c)
//             option 1:  c_i⁺ = ∇f_i(x)        option 2:  c_i⁺ = c_i − c + (x − y_i)/(K γ)
//     x ← x + η_g (1/s) Σ_S (y_i − x)
//     c ← c + (s/n) (1/s) Σ_S (c_i⁺ − c_i),   c_i ← c_i⁺
//
// γ = step, K = local_steps, η_g = server_step. Invariant: c = (1/n) Σ c_i.
// control_variate = exact is the variant in the experiments of the DANE+/FedRed paper: c_i = ∇f_i(x) and c = ∇f(x) are
// computed again in every round, which costs a second exchange; it needs all clients and equals FedLin.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

enum class ScaffoldControl { option1, option2, exact };
template <>
struct EnumNames<ScaffoldControl> {
  static constexpr std::array<std::string_view, 3> value{"option1", "option2", "exact"};
};

struct ScaffoldOptions {
  LocalStepOptions local = {};
  double server_step = 1.0;
  ScaffoldControl control_variate = ScaffoldControl::option2;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = ScaffoldOptions;
    return {nested(&S::local), field("server_step", &S::server_step, positive, "η_g, step of the server"),
            field("control_variate", &S::control_variate, anything, "how c_i is renewed"), nested(&S::sampling)};
  }
  void check() const {
    if (control_variate == ScaffoldControl::exact && sampling.cohort != 0)
      throw ConfigError(
          {.what = "control_variate 'exact' needs the gradients of all clients, so nobody can be left out",
           .seen = "cohort = " + std::to_string(sampling.cohort),
           .advice = "remove 'cohort', or use control_variate = \"option1\" or \"option2\""});
  }
};

class Scaffold final : public MethodWith<ScaffoldOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation& fed) override {
    y_i_ = dc_i_ = shift_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    c_ = Vector::Zero(x.size());
    c_i_ = fed.per_client<Vector>(c_);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    if (exact()) c_ = exact_control(fed, x);
    fed.for_each_client(S, [&](Client& i) { local_work(i, x); });
    if (exact()) {
      x += o_.server_step * (fed.mean({S, S}, y_i_) - x);
      return;
    }
    const auto [y, dc] = fed.mean({S, S}, y_i_, dc_i_);  // one exchange
    x += o_.server_step * (y - x);
    c_ += (static_cast<double>(S.size()) / static_cast<double>(fed.clients())) * dc;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = exact() ? 2U : 1U, .up = 2 * s, .down = 2 * s};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("c", c_);
    visit.per_client("c_i", c_i_);
  }

 private:
  bool exact() const { return o_.control_variate == ScaffoldControl::exact; }

  // c_i = ∇f_i(x), c = ∇f(x)
  Vector exact_control(Federation& fed, const Vector& x) {
    return fed.mean([&](Client& i, VecOut row) {
      i.gradient(x, c_i_[i]);
      row = c_i_[i];
    });
  }

  // y_i, and dc_i = c_i⁺ − c_i
  void local_work(Client& i, const Vector& x) {
    const double K = static_cast<double>(o_.local.local_steps);
    shift_i_[i] = c_i_[i] - c_;  // y ← y − γ (g_i(y) − (c_i − c))
    y_i_[i] = x;
    if (o_.control_variate == ScaffoldControl::option1) i.gradient(x, dc_i_[i]);  // ∇f_i(x)
    i.minimize({.shift = &shift_i_[i], .start_gradient = exact() ? &c_ : nullptr}, y_i_[i], o_.local.solver());
    switch (o_.control_variate) {
      case ScaffoldControl::option1: dc_i_[i] -= c_i_[i]; break;
      case ScaffoldControl::option2: dc_i_[i] = (x - y_i_[i]) / (K * o_.local.step) - c_; break;
      case ScaffoldControl::exact: return;
    }
    c_i_[i] += dc_i_[i];
  }

  Vector c_;
  PerClient<Vector> y_i_, c_i_, dc_i_, shift_i_;
};

}  // namespace driftless
