// Theorems of FedRed with exact steps, with gradient steps and with steps along noisy gradients.
#pragma once

#include "driftless/methods/fedred/fedred.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

inline const std::string fedred_paper = "Jiang, Rodomanov, Stich, ICML 2024";

Theorems fedred_theorems(const FedRedOptions& options, const TheoremFacts& facts);
Theorems noisy_theorems(const FedRedOptions& options, const TheoremFacts& facts);  // those of solver = "sgd"

// The μ for which p = (λ + μ/2)/(η ± μ/2): + for exact steps, − for gradient steps. The theorem holds for every μ up to
// that of the problem.
double mu_of_p(const FedRedOptions& o, double sign);

// Of the theorems for convex f_i.
std::vector<Assumption> convex_assumptions(const FedRedOptions& o, const TheoremFacts& facts, double mu, bool exact);

// observed = Σ_r ρ^{K_r − 1 − K}(f(x̃_r) − f*) + V_K and bound = ρ^{−K} V_0 as theorems.cpp explains, with
// V = server·‖x̃ − x*‖² + clients·mean‖x_i − x*‖².
class WeightedGaps {
 public:
  WeightedGaps(double rho, double server, double clients, bool restart)
      : rho_(rho), server_(server), clients_(clients), restart_(restart) {}

  CheckedRow row(const Snapshot& s, const TheoremScale& scale);

 private:
  double rho_, server_, clients_;
  bool restart_;
  double last_ = 0.0;
  double sum_ = 0.0;
  double sum_rounding_ = 0.0;
};

}  // namespace driftless
