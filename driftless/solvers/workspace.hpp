// Scratch vectors and curvature pairs of one worker thread, made on first use and then kept: a local solve in steady
// state allocates nothing.
#pragma once

#include "driftless/solvers/curvature_pairs.hpp"

#include <array>

namespace driftless {

class Workspace {
 public:
  explicit Workspace(Index dim) : dim_(dim) {}

  Vector& operator[](std::size_t slot) {
    Vector& v = slots_.at(slot);
    if (v.size() != dim_) v.resize(dim_);
    return v;
  }
  CurvaturePairs& pairs() { return pairs_; }

 private:
  Index dim_;
  std::array<Vector, 8> slots_;
  CurvaturePairs pairs_;
};

}  // namespace driftless
