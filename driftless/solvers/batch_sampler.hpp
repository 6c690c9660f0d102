// Minibatches of one client: a new random order of the samples in every epoch, cut into batches. The batches depend on
// (seed, client, cursor) only, so the cursor alone restores the sampler.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/core/random.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace driftless {

class BatchSampler {
 public:
  BatchSampler(std::uint64_t seed, std::uint64_t client) : seed_(seed), client_(client) {}

  // The next batch of at most `size` of `samples` samples; the last batch of an epoch may be shorter.
  Batch next(std::size_t samples, std::size_t size);

  std::uint64_t cursor() const { return cursor_; }  // samples used so far
  void restore(std::uint64_t cursor) { cursor_ = cursor; }

 private:
  std::uint64_t seed_;
  std::uint64_t client_;
  std::uint64_t cursor_ = 0;
  std::uint64_t ordered_epoch_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::int32_t> order_;
};

}  // namespace driftless
