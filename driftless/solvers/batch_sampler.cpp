#include "driftless/solvers/batch_sampler.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {

Batch BatchSampler::next(std::size_t samples, std::size_t size) {
  const std::uint64_t epoch = cursor_ / samples;
  const std::size_t begin = static_cast<std::size_t>(cursor_ % samples);
  if (epoch != ordered_epoch_ || order_.size() != samples) {
    order_.resize(samples);
    std::iota(order_.begin(), order_.end(), 0);
    Stream(seed_, Purpose::batch, client_, epoch).shuffle(std::span(order_));
    ordered_epoch_ = epoch;
  }
  const std::size_t taken = std::min(size, samples - begin);
  cursor_ += taken;
  return Batch(order_).subspan(begin, taken);
}

}  // namespace driftless
