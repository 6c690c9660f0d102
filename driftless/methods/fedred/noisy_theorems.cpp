// FedRed-SGD: gradient steps along g_i with E g_i = ∇f_i and E‖g_i − ∇f_i‖² ≤ σ² in the mean over clients.
//
// Convex. An iteration gives E[f(x̄_{k+1}) − f* + ρ V_{k+1}] ≤ V_k + N with N = σ²/(2(η − L)). With mu > 0, ρ and V are
// those of theorems.cpp. With mu = 0, ρ = 1 and V = (λ/(2p))‖x̃ − x*‖² + (η/2) mean‖x_i − x*‖², for every p. So with
// S_K = Σ_{j≤K} ρ^{j−1} the expectation of Σ_r ρ^{K_r−1}(f(x̃_r) − f*) + ρ^K V_K − N S_K never grows. K is a sum of r
// geometric numbers, so that E ρ^K and E S_K are known. Both sides over E ρ^K:
//   E[(ρ^K/E ρ^K)(Σ_r ρ^{K_r−1−K}(f(x̃_r) − f*) + V_K)] ≤ (V_0 + N E S_K)/E ρ^K.
// For the average x̂ of all iterates with weights ρ^k likewise E[(S_K/E S_K)(f(x̂) − f*)] ≤ V_0/E S_K + N. Where ρ is
// well above 1, few runs with a large K make up the expectation of ρ^K: then mu = 0 shows more.
//
// Any f, with L = λ/p: E‖∇f(x̂)‖² ≤ (8η²/(η − 3L)) F_0/K + (8L/(η − 3L)) σ² for a fixed K; at the K of a round in the
// form E[(K/E K)‖∇f(x̂)‖²] ≤ (8η²/(η − 3L)) F_0/E K + (8L/(η − 3L)) σ². The printed η makes the right side least for one
// K.
#include "driftless/methods/fedred/theorems.hpp"

#include <cmath>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

// σ² as given or measured, and whether it bounds the noise at the points of a run.
class Noise {
 public:
  Noise(const FedRedOptions& o, const TheoremFacts& facts)
      : batch_(static_cast<double>(o.batch)),
        given_(o.sigma > 0.0),
        variance_(given_ ? o.sigma * o.sigma : facts.constants.noise.of_batches(batch_)) {}

  double variance() const { return variance_; }
  std::vector<Assumption> assumptions(const FedRedOptions& o) const {
    const bool known = !std::isnan(variance_);
    Assumption bounded = condition("E‖g_i − ∇f_i‖² ≤ σ² in the mean over clients", text(), known);
    bounded.essential = true;
    return {std::move(bounded),
            condition("batches are independent of each other", "draw = " + toml_string(enum_name(o.draw)),
                      o.draw == BatchDraw::independent)};
  }
  // The assumption where the noise at the clients' points is larger.
  std::optional<Assumption> exceeded(State s) const {
    const double here = s.mean([&](const ClientObjective& f, std::size_t i) {
      const std::optional<double> variance = f.sample_variance(s.per_client("x_i")[i]);
      return SampleNoise::of_batches(variance.value_or(0.0), static_cast<double>(f.samples()), batch_);
    });
    if (here <= variance_ * (1.0 + 1e-9)) return {};
    return condition("E‖g_i − ∇f_i‖² ≤ σ² at the clients' points",
                     "σ² = " + number(variance_) + ", the mean at the points is " + number(here), false);
  }

 private:
  std::string text() const {
    if (std::isnan(variance_)) return "σ was neither given nor measured";
    return "σ = " + number(std::sqrt(variance_)) +
           (given_ ? ", as given" : ", the larger of those measured at the start and, where it is known, the optimum");
  }

  double batch_;
  bool given_;
  double variance_;
};

// The numbers of the convex theorems.
struct Recurrence {
  double mu, p, rho;
  double server, clients;  // the weights of V
  double floor;            // N

  Recurrence(const FedRedOptions& o, const TheoremFacts& facts, const Noise& noise)
      : mu(o.mu > 0.0 ? std::max(mu_of_p(o, -1.0), 0.0) : 0.0),
        p(o.p),
        rho((o.eta - mu / 2.0) / (o.eta - mu)),
        server(mu > 0.0 ? (o.eta - mu) / 2.0 : o.lambda / (2.0 * o.p)),
        clients((o.eta - mu) / 2.0),
        floor(noise.variance() > 0.0 ? noise.variance() / (2.0 * (o.eta - facts.constants.L)) : 0.0) {}

  double start(Scale scale) const { return (server + clients) * scale.radius(); }  // V_0
  double log_growth(double rounds) const {                                         // log E ρ^K
    return rounds * std::log1p((rho - 1.0) / (1.0 - (1.0 - p) * rho));
  }
  double mean_weight(double rounds) const {  // E S_K
    return rho > 1.0 ? std::expm1(log_growth(rounds)) / (rho - 1.0) : rounds / p;
  }
  double weight(double iterations) const {  // S_K
    return rho > 1.0 ? std::expm1(iterations * std::log(rho)) / (rho - 1.0) : iterations;
  }
};

std::vector<Assumption> noisy_assumptions(const FedRedOptions& o, const TheoremFacts& facts, const Noise& noise,
                                          double mu) {
  std::vector<Assumption> all = convex_assumptions(o, facts, mu, false);
  for (Assumption& one : noise.assumptions(o)) all.push_back(std::move(one));
  Assumption above =
      condition("η > L where there is noise", "η = " + number(o.eta) + ", L = " + number(facts.constants.L),
                noise.variance() == 0.0 || o.eta > facts.constants.L);
  above.essential = true;
  Assumption pulled =
      condition("λ > 0 or mu = 0", "λ = " + number(o.lambda) + ", mu = " + number(o.mu), o.lambda > 0.0 || mu == 0.0);
  pulled.essential = true;
  all.push_back(std::move(above));
  all.push_back(std::move(pulled));
  return all;
}

Theorem convex_with_noise(const FedRedOptions& o, const TheoremFacts& facts) {
  const Noise noise(o, facts);
  const Recurrence at(o, facts, noise);
  return {
      .name = "FedRed-SGD, convex",
      .statement = "E[(ρ^K/E ρ^K)(Σ_r ρ^{K_r−1−K}(f(x̃_r) − f*) + V_K)] ≤ (V_0 + N E S_K)/E ρ^K, N = σ²/(2(η − L)) = " +
                   number(at.floor) + ", V = " + number(at.server) + "‖x̃ − x*‖² + " + number(at.clients) +
                   " mean‖x_i − x*‖², ρ = " + number(at.rho) + ", S_K = Σ_{j≤K} ρ^{j−1}, K local iterations",
      .source = fedred_paper,
      .erratum = "E-14: η = L is enough without noise; E-15: p ≤ 1 needs η ≥ λ + μ",
      .in_expectation = true,
      .assumptions = noisy_assumptions(o, facts, noise, at.mu),
      .after_round = [noise, at, gaps = WeightedGaps(at.rho, at.server, at.clients, o.restart)](
                         State s, Scale scale) mutable -> Check {
        if (s.round() == 0) return {};
        if (auto lost = noise.exceeded(s)) return {.lost = lost};
        CheckedRow row = gaps.row(s, scale);
        const double rounds = double(s.round());
        const double own = std::exp(s.iterations() * std::log(at.rho) - at.log_growth(rounds));  // ρ^K/E ρ^K
        const double shrink = std::exp(-at.log_growth(rounds));
        row.observed *= own;
        row.rounding *= own;
        row.bound =
            shrink * at.start(scale) + at.floor * (at.rho > 1.0 ? (1.0 - shrink) / (at.rho - 1.0) : rounds / at.p);
        return {.row = row};
      }};
}

// With η = L + σ²/ε: f(x̂) − f* ≤ ε in the mean after as many iterations as make V_0/E S_K ≤ ε/2.
Theorem accuracy(const FedRedOptions& o, const TheoremFacts& facts) {
  const Noise noise(o, facts);
  const Recurrence at(o, facts, noise);
  std::vector<Assumption> assumptions = noisy_assumptions(o, facts, noise, at.mu);
  const double needed = facts.constants.L + noise.variance() / o.epsilon;
  assumptions.push_back(at_least("η", o.eta, "L + σ²/ε", needed));
  assumptions.push_back(condition("the output is the weighted average",
                                  "output = " + toml_string(enum_name(facts.output)),
                                  facts.output == OutputPoint::weighted));
  assumptions.push_back(condition("mu is 0, or the μ for which p = (λ + μ/2)/(η − μ/2)",
                                  "mu = " + number(o.mu) + ", needed " + number(at.mu),
                                  std::abs(o.mu - at.mu) <= 1e-6 * std::max(at.mu, facts.constants.rounding * o.eta)));
  return {.name = "FedRed-SGD, convex, accuracy ε",
          .statement = "E[(S_K/E S_K)(f(x̂) − f*)] ≤ ε = " + number(o.epsilon) +
                       " once E S_K ≥ 2 V_0/ε, x̂ the average of all iterates with weights ρ^k, ρ = " + number(at.rho),
          .source = fedred_paper,
          .erratum = "E-14: η = L is enough without noise",
          .in_expectation = true,
          .assumptions = std::move(assumptions),
          .after_round = [noise](State s, Scale) -> Check {
            return {.lost = s.round() == 0 ? std::nullopt : noise.exceeded(s)};
          },
          .at_end = [at, epsilon = o.epsilon](State s, Scale scale, const Vector& output) -> Check {
            if (s.round() == 0) return {};
            const double mean_weight = at.mean_weight(double(s.round()));
            const double enough = 2.0 * at.start(scale) / epsilon;
            if (mean_weight < enough) return {.lost = at_least("E S_K", mean_weight, "2 V_0/ε", enough)};
            const double own = at.weight(s.iterations()) / mean_weight;
            const double value = s.measure(output).value;
            return {.row = CheckedRow{
                        .bound = epsilon, .observed = own * scale.gap(value), .rounding = own * scale.of_value(value)}};
          }};
}

Theorem any_f_with_noise(const FedRedOptions& o, const TheoremFacts& facts) {
  const Noise noise(o, facts);
  const double L = o.lambda / o.p;
  const double first = 8.0 * o.eta * o.eta / (o.eta - 3.0 * L);
  const double floor = 8.0 * L * noise.variance() / (o.eta - 3.0 * L);
  std::vector<Assumption> assumptions = noise.assumptions(o);
  Assumption above = condition("η > 3 λ/p", "η = " + number(o.eta) + ", λ/p = " + number(L), o.eta > 3.0 * L);
  above.essential = true;
  for (Assumption one :
       {at_least("λ", o.lambda, "δ_B", facts.constants.delta_B), at_least("λ/p", L, "L", facts.constants.L), above,
        facts.optimum_known(),
        condition("clients restart at x̃", o.restart ? "restart = true" : "restart = false", o.restart),
        condition("the output is one of the iterates, drawn uniformly",
                  "output = " + toml_string(enum_name(facts.output)), facts.output == OutputPoint::uniform)})
    assumptions.push_back(std::move(one));
  return {.name = "FedRed-SGD, any f",
          .statement = "E[(K/E K)‖∇f(x̂)‖²] ≤ (8η²/(η − 3L)) F_0/E K + 8Lσ²/(η − 3L), L = λ/p = " + number(L) +
                       ", x̂ drawn from the iterates 0 … K − 1",
          .source = fedred_paper,
          .erratum = "E-1: the proof needs the restart; E-16: λ/η = δ_B/(6L) where η = 6L",
          .in_expectation = true,
          .assumptions = std::move(assumptions),
          .after_round = [noise](State s, Scale) -> Check {
            return {.lost = s.round() == 0 ? std::nullopt : noise.exceeded(s)};
          },
          .at_end = [first, floor, p = o.p](State s, Scale scale, const Vector& output) -> Check {
            if (s.round() == 0) return {};
            const double mean_iterations = double(s.round()) / p;
            const double own = s.iterations() / mean_iterations;
            return {.row = CheckedRow{.bound = first * scale.first_gap() / mean_iterations + floor,
                                      .observed = own * s.measure(output).gradient.squaredNorm(),
                                      .rounding = first * scale.of_value(s.value()) / mean_iterations}};
          }};
}

}  // namespace

Theorems noisy_theorems(const FedRedOptions& o, const TheoremFacts& facts) {
  if (o.averaging == Averaging::random) return {any_f_with_noise(o, facts)};
  Theorems theorems{convex_with_noise(o, facts)};
  if (o.epsilon > 0.0) theorems.push_back(accuracy(o, facts));
  return theorems;
}

}  // namespace driftless
