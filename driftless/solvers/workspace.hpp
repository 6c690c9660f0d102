// Scratch vectors of one worker thread, made on first use and then kept: a local solve in steady state allocates
// nothing.
#pragma once

#include "driftless/core/vector.hpp"

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

 private:
  Index dim_;
  std::array<Vector, 8> slots_;
};

}  // namespace driftless
