#include "driftless/methods/dane_line/rates.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// √(Δ_1/μ) ln(1/ε), and never less than the logarithm alone
RoundCount delegate_rounds(const RateInput& in) {
  const double ratio = std::max(1.0, in.constants.delta_1 / in.mu());
  return {.rounds = std::ceil(std::sqrt(ratio) * std::log(1.0 / in.target))};
}

RoundBound delegate_bound(std::string source, int position) {
  return {.formula = "√(Δ_1/μ) ln(1/ε)",
          .source = std::move(source),
          .count = delegate_rounds,
          .position = position,
          .order_only = true,
          .uses_similarity = true,
          .needs_strong_convexity = true};
}

}  // namespace

RateInfo spag_rate() {
  return {.rounds = {rates::strongly_convex("√(Δ_1/μ) log(1/ε) asymptotically")},
          .proved_for = Convexity::strongly_convex,
          .bound = delegate_bound("Hendrikx et al., ICML 2020", 10)};
}

RateInfo aegs_rate() {
  return {.rounds = {rates::strongly_convex("√(Δ_1/μ) log(1/ε)"), rates::convex("√(Δ_1 R_0²/ε)")},
          .bound = delegate_bound("Kovalev et al., NeurIPS 2022", 11)};
}

}  // namespace driftless
