// What many exchanges together give away: (ε, δ)-differential privacy of a sequence of mechanisms, each of which may
// depend on what those before it released. Rényi divergences of one order add up (Mironov 2017, Proposition 1). The sum
// ρ(α) gives
//
//   ε = ρ(α) + log(1 − 1/α) − (log δ + log α)/(α − 1)
//
// for every α > 1: Canonne, Kamath, Steinke 2020, Proposition 12; Balle et al., "Hypothesis testing interpretations and
// Rényi differential privacy", AISTATS 2020, Theorem 21. The least of these over the orders is used: first over a grid
// with four orders for each doubling of α − 1, from 1/64 to 2^14, whole from 256 on, then by golden sections between
// the neighbours of the best one. Every order gives a valid bound, so the search can only miss a smaller one.
#pragma once

#include "driftless/privacy/mechanism.hpp"

#include <utility>
#include <vector>

namespace driftless {

class Accountant {
 public:
  struct Bound {
    double epsilon = 0.0;
    double order = 0.0;  // the α that gives it; 0 where nothing was released
  };

  void add(const Mechanism& mechanism, std::size_t count = 1);

  double rdp(double order) const;  // ρ(α) of all
  Bound bound(double delta) const;
  double epsilon(double delta) const { return bound(delta).epsilon; }

 private:
  std::vector<std::pair<Mechanism, double>> released_;
};

struct PrivacyBudget {
  double epsilon = 1.0;
  double delta = 1e-5;
};

// The smallest σ/Δ with which so many exchanges, each of a Poisson sample with this rate, stay within the budget; up to
// 1e-6 of itself, rounded up. ConfigError where no noise suffices: the orders end at 2^14, which gives ε of about 1e-4
// for what releases nothing.
double noise_for(const PrivacyBudget& budget, std::size_t exchanges, double rate = 1.0);

}  // namespace driftless
