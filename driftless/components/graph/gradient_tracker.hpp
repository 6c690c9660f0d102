// Gradient tracking: without a server, client i holds y_i instead of ∇f, and
//
//   y_i ← Mix(y_i + ∇f_i(new point) − ∇f_i(old point))
//
// keeps (1/n) Σ y_i = (1/n) Σ ∇f_i at the clients' own points. ∇f_i(old point) = g_i.
#pragma once

#include "driftless/components/graph/mixing.hpp"
#include "driftless/federation/state_visitor.hpp"

namespace driftless {

// The first y_i: the client's own gradient; that gradient, mixed once; or ∇f(x⁰), which takes one sum over all clients.
enum class TrackerStart { local, mixed, mean };
template <>
struct EnumNames<TrackerStart> {
  static constexpr std::array<std::string_view, 3> value{"local", "mixed", "mean"};
};

class GradientTracker {
 public:
  explicit GradientTracker(TrackerStart start) : start_(start) {}

  void prepare(const Federation& fed) { g_i_ = h_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim())); }

  // gradient(Client& i, VecOut g) writes the client's gradient at its own point.
  template <class Gradient>
  void start(Federation& fed, Mixing& mix, Gradient&& gradient) {
    fed.for_each_client([&](Client& i) { gradient(i, g_i_[i]); });
    y_i_ = g_i_;
    if (start_ == TrackerStart::mixed) mix(fed, y_i_);
    if (start_ == TrackerStart::mean) y_i_ = fed.per_client<Vector>(fed.mean(g_i_));
  }

  template <class Gradient>
  void follow(Federation& fed, Mixing& mix, Gradient&& gradient) {
    fed.for_each_client([&](Client& i) {
      y_i_[i] -= g_i_[i];
      gradient(i, g_i_[i]);
      y_i_[i] += g_i_[i];
    });
    mix(fed, y_i_);
  }

  // Adds a change of the client's gradient to g_i and y_i: the mean of the y_i follows that of the g_i.
  void add(const Client& i, const Vector& change) {
    y_i_[i] += change;
    g_i_[i] += change;
  }

  const Vector* estimate(const Client& i) const { return &y_i_[i]; }
  // h_i = g_i − y_i, with which the local problem has the gradient y_i at the client's point.
  const Vector* shift(const Client& i) {
    h_i_[i] = g_i_[i] - y_i_[i];
    return &h_i_[i];
  }

  const PerClient<Vector>& estimates() const { return y_i_; }
  void visit_state(StateVisitor& visit) {
    visit.per_client("y_i", y_i_);
    visit.per_client("g_i", g_i_);
  }

 private:
  TrackerStart start_;
  PerClient<Vector> y_i_, g_i_, h_i_;
};

}  // namespace driftless
