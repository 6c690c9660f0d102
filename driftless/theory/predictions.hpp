// What the theorems of the methods say about a federation with given constants: rounds, local steps and bytes until
// f(x) − f* is a given part of its first value.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct PredictionInput {
  Constants constants;
  Index dim = 0;
  double target = 1e-6;     // part of the first gap
  double distance2 = 0.0;   // R_0² = ‖x⁰ − x*‖²
  double gap = 0.0;         // F_0 = f(x⁰) − f*
  double gradients2 = 0.0;  // (1/n) Σ ‖∇f_i(x*)‖²

  double accuracy() const { return target * gap; }  // ε
};

struct Prediction {
  std::string method;
  std::string theorem;      // the bound that was solved for the number of rounds
  bool order = false;       // the theorem is known up to a constant factor only
  bool similarity = false;  // its rate has δ in it
  std::string obstacle;     // why there are no numbers; empty: there are
  double rounds = 0.0;
  double exchanges = 0.0;
  double bytes = 0.0;                 // both directions, all clients
  std::optional<double> local_steps;  // none: the local problem is solved exactly
};

struct Predictions {
  std::vector<Prediction> lines;
  std::string recommendation;  // one sentence
};

// Similarity methods pay above about this L/δ_A.
inline constexpr double similarity_threshold = 5.0;

Predictions predict(const PredictionInput& input);

}  // namespace driftless
