// Data that no client trains on, for the evaluation of models.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

struct TestScore {
  double loss = 0.0;
  double accuracy = 0.0;  // fraction of correct predictions
};

class TestSet {
 public:
  virtual ~TestSet() = default;
  virtual Index statistics_size() const { return 0; }  // length of `statistics`
  // `statistics` are the numbers beside x that a model needs for predictions, averaged over clients; empty for most.
  virtual TestScore score(VecIn x, VecIn statistics) const = 0;
};

}  // namespace driftless
