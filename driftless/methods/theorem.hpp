// A guarantee from the literature in a form that can be checked while a method runs.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/core/reference.hpp"
#include "driftless/methods/snapshot.hpp"

#include <functional>

namespace driftless {

// An assumption of a theorem, with the values that decide whether it holds.
struct Assumption {
  std::string statement;  // "λ ≥ δ_A"
  std::string seen;       // "λ = 5, δ_A = 4.47"
  bool holds = true;
  bool essential = false;  // without it nothing can be computed
};

// value ≥ bound, up to the rounding of numbers typed in decimals.
Assumption at_least(const std::string& name, double value, const std::string& bound_name, double bound);
Assumption at_most(const std::string& name, double value, const std::string& bound_name, double bound);
Assumption condition(std::string statement, std::string seen, bool holds);

struct TheoremFacts {
  Constants constants;
  std::optional<Reference> reference;
  OutputPoint output = OutputPoint::last;

  double mu() const { return std::max(constants.mu, 0.0); }
  double mu_f() const { return constants.mean_convex() ? std::max(constants.mu_f, 0.0) : constants.mu_f; }
  Assumption convex() const;         // every f_i is
  Assumption mean_convex() const;    // f is
  Assumption optimum_known() const;  // essential
};

// One comparison. `observed` may exceed the bound by `rounding` without a violation.
struct CheckedRow {
  std::uint64_t round = 0;
  double bound = 0.0;
  double observed = 0.0;
  double rounding = 0.0;
  double measured = 0.0;  // the part of the bound that consists of errors measured in the run

  bool holds() const { return observed <= bound + rounding; }  // false where one of them is not a number
  double ratio() const;                                        // of observed, less rounding, to bound

  // The row could have failed: the allowance for rounding is small beside the bound.
  bool above_rounding() const { return rounding <= largest_allowance * bound; }
  // Without the errors measured in the run the row would fail, or most of the bound consists of them: whatever the
  // method does enlarges its own bound.
  bool rests_on_measured() const { return measured > 0.0 && (observed > bound - measured || measured > bound / 2.0); }

  static constexpr double largest_allowance = 0.01;
};

// The result of a round: a row, or an assumption that no longer holds.
struct Check {
  std::optional<CheckedRow> row = {};
  std::optional<Assumption> lost = {};
};

// R_0², F_0, and the size of rounding errors.
class TheoremScale {
 public:
  explicit TheoremScale(const TheoremFacts& facts) : facts_(facts) {}

  void see(const Snapshot& now);  // at round 0 what the bounds start from; later the least f

  double radius() const { return radius_; }                     // R_0² = ‖x⁰ − x*‖²
  double first_gap() const { return first_value_ - lowest(); }  // F_0, at most f(x⁰) − f*
  double gap(double value) const { return value - facts_.reference->minimum; }
  double squared_distance(const Vector& x) const { return (x - facts_.reference->minimizer).squaredNorm(); }
  const Vector& optimum() const { return facts_.reference->minimizer; }
  const std::vector<Vector>& optimal_gradients() const { return optimal_gradients_; }  // ∇f_i(x*), hosted here

  double of_value(double value) const;                                                       // rounding of f
  double of_squared_distance(double squared, const Vector& x) const;                         // of ‖x − x*‖²
  double of_distance(const Vector& x) const;                                                 // of ‖x − x*‖
  double of_gradient(const Vector& x) const { return facts_.constants.L * of_distance(x); }  // of ‖∇f_i(x) − ∇f_i(x*)‖

 private:
  double lowest() const { return facts_.reference ? facts_.reference->minimum : least_value_; }

  const TheoremFacts& facts_;
  double radius_ = 0.0;
  double first_value_ = 0.0;
  double least_value_ = 0.0;
  double optimum_error_ = 0.0;  // how far the reference may be from x*
  std::vector<Vector> optimal_gradients_;
};

struct Theorem {
  std::string name;
  std::string statement;
  std::string source;
  std::string metric = {};      // the column of metrics.csv that it bounds; empty: another quantity
  std::string erratum = {};     // how the checked form differs from the printed one
  bool in_expectation = false;  // only a mean over seeds is a verdict
  std::vector<Assumption> assumptions = {};
  // Called with the start as round 0, then after every round.
  std::function<Check(const Snapshot&, const TheoremScale&)> after_round = {};
  // Called with the output point after the last round.
  std::function<Check(const Snapshot&, const TheoremScale&, const Vector& output)> at_end = {};
};

using Theorems = std::vector<Theorem>;

// ‖x − x*‖² and mean‖h_i − ∇f_i(x*)‖²
struct PotentialTerms {
  double distance = 0.0;
  double distance_rounding = 0.0;
  double correction = 0.0;
  double correction_rounding = 0.0;
};
PotentialTerms correction_terms(const Snapshot& s, const TheoremScale& scale);

}  // namespace driftless
