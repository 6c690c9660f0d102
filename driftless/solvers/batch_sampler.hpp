// Minibatches of one client: a new random order of the samples in every epoch, cut into batches; or batches that are
// drawn independently of each other, as theorems assume. They depend on (seed, client, cursor) only, so the cursor
// alone restores the sampler.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/core/options.hpp"
#include "driftless/core/random.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace driftless {

enum class BatchDraw { epochs, independent };
template <>
struct EnumNames<BatchDraw> {
  static constexpr std::array<std::string_view, 2> value{"epochs", "independent"};
};

class BatchSampler {
 public:
  BatchSampler(std::uint64_t seed, std::uint64_t client) : seed_(seed), client_(client) {}

  // The next batch of at most `size` of `samples` samples; the last batch of an epoch may be shorter.
  Batch next(std::size_t samples, std::size_t size, BatchDraw draw = BatchDraw::epochs);

  std::uint64_t cursor() const { return cursor_; }  // samples used so far
  void restore(std::uint64_t cursor) { cursor_ = cursor; }

 private:
  Batch next_of_epoch(std::size_t samples, std::size_t size);
  Batch next_independent(std::size_t samples, std::size_t size);

  std::uint64_t seed_;
  std::uint64_t client_;
  std::uint64_t cursor_ = 0;
  std::uint64_t ordered_epoch_ = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> numbers_;  // 0, 1, … between two independent draws
  std::vector<std::int32_t> drawn_;
};

}  // namespace driftless
