// What the theorems of the methods predict for a federation with given constants: rounds, local steps and bytes until
// f(x) − f* is a given fraction of its first value.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <optional>
#include <string>
#include <vector>

namespace driftless {

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
  std::string worst_case;  // what the numbers say, with the points that the constants are of
};

// For every method of the catalogue that has a bound; `dim` is the length of a vector that is sent.
// `valid` says of which points the constants are, as in "at zero, worse elsewhere".
Predictions predict(const RateInput& input, Index dim, const std::string& valid = "that hold everywhere");

}  // namespace driftless
