// Runs something with every instruction set of this processor, and leaves the best one chosen.
#pragma once

#include "driftless/kernels/simd.hpp"

#include <gtest/gtest.h>

namespace driftless {

template <class Body>
void with_every_simd(const Body& body) {
  const std::vector<std::string> choices = simd_choices();
  for (const std::string& choice : choices) {
    SCOPED_TRACE(choice);
    choose_simd(choice);
    body();
  }
  choose_simd(choices.front());
}

// What `compute` returns must be the same, to the bit, with all of them.
template <class Compute>
void expect_same_with_every_simd(const Compute& compute) {
  const auto best = compute();
  with_every_simd([&] { EXPECT_EQ(compute(), best); });
}

}  // namespace driftless
