// Rates of the DANE family, and the contractions that their theorems and bounds share.
#pragma once

#include "driftless/methods/rate.hpp"

namespace driftless {

RateInfo dane_rate();
RateInfo dane_plus_gd_rate();
RateInfo sonata_rate();
RateInfo svrp_rate();

// DANE+ with drift corrections and λ = m = √(μL): Φ^{r+1} ≤ (1 − q) Φ^r, Φ = ‖x − x*‖² + w·mean‖h_i − ∇f_i(x*)‖².
struct DriftContraction {
  double q = 0.0;
  double weight = 0.0;  // w
};
DriftContraction drift_contraction(double mu, double L);

// SVRP with step η and probability p: E V_{k+1} ≤ (1 − τ) V_k, V = ‖x − x*‖² + (ημ/p)‖w − x*‖².
struct SvrpContraction {
  double tau = 0.0;
  double weight = 0.0;  // ημ/p
};
SvrpContraction svrp_contraction(double eta_mu, double p);

}  // namespace driftless
