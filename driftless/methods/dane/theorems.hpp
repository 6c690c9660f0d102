// Theorems of DANE, DANE+ and SVRP, and what those of DANE+ share.
#pragma once

#include "driftless/methods/dane/dane.hpp"
#include "driftless/methods/dane/dane_plus.hpp"
#include "driftless/methods/dane/rates.hpp"
#include "driftless/methods/dane/sonata.hpp"
#include "driftless/methods/dane/svrp.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

inline const std::string dane_paper = "Jiang, Rodomanov, Stich, ICML 2024";
// docs/paper.md lists it under the same number.
inline const std::string erratum_c =
    "E-7: the corollary for exact solves cites its lemma with c = 1; it must be c = 0, hence λ ≥ δ_A, and c = 1/2 with "
    "λ ≥ 2 δ_A for inexact ones";

Theorems dane_theorems(const DaneOptions& options, const TheoremFacts& facts);
Theorems dane_plus_theorems(const DanePlusOptions& options, const TheoremFacts& facts);
Theorems sonata_theorems(const SonataOptions& options, const TheoremFacts& facts);
Theorems svrp_theorems(const SvrpOptions& options, const TheoremFacts& facts);

Theorems inexact_theorems(const DanePlusOptions& o, const TheoremFacts& facts);     // the mean of approximate solves
Theorems one_client_theorems(const DanePlusOptions& o, const TheoremFacts& facts);  // the point of one client

// Φ^{r+1} ≤ ρΦ^r for the drift rule with m = λ, exact solves and all clients; `terms` are those of Φ.
Theorem drift_theorem(std::string name, double lambda, const TheoremFacts& facts,
                      std::function<PotentialTerms(const Snapshot&, const TheoremScale&)> terms);

// weight·‖x^{r+1} − x^r‖² ≤ f(x^r) − f(x^{r+1})
class Descent {
 public:
  explicit Descent(double weight) : weight_(weight) {}

  std::optional<CheckedRow> row(const Snapshot& s, const TheoremScale& scale);  // none at the start

 private:
  double weight_;
  Vector x_;
  double value_ = 0.0;
};

}  // namespace driftless
