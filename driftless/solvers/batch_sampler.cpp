#include "driftless/solvers/batch_sampler.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {

Batch BatchSampler::next(std::size_t samples, std::size_t size, BatchDraw draw) {
  return draw == BatchDraw::epochs ? next_of_epoch(samples, size) : next_independent(samples, size);
}

Batch BatchSampler::next_of_epoch(std::size_t samples, std::size_t size) {
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

// The first entries of a random order. Its swaps are taken back afterwards, so that a draw costs no more than its size.
Batch BatchSampler::next_independent(std::size_t samples, std::size_t size) {
  if (numbers_.size() != samples) {
    numbers_.resize(samples);
    std::iota(numbers_.begin(), numbers_.end(), 0);
  }
  const std::size_t taken = std::min(size, samples);
  Stream chance(seed_, Purpose::batch, client_, cursor_);
  std::vector<std::size_t> swapped(taken);
  for (std::size_t k = 0; k < taken; ++k) std::swap(numbers_[k], numbers_[swapped[k] = k + chance.index(samples - k)]);
  drawn_.assign(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(taken));
  for (std::size_t k = taken; k-- > 0;) std::swap(numbers_[k], numbers_[swapped[k]]);
  cursor_ += taken;
  return drawn_;
}

}  // namespace driftless
