#include "driftless/theory/predictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace driftless {
namespace {

// What a theorem says before it is turned into traffic.
struct Count {
  double rounds = 0.0;
  std::optional<double> local_steps = {};
  double coins = 0.0;  // rounds in which what a coin adds is paid
};

struct RateBound {
  std::string method;
  std::string bound;
  bool order;
  bool similarity;
  bool needs_strong_convexity;
  Count (*count)(const PredictionInput&);
};

double convexity(const PredictionInput& in) { return std::max(0.0, in.constants.mu); }
double mean_convexity(const PredictionInput& in) { return std::max(0.0, in.constants.mu_f); }

// The first k with (1 − q)^k first <= ε
double contraction_steps(double q, double first, double accuracy) {
  if (first <= accuracy) return 0.0;
  return q >= 1.0 ? 1.0 : std::ceil(std::log(first / accuracy) / -std::log1p(-q));
}

// The first k with a/((1 + μ/c)^k − 1) <= ε, where a = μ w; its limit for μ → 0 is c w/k.
double growth_steps(double mu, double c, double w, double accuracy) {
  if (c <= 0.0) return 1.0;
  const double k = mu > 0.0 ? std::log1p(mu * w / accuracy) / std::log1p(mu / c) : c * w / accuracy;
  return std::max(1.0, std::ceil(k));
}

Count gd(const PredictionInput& in) {
  const double L = in.constants.L_f;
  const double k = mean_convexity(in) > 0.0
                       ? contraction_steps(mean_convexity(in) / L, 0.5 * L * in.distance2, in.accuracy())
                       : std::ceil(0.5 * L * in.distance2 / in.accuracy());
  return {.rounds = k, .local_steps = k};
}

Count agd(const PredictionInput& in) {
  const double L = in.constants.L_f;
  const double mu = mean_convexity(in);
  const double k = mu > 0.0 ? contraction_steps(std::sqrt(mu / L), 0.5 * (L + mu) * in.distance2, in.accuracy())
                            : std::ceil(std::sqrt(2.0 * L * in.distance2 / in.accuracy()) - 1.0);
  return {.rounds = std::max(k, 0.0), .local_steps = std::max(k, 0.0)};
}

Count scaffnew(const PredictionInput& in) {
  const auto& [L, mu] = std::pair{in.constants.L, convexity(in)};
  const double first = in.distance2 + in.gradients2 / (L * mu);  // V_0/n with h_i = 0, (γ/p)² = 1/(L μ)
  const double k = contraction_steps(mu / L, 0.5 * in.constants.L_f * first, in.accuracy());
  return {.rounds = std::ceil(std::sqrt(mu / L) * k), .local_steps = k};
}

Count feddyn(const PredictionInput& in) {
  const auto& [L, mu] = std::pair{in.constants.L, convexity(in)};
  const double w = (mu + L) / (mu * L * (mu + L) + 2.0 * mu * L * std::sqrt(mu * L));
  const double q = 2.0 * std::sqrt(mu) / (std::sqrt(L) + mu / std::sqrt(L) + 2.0 * std::sqrt(mu));  // 1 − ρ
  const double first = in.distance2 + w * in.gradients2;                                            // Φ⁰ with h_i = 0
  return {.rounds = contraction_steps(q, 0.5 * in.constants.L_f * first, in.accuracy())};
}

Count dane(const PredictionInput& in) {
  return {.rounds = growth_steps(convexity(in), in.constants.delta_A, 0.5 * in.distance2, in.accuracy())};
}

Count sonata(const PredictionInput& in) {
  return {.rounds = growth_steps(convexity(in), in.constants.delta_B, 0.5 * in.distance2, in.accuracy())};
}

Count dane_plus_gd(const PredictionInput& in) {
  const double rounds = growth_steps(convexity(in), 2.0 * in.constants.delta_A, in.distance2, in.accuracy());
  const double ratio = std::max(1.0, in.constants.L / (in.constants.delta_A + convexity(in)));
  // Σ_{r < R} ratio · ln(ratio (r + 1)), at least a step a round
  const double steps = std::max(1.0, ratio * (std::log(ratio) + std::lgamma(rounds + 1.0) / rounds)) * rounds;
  return {.rounds = rounds, .local_steps = std::ceil(steps)};
}

Count fedred_gd(const PredictionInput& in) {
  const double mu = convexity(in);
  const double eta = in.constants.L;
  const double p = std::min(1.0, (in.constants.delta_A + 0.5 * mu) / (eta - 0.5 * mu));
  const double k = growth_steps(mu, 2.0 * (eta - mu), 0.5 * in.distance2, in.accuracy());
  return {.rounds = std::max(1.0, std::ceil(p * k)), .local_steps = k};
}

Count svrp(const PredictionInput& in) {
  const double mu = convexity(in);
  const double p = 1.0 / static_cast<double>(in.constants.clients);
  const double eta_mu = mu * mu / (2.0 * in.constants.delta_A * in.constants.delta_A);
  const double tau = std::min(eta_mu / (1.0 + eta_mu), 0.5 * p);
  const double first = (1.0 + eta_mu / p) * in.distance2;  // V_0
  const double k = contraction_steps(tau, 0.5 * in.constants.L_f * first, in.accuracy());
  return {.rounds = k, .local_steps = {}, .coins = p * k};
}

// √(Δ_1/μ) ln(1/ε), and never less than the logarithm alone
Count accelerated_delegate(const PredictionInput& in) {
  const double ratio = std::max(1.0, in.constants.delta_1 / convexity(in));
  return {.rounds = std::ceil(std::sqrt(ratio) * std::log(1.0 / in.target))};
}

const std::vector<RateBound>& theorems() {
  static const std::vector<RateBound> all{
      {"gd", "(L_f/2)(1 − μ_f/L_f)^R R_0²", false, false, false, gd},
      {"agd", "((L_f + μ_f)/2)(1 − √(μ_f/L_f))^R R_0²", false, false, false, agd},
      {"scaffnew", "(L_f/2)(1 − μ/L)^K V_0, R = √(μ/L) K on average", false, false, true, scaffnew},
      {"feddyn", "(L_f/2) ρ^R Φ_0, 1 − ρ of the order √(μ/L)", false, false, true, feddyn},
      {"dane", "μ R_0²/(2((1 + μ/δ_A)^R − 1))", false, true, false, dane},
      {"dane+-gd", "μ R_0²/((1 + μ/(2 δ_A))^R − 1)", false, true, false, dane_plus_gd},
      {"fedred-gd", "μ R_0²/(2((1 + μ/(2 L − 2 μ))^K − 1)), R = p K on average", false, true, false, fedred_gd},
      {"sonata", "μ R_0²/(2((1 + μ/δ_B)^R − 1)), as dane with λ = δ_B", false, true, false, sonata},
      {"svrp", "(L_f/2)(1 − τ)^R V_0, τ = min(ημ/(1 + ημ), 1/(2n)), one client a round", false, true, true, svrp},
      {"spag", "√(Δ_1/μ) ln(1/ε)", true, true, true, accelerated_delegate},
      {"aegs", "√(Δ_1/μ) ln(1/ε)", true, true, true, accelerated_delegate}};
  return all;
}

std::string obstacle_of(const RateBound& theorem, const Constants& c) {
  constexpr double rounding = 1e-12;
  if (c.mu < -rounding * c.L) return "a client is not convex";
  if (theorem.needs_strong_convexity && c.mu <= 0.0) return "needs μ > 0";
  if (theorem.count == &svrp && c.delta_A <= 0.0) return "its step is infinite for δ_A = 0";
  return "";
}

Prediction predict_by(const RateBound& theorem, const PredictionInput& in) {
  Prediction line{.method = theorem.method,
                  .theorem = theorem.bound,
                  .order = theorem.order,
                  .similarity = theorem.similarity,
                  .obstacle = obstacle_of(theorem, in.constants),
                  .local_steps = {}};
  if (!line.obstacle.empty()) return line;
  const Count count = theorem.count(in);
  const MethodEntry& entry = find_method(theorem.method);
  const std::unique_ptr<Method> method = entry.make(entry.demo);  // what a round sends does not depend on the numbers
  const std::size_t n = in.constants.clients;
  const auto cost = [&](const Traffic& traffic, double times) {
    line.exchanges += times * static_cast<double>(traffic.exchanges);
    line.bytes += times * static_cast<double>(traffic.up + traffic.down) * sizeof(double) * static_cast<double>(in.dim);
  };
  cost(method->start_traffic(n), 1.0);
  cost(method->round_traffic(n), count.rounds);
  cost(method->coin_traffic(n), count.coins);
  line.exchanges = std::ceil(line.exchanges);
  line.rounds = count.rounds;
  line.local_steps = count.local_steps;
  return line;
}

std::string shown(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

std::string shown_count(double count) {
  constexpr double readable = 1e7;
  return count < readable ? std::to_string(std::llround(count)) : shown(count);
}

struct Currency {
  const char* name;
  double (*price)(const Prediction&);
};

constexpr double unknown = std::numeric_limits<double>::infinity();

constexpr std::array<Currency, 3> currencies{
    {{"rounds", [](const Prediction& p) { return p.rounds; }},
     {"exchanges", [](const Prediction& p) { return p.exchanges; }},
     {"gradients", [](const Prediction& p) { return p.local_steps.value_or(unknown); }}}};

std::string recommend(const std::vector<Prediction>& lines, const Constants& c) {
  const double ratio = c.delta_A > 0.0 ? c.L / c.delta_A : unknown;
  const bool pays = ratio >= similarity_threshold;
  std::string text = "L/delta_A = " + shown(ratio) + (pays ? " is large enough for" : " is too small for") +
                     " similarity to pay (about " + shown(similarity_threshold) + " is needed)";
  std::string choices;
  for (const Currency& currency : currencies) {
    const Prediction* best = nullptr;
    for (const Prediction& line : lines) {
      const bool candidate = line.obstacle.empty() && !line.order && (pays || !line.similarity);
      if (!candidate || !std::isfinite(currency.price(line))) continue;
      if (best == nullptr || currency.price(line) < currency.price(*best)) best = &line;
    }
    if (best == nullptr) continue;
    choices += (choices.empty() ? "" : ", ") + std::string("for fewest ") + currency.name + " " + best->method + " (" +
               shown_count(currency.price(*best)) + ")";
  }
  return text +
         (choices.empty() ? "; no theorem of the list applies, because " + lines.front().obstacle
                          : "; by what is proved, take " + choices) +
         ".";
}

}  // namespace

Predictions predict(const PredictionInput& input) {
  Predictions predictions;
  for (const RateBound& theorem : theorems()) predictions.lines.push_back(predict_by(theorem, input));
  predictions.recommendation = recommend(predictions.lines, input.constants);
  return predictions;
}

}  // namespace driftless
