#include "driftless/methods/rate.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

double RateInput::mu() const { return std::max(0.0, constants.mu); }
double RateInput::mu_f() const { return std::max(0.0, constants.mu_f); }

std::string RateInfo::text() const {
  std::string line;
  for (const auto& [functions, text] : rounds) {
    const bool named = functions != FunctionClass::unspecified && functions != FunctionClass::strongly_convex;
    line += (line.empty() ? "" : "; ") + (named ? std::string(enum_name(functions)) + " " : "") + text;
  }
  return line;
}

double contraction_rounds(double q, double first, double accuracy) {
  if (first <= accuracy) return 0.0;
  return q >= 1.0 ? 1.0 : std::ceil(std::log(first / accuracy) / -std::log1p(-q));
}

double geometric_bound(double mu, double lambda, double radius, double rounds) {
  if (mu <= 0.0) return lambda * radius / rounds;
  return lambda > 0.0 ? mu * radius / std::expm1(rounds * std::log1p(mu / lambda)) : 0.0;
}

double geometric_rounds(double mu, double lambda, double radius, double accuracy) {
  if (lambda <= 0.0) return 1.0;
  const double k = mu > 0.0 ? std::log1p(mu * radius / accuracy) / std::log1p(mu / lambda) : lambda * radius / accuracy;
  return std::max(1.0, std::ceil(k));
}

std::vector<ClassRate> rates::similarity_rounds() {
  return {strongly_convex("(δ_A/μ) log(1/ε)"), convex("δ_A R_0²/ε"), non_convex("δ_B F_0/ε")};
}

std::vector<ClassRate> rates::fedred_rounds() {
  return {strongly_convex("((δ_A + μ)/μ) log(1/ε)"), convex("δ_A R_0²/ε"), non_convex("δ_B F_0/ε")};
}

ClaimedRate rates::similarity_claim(int row, std::string rate) {
  using enum Quantity;
  return {.row = row,
          .rate = std::move(rate),
          .exponents = {{smoothness, 0.0}, {convexity, -1.0}, {dissimilarity, 1.0}, {clients, 0.0}, {accuracy, 1.0}}};
}

}  // namespace driftless
