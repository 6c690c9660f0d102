// Reproducible chance. A Stream is keyed by (seed, purpose, client, round) and counts its draws, so what it yields
// depends on nothing else: not on threads, processes, order of use, or the standard library, whose distributions
// differ.
#pragma once

#include "driftless/core/vector.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace driftless {

// Each use of chance has its own streams, so that two methods can share coins and differ in batches.
enum class Purpose : std::uint32_t {
  coin,
  client_index,
  cohort,
  batch,
  generator,
  split,
  output_point,
  order,
  client_noise,
  search,
  augmentation,
  straggler,
  sketch,
  test_rows,
  folds
};

// The generator itself, Philox 4x32 with ten rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t client = 0, std::uint64_t round = 0);

  std::uint64_t bits();                     // 64 fair bits
  double uniform();                         // [0, 1), 53 bits
  double uniform(double low, double high);  // [low, high)
  double normal();                          // mean 0, variance 1
  double gamma(double shape);               // scale 1, shape > 0
  bool bernoulli(double p);                 // true with probability p
  std::size_t index(std::size_t size);      // 0 … size − 1, without bias

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[index(left)]);
  }

 private:
  void refill();

  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 4> counter_{};
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

}  // namespace driftless
