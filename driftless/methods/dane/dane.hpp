// DANE. Shamir, Srebro, Zhang, "Communication-efficient distributed optimization using an approximate Newton-type
// method", ICML 2014, with its damping factor at 1: DANE+ with exact control variate, exact solver and Avg.
//
//   x_{i,r+1} = argmin_y f_i(y) − ⟨∇f_i(x^r) − ∇f(x^r), y⟩ + (λ/2)‖y − x^r‖²,   x^{r+1} = (1/n) Σ x_{i,r+1}
//
// With λ ≥ δ_A: f(x^{r+1}) ≤ f(x^r) − ((μ + λ)/2)‖x^{r+1} − x^r‖² and
// f(x^R) − f* + (μ/2)‖x^R − x*‖² ≤ μ R_0² / (2[(1 + μ/λ)^R − 1]) ≤ λ R_0²/(2R).
#pragma once

#include "driftless/methods/dane/dane_plus.hpp"

namespace driftless {

struct DaneOptions {
  double lambda = required;

  static Fields fields() {
    return {field("lambda", &DaneOptions::lambda, nonnegative, "λ, pull towards the server point; δ_A in theory")};
  }
};

class Dane final : public DanePlus {
 public:
  using Options = DaneOptions;
  explicit Dane(const Options& o) : DanePlus({.lambda = checked(o).lambda}) {}
};

}  // namespace driftless
