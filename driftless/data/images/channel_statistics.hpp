// Mean and standard deviation of each channel over all images, pixels scaled to 0 … 1.
#pragma once

#include "driftless/data/images/image_set.hpp"

namespace driftless {

struct ChannelStatistics {
  std::vector<double> mean;
  std::vector<double> deviation;
};

ChannelStatistics channel_statistics(const ImageSet& set);

}  // namespace driftless
