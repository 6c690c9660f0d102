// Reads a training and a test set of images from the files that their publishers distribute. Files may be compressed
// with zstd or gzip.
#pragma once

#include "driftless/data/images/image_set.hpp"
#include "driftless/data/labelled_rows.hpp"

namespace driftless {

struct ImageData {
  ImageSet train;
  ImageSet test;
  std::vector<double> mean;       // per channel, of pixels scaled to 0 … 1: what networks subtract …
  std::vector<double> deviation;  // … and divide by; those of known sets as commonly used, of others measured
};

// "cifar10", "cifar100", "mnist", "fashion-mnist", or a folder with the files of one of them.
// DataError with the folders searched if there are none, or with the file and what is wrong in it.
ImageData read_images(const std::string& name_or_folder);

// The labels, for splits and manifests.
LabelledRows labelled_rows(const ImageSet& set);

}  // namespace driftless
