// A client as a method sees it inside a body: its number and its oracle, but not its data. Every call is counted here,
// so a method cannot forget to count local work.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/federation/client_objective.hpp"

#include <array>
#include <cstdint>

namespace driftless {

using ClientId = std::size_t;

// Local work of one client since the start.
struct Tally {
  std::uint64_t steps = 0;
  std::uint64_t gradients = 0;
  std::array<std::uint64_t, EnumNames<SolveEnd>::value.size()> ends{};  // how often each reason ended a local solve
};

class Client {
 public:
  Client(ClientId id, std::size_t slot, const ClientObjective& objective, SolveContext context, Stream& chance,
         Tally& tally, WorkGuard& guard, const Pull* pull = nullptr)
      : id_(id),
        slot_(slot),
        objective_(objective),
        context_(context),
        chance_(chance),
        tally_(tally),
        guard_(guard),
        pull_(pull) {}

  ClientId id() const { return id_; }
  std::size_t slot() const { return slot_; }  // index among the clients hosted here
  std::size_t samples() const { return objective_.samples(); }
  std::optional<CurvatureFloor> curvature_floor() const {
    std::optional<CurvatureFloor> floor = objective_.curvature_floor();
    if (floor) floor->least += kappa();
    return floor;
  }
  std::optional<double> sample_smoothness() const {
    std::optional<double> smoothness = objective_.sample_smoothness();
    if (smoothness) *smoothness += kappa();
    return smoothness;
  }

  std::optional<double> sample_variance(VecIn x) const { return objective_.sample_variance(x); }  // not counted

  // Random numbers of this client alone, for its own coins and for the rounding of codes. Keyed by the round like
  // shared chance.
  Stream& chance() { return chance_; }

  void gradient(VecIn x, VecOut g) {
    count_pass();
    objective_.gradient(x, g);
    add_pull(x, g);
  }
  double value(VecIn x) {
    count_pass();
    return objective_.value(x) + pull_value(x);
  }
  double value_gradient(VecIn x, VecOut g) {  // both in one pass
    count_pass();
    const double value = objective_.value_gradient(x, g);
    add_pull(x, g);
    return value + pull_value(x);
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) {
    count_pass();
    objective_.hessian_vector(x, v, hv);
    if (pull_ != nullptr) hv += kappa() * v;
  }
  void hessian_diagonal(VecIn x, VecOut diagonal) {
    count_pass();
    objective_.hessian_diagonal(x, diagonal);
    diagonal.array() += kappa();
  }
  bool twice_differentiable() const { return objective_.twice_differentiable(); }
  bool curvature_jumps() const { return objective_.curvature_jumps(); }
  // The triangle of ∇²f_i(x), see triangle_size(); counted as the passes that it is worth.
  void hessian(VecIn x, VecOut triangle) {
    guard_.check(tally_.gradients);
    tally_.gradients += objective_.hessian(x, triangle);
    if (pull_ == nullptr) return;
    for (Index k = 0; k < x.size(); ++k) triangle[triangle_size(k + 1) - 1] += kappa();
  }
  SolveReport minimize(const Subproblem& s, VecOut y, const LocalSolver& solver) {
    const PassWatch watch{.guard = guard_, .before = tally_.gradients};
    watch.at_pass(0);
    Subproblem watched = s;
    watched.watch = &watch;
    const SolveReport report =
        pull_ == nullptr ? objective_.minimize(watched, y, solver, context_) : minimize_with_pull(watched, y, solver);
    tally_.steps += report.steps;
    tally_.gradients += report.gradients;
    ++tally_.ends[static_cast<std::size_t>(report.end)];
    return report;
  }
  // For methods in which the server takes the one local step for all clients, such as gradient descent.
  void count_step() { ++tally_.steps; }

 private:
  double kappa() const { return pull_ == nullptr ? 0.0 : pull_->lambda; }
  double pull_value(VecIn x) const {
    return pull_ == nullptr ? 0.0 : 0.5 * pull_->lambda * (x - pull_->center).squaredNorm();
  }
  void add_pull(VecIn x, VecOut g) const {
    if (pull_ != nullptr) g += pull_->lambda * (x - pull_->center);
  }
  SolveReport minimize_with_pull(Subproblem s, VecOut y, LocalSolver solver);

  void count_pass() {
    guard_.check(tally_.gradients);
    ++tally_.gradients;
  }

  ClientId id_;
  std::size_t slot_;
  const ClientObjective& objective_;
  SolveContext context_;
  Stream& chance_;
  Tally& tally_;
  WorkGuard& guard_;
  const Pull* pull_;  // added to f_i, where a method wraps another one; null: none
};

}  // namespace driftless
