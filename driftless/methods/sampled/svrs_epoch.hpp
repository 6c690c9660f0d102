// The inner loop that SVRS and AccSVRS share: proximal steps of the delegate along variance-reduced gradients.
//
//   epoch from x_0:  everyone sends ∇f_i(x_0);  N ~ Geom(p), drawn at once
//   for k = 0, …, N − 1:
//     sample clients S;  g_k = (1/|S|) Σ_S (∇f_i(x_k) − ∇f_i(x_0)) + ∇f(x_0)
//     x_{k+1} ≈ argmin_y f_1(y) + ⟨g_k − ∇f_1(x_k), y⟩ + (1/(2θ))‖y − x_k‖²
//
// The papers write t_k = g_k − ∇f_1(x_k): (∇f_i − ∇f_1)(x_k) − (∇f_i − ∇f_1)(x_0) + (∇f − ∇f_1)(x_0). A round of a
// method is one step, so that a round has a bounded number of exchanges; the steps left are part of its state. Clients
// keep ∇f_i(x_0), and a sampled client receives x_k and sends one vector.
#pragma once

#include "driftless/components/server/delegate.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/federation/traffic.hpp"

namespace driftless {

struct SvrsStepOptions {
  double step = required;
  double p = required;
  SamplingOptions sampling = {.cohort = 1};
  LocalSolverOptions local = {};
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = SvrsStepOptions;
    return {field("step", &S::step, positive, "θ, length of a proximal step; √p/(4 δ_A) in theory"),
            field("p", &S::p, probability, "1/p is the mean number of steps between two full gradients; 1/n in theory"),
            nested(&S::sampling), nested(&S::local), nested(&S::at_server)};
  }
  void check() const { local.check(); }
};

class SvrsEpoch {
 public:
  explicit SvrsEpoch(const SvrsStepOptions& options) : o_(options), delegate_(options.at_server) {}

  void prepare(const Federation& fed) { delegate_.prepare(fed); }
  void start(Federation& fed, const Vector& x) {
    prepare(fed);
    g_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
    x_0_ = g_0_ = Vector::Zero(x.size());
    left_ = 0;
  }

  bool ended() const { return left_ == 0; }
  void begin(Federation& fed, const Vector& x_0) {
    x_0_ = x_0;
    g_0_ = fed.mean([&](Client& i, VecOut row) {
      i.gradient(x_0_, g_i_[i]);
      row = g_i_[i];
    });
    left_ = fed.geometric(o_.p);
  }
  // x_{k+1} from x_k
  void step(Federation& fed, Vector& x) {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const Vector change = fed.mean({S, S}, [&](Client& i, VecOut row) {
      i.gradient(x, row);
      row -= g_i_[i];
    });
    const LocalSolver solver = o_.local.at_round(fed.round(), 1.0 / o_.step);
    x = delegate_.prox_of_estimate(fed, x, change + g_0_, 1.0 / o_.step, solver);
    --left_;
  }

  const Vector& anchor() const { return x_0_; }
  const Vector& anchor_gradient() const { return g_0_; }  // ∇f(x_0)
  // ∇f_1(x_0) − ∇f_1(x), at the server
  Vector delegate_change(Federation& fed, const Vector& x) {
    return delegate_.at_server(fed, [&](Client& i, VecOut row) {
      i.gradient(x, row);
      row = g_i_[i] - row;
    });
  }

  Traffic step_traffic(std::size_t n) const {  // ∇f_i(x_k) − ∇f_i(x_0) of the cohort, which receives x_k
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s, .at_least = true};
  }
  void visit_state(StateVisitor& visit) {
    visit.vector("x_0", x_0_);
    visit.vector("g_0", g_0_);
    visit.per_client("g_i", g_i_);
    visit.count("steps_left", left_);
  }

 private:
  SvrsStepOptions o_;
  Delegate delegate_;
  Vector x_0_, g_0_;
  PerClient<Vector> g_i_;  // ∇f_i(x_0)
  std::uint64_t left_ = 0;
};

}  // namespace driftless
