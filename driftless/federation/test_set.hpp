// Data that nobody trains on, for models that are judged by what they say of new data.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

struct TestScore {
  double loss = 0.0;
  double accuracy = 0.0;  // share of right answers
};

class TestSet {
 public:
  virtual ~TestSet() = default;
  virtual Index statistics_size() const { return 0; }  // of what a model needs beside x, in numbers
  // `statistics` is the mean over clients of what they say a model at x needs beside x; empty for most.
  virtual TestScore score(VecIn x, VecIn statistics) const = 0;
};

}  // namespace driftless
