// Labelled images, as neural networks learn from them: a training and a test set, read from the files their publishers
// hand out. Files may be packed with zstd or gzip.
#pragma once

#include "driftless/data/labelled_rows.hpp"

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

struct ImageData {
  ImageSet train;
  ImageSet test;
  std::vector<double> mean;       // per channel, of pixels scaled to 0 … 1: what networks subtract …
  std::vector<double> deviation;  // … and divide by; those of known sets as commonly used, of others measured
};

// "cifar10", "cifar100", "mnist", "fashion-mnist", or a folder with the files of one of them.
// DataError with the places searched if there are none, or with the file and what is wrong in it.
ImageData read_images(const std::string& name_or_folder);

// For splits and manifests.
LabelledRows labelled_rows(const ImageSet& set);

}  // namespace driftless
