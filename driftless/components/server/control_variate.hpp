// The drift corrections h_i, one per client.
//
//   exact   h_i = ∇f_i(x) − ∇f(x), refreshed at a reference point by one exchange
//   drift   h_i ← h_i + m (x − x_i) whenever x is the mean of the x_i: no exchange; Σ h_i = 0 is preserved
//   none    h_i = 0
//
// All keep Σ h_i = 0; drift therefore needs averaging over everyone.
#pragma once

#include "driftless/components/compression/compressed_mean.hpp"
#include "driftless/components/server/averaging.hpp"
#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/federation/state_visitor.hpp"
#include "driftless/federation/traffic.hpp"

namespace driftless {

enum class ControlVariateRule { exact, drift, none };
template <>
struct EnumNames<ControlVariateRule> {
  static constexpr std::array<std::string_view, 3> value{"exact", "drift", "none"};
};

// The first h_i of the drift rule: zero, or exact differences at x⁰, which cost one exchange.
enum class DriftStart { zero, exact };
template <>
struct EnumNames<DriftStart> {
  static constexpr std::array<std::string_view, 2> value{"zero", "exact"};
};

struct ControlVariateOptions {
  ControlVariateRule control_variate = ControlVariateRule::exact;
  double m = 0.0;
  DriftStart h_start = DriftStart::zero;

  static Fields fields() {
    using S = ControlVariateOptions;
    return {
        field("control_variate", &S::control_variate, anything, "drift correction h_i"),
        field("m", &S::m, nonnegative,
              "weight of the drift rule h_i ← h_i + m (x − x_i); 0 = the method's usual value"),
        field("h_start", &S::h_start, anything, "first h_i of the drift rule"),
    };
  }
  void check(Averaging averaging) const {
    if (control_variate == ControlVariateRule::drift && averaging == Averaging::random)
      throw ConfigError(
          {.what = "control_variate 'drift' needs averaging 'mean': with one client's point Σ h_i = 0 would be lost",
           .seen = "control_variate = \"drift\", averaging = \"random\"",
           .advice = "set averaging = \"mean\" or control_variate = \"exact\""});
  }
};

class ControlVariate {
 public:
  ControlVariate(const ControlVariateOptions& options, double usual_m)
      : rule_(options.control_variate), h_start_(options.h_start), m_(options.m > 0.0 ? options.m : usual_m) {}

  void start(Federation& fed, const Vector& x) {
    h_i_ = fed.per_client<Vector>(rule_ == ControlVariateRule::none ? Vector() : Vector::Zero(fed.dim()));
    if (!starts_with_exchange()) return;
    CompressedMean plain;
    take_differences(fed, x, fed.everyone(), plain);
  }

  // exact: h_i = ∇f_i(x) − ∇f(x) for the working clients. One exchange; the other rules do nothing here.
  void refresh(Federation& fed, const Vector& x, const Cohort& working) {
    CompressedMean plain;
    refresh(fed, x, working, plain);
  }
  // The same with gradients sent in code: the decoded mean replaces ∇f(x).
  void refresh(Federation& fed, const Vector& x, const Cohort& working, CompressedMean& code) {
    if (rule_ != ControlVariateRule::exact) return;
    gradient_ = take_differences(fed, x, working, code);
  }
  // drift: h_i ← h_i + m (x − x_i), once x, the mean of the x_i, is known.
  void follow(Federation& fed, const Vector& x, const PerClient<Vector>& x_i) {
    if (rule_ != ControlVariateRule::drift) return;
    fed.for_each_client([&](Client& i) { h_i_[i] += m_ * (x - x_i[i]); });
  }

  const Vector* operator[](const Client& i) const { return rule_ == ControlVariateRule::none ? nullptr : &h_i_[i]; }

  // ∇f at the reference point, where the rule formed it. It is ∇F_i there for every client, since ∇F_i(x) = ∇f_i(x) −
  // h_i.
  const Vector* gradient() const { return gradient_.size() > 0 ? &gradient_ : nullptr; }

  bool exact() const { return rule_ == ControlVariateRule::exact; }
  Traffic start_traffic(std::size_t n) const {
    return starts_with_exchange() ? Traffic{.exchanges = 1, .up = n, .down = n} : Traffic{};
  }
  PerClient<Vector>& values() { return h_i_; }

  void visit_state(StateVisitor& visit) {
    visit.per_client("h_i", h_i_);
    if (exact()) visit.vector("gradient", gradient_);
  }

 private:
  bool starts_with_exchange() const { return rule_ == ControlVariateRule::drift && h_start_ == DriftStart::exact; }

  Vector take_differences(Federation& fed, const Vector& x, const Cohort& working, CompressedMean& code) {
    Vector g = code.mean(fed, {fed.everyone(), working}, [&](Client& i, VecOut row) {
      i.gradient(x, h_i_[i]);
      row = h_i_[i];
    });
    fed.for_each_client(working, [&](Client& i) { h_i_[i] -= g; });
    return g;
  }

  ControlVariateRule rule_;
  DriftStart h_start_;
  double m_;
  PerClient<Vector> h_i_;
  Vector gradient_;  // empty until the rule has formed it
};

}  // namespace driftless
