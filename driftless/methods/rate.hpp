// The rate of a method: what its theory promises, as text and as numbers. Each catalogue entry has one RateInfo, and
// everything that speaks of rates reads it: `driftless methods`, `describe` and `inspect`, the rate study, the docs.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/core/options.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

// The widest class of functions for which a method has a guarantee.
enum class Convexity { nothing, strongly_convex, convex, any };
template <>
struct EnumNames<Convexity> {
  static constexpr std::array<std::string_view, 4> value{"nothing", "strongly convex", "convex", "any"};
};

enum class FunctionClass { unspecified, strongly_convex, quadratic, convex, non_convex };
template <>
struct EnumNames<FunctionClass> {
  static constexpr std::array<std::string_view, 5> value{"unspecified", "strongly convex", "quadratics", "convex",
                                                         "non-convex"};
};

// The number of rounds to accuracy ε for one class of functions.
struct ClassRate {
  FunctionClass functions = FunctionClass::unspecified;
  std::string rounds;
};

// What a bound needs to know of a federation and its starting point.
struct RateInput {
  Constants constants;
  double target = 1e-6;     // fraction of the first gap
  double distance2 = 0.0;   // R_0² = ‖x⁰ − x*‖²
  double gap = 0.0;         // F_0 = f(x⁰) − f*
  double gradients2 = 0.0;  // (1/n) Σ ‖∇f_i(x*)‖²

  double accuracy() const { return target * gap; }  // ε
  double mu() const;                                // max(0, μ)
  double mu_f() const;                              // max(0, μ_f)
};

struct RoundCount {
  double rounds = 0.0;
  std::optional<double> local_steps = {};  // none: local problems are solved exactly
  double coins = 0.0;                      // rounds that also pay the coin's traffic
};

// A bound of f − f* after R rounds that can be solved for R.
struct RoundBound {
  std::string formula;
  std::string source;
  RoundCount (*count)(const RateInput&);  // with the parameters of the theory
  int position = 0;                       // in the table of predictions
  bool order_only = false;                // known up to a constant factor
  bool uses_similarity = false;           // δ enters
  bool needs_strong_convexity = false;
  // Why the bound gives no number for these constants, beside the conditions above; "" if it does. May be null.
  std::string (*obstacle)(const Constants&) = nullptr;
};

// What the rate study varies, and what it measures.
enum class Quantity { smoothness, convexity, dissimilarity, clients, accuracy };
template <>
struct EnumNames<Quantity> {
  static constexpr std::array<std::string_view, 5> value{"L", "mu", "delta", "n", "log(1/eps)"};
};

enum class Measured { rounds, local_steps };
template <>
struct EnumNames<Measured> {
  static constexpr std::array<std::string_view, 2> value{"rounds", "local steps per round"};
};

// A rate for strongly convex functions as Jiang, Rodomanov, Stich (ICML 2024) tabulate it: the measured number grows
// like each quantity to the power given.
struct ClaimedRate {
  int row = 0;  // of the table
  std::string rate;
  Measured measured = Measured::rounds;
  std::vector<std::pair<Quantity, double>> exponents;
  bool upper_bound = false;  // a smaller exponent agrees as well
};

struct RateInfo {
  std::vector<ClassRate> rounds;
  Convexity proved_for = Convexity::convex;
  std::optional<RoundBound> bound = {};
  std::vector<ClaimedRate> claims = {};

  std::string text() const;  // of `rounds`, in one line
};

// The first k with (1 − q)^k first ≤ ε.
double contraction_rounds(double q, double first, double accuracy);

// μ R²/((1 + μ/λ)^k − 1), and its limit λ R²/k for μ = 0.
double geometric_bound(double mu, double lambda, double radius, double rounds);
// The first k ≥ 1 at which that is at most ε.
double geometric_rounds(double mu, double lambda, double radius, double accuracy);

namespace rates {

inline ClassRate strongly_convex(std::string rounds) { return {FunctionClass::strongly_convex, std::move(rounds)}; }
inline ClassRate quadratic(std::string rounds) { return {FunctionClass::quadratic, std::move(rounds)}; }
inline ClassRate convex(std::string rounds) { return {FunctionClass::convex, std::move(rounds)}; }
inline ClassRate non_convex(std::string rounds) { return {FunctionClass::non_convex, std::move(rounds)}; }
inline ClassRate remark(std::string text) { return {FunctionClass::unspecified, std::move(text)}; }

// The rates and claims that the drift-corrected methods of Jiang, Rodomanov, Stich share.
std::vector<ClassRate> similarity_rounds();
std::vector<ClassRate> fedred_rounds();
ClaimedRate similarity_claim(int row, std::string rate = "(delta_A/mu) log(1/eps)");

}  // namespace rates
}  // namespace driftless
