#include "driftless/data/images/channel_statistics.hpp"

#include <cmath>

namespace driftless {

// Sums of bytes and of their squares are whole numbers, so nothing is rounded before the end.
ChannelStatistics channel_statistics(const ImageSet& set) {
  const std::size_t plane = set.shape.height * set.shape.width;
  std::vector<std::uint64_t> sum(set.shape.channels, 0);
  std::vector<std::uint64_t> squares(set.shape.channels, 0);
  for (std::size_t first = 0; first < set.pixels.size(); first += plane) {
    const std::size_t channel = first / plane % set.shape.channels;
    for (std::size_t pixel = first; pixel < first + plane; ++pixel) {
      const std::uint64_t value = set.pixels[pixel];
      sum[channel] += value;
      squares[channel] += value * value;
    }
  }
  constexpr double largest = 255.0;
  const auto count = static_cast<double>(set.images() * plane);
  ChannelStatistics statistics;
  for (std::size_t channel = 0; channel < set.shape.channels; ++channel) {
    const double mean = static_cast<double>(sum[channel]) / count;
    const double variance = static_cast<double>(squares[channel]) / count - mean * mean;
    statistics.mean.push_back(mean / largest);
    statistics.deviation.push_back(std::sqrt(std::max(variance, 0.0)) / largest);
  }
  return statistics;
}

}  // namespace driftless
