// Images made up for tests: each class has a pattern of its own under noise.
#pragma once

#include "driftless/core/random.hpp"
#include "driftless/data/images/read_images.hpp"
#include "driftless/data/partition.hpp"
#include "driftless/torch/net_problem.hpp"

#include <numeric>

namespace driftless {

inline ImageSet made_up_images(std::size_t images, const ImageShape& shape, std::size_t classes, std::uint64_t seed) {
  ImageSet set{.name = "made-up", .digest = "none", .shape = shape, .classes = classes, .pixels = {}, .label = {}};
  Stream pattern(7, Purpose::generator);
  std::vector<double> patterns(classes * shape.size());
  for (double& v : patterns) v = pattern.uniform(0.0, 160.0);
  Stream noise(seed, Purpose::generator);
  for (std::size_t k = 0; k < images; ++k) {
    const std::size_t label = noise.index(classes);
    set.label.push_back(static_cast<std::int32_t>(label));
    for (std::size_t p = 0; p < shape.size(); ++p)
      set.pixels.push_back(static_cast<std::uint8_t>(patterns[label * shape.size() + p] + noise.uniform(0.0, 95.0)));
  }
  return set;
}

inline ImageData small_images(std::size_t images = 60, ImageShape shape = {.channels = 3, .height = 8, .width = 8},
                              std::size_t classes = 4) {
  return {.train = made_up_images(images, shape, classes, 1),
          .test = made_up_images(40, shape, classes, 2),
          .mean = std::vector<double>(shape.channels, 0.5),
          .deviation = std::vector<double>(shape.channels, 0.25)};
}

// Clients of unlike sizes: the first has half of the images.
inline Partition uneven_split(std::size_t images, std::size_t clients) {
  Partition partition;
  partition.clients.resize(clients);
  for (std::size_t k = 0; k < images; ++k)
    partition.clients[k < images / 2 || clients == 1 ? 0 : 1 + k % (clients - 1)].push_back(
        static_cast<std::int32_t>(k));
  return partition;
}

inline NetSpec exact_net(const std::string& model) {
  NetSpec spec;
  spec.model = model;
  spec.width = 4;
  spec.precision = Precision::float64;
  spec.device = DeviceChoice::cpu;
  spec.chunk = 16;
  return spec;
}

inline NetProblem small_net(const NetSpec& spec, std::size_t clients = 3, std::size_t workers = 1) {
  return make_net_problem(spec, small_images(), uneven_split(60, clients), 5, workers);
}

}  // namespace driftless
