// Labelled images in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace driftless {

struct ImageShape {
  std::size_t channels = 1;
  std::size_t height = 1;
  std::size_t width = 1;

  std::size_t size() const { return channels * height * width; }
  bool operator==(const ImageShape&) const = default;
};

struct ImageSet {
  std::string name;
  std::string digest;  // sha256 of the plain files, one after the other
  ImageShape shape;
  std::size_t classes = 0;
  std::vector<std::uint8_t> pixels;  // image by image, channel by channel, row by row
  std::vector<std::int32_t> label;   // 0 … classes − 1

  std::size_t images() const { return label.size(); }
};

}  // namespace driftless
