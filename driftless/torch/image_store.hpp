// Images that stay on the device as bytes, and what makes a batch of them.
#pragma once

#include "driftless/data/images/image_set.hpp"

#include <torch/types.h>

namespace driftless {

class ImageStore {
 public:
  // The first `count` images of the set; pixels are normalised by the channel's mean and deviation.
  ImageStore(const ImageSet& set, std::size_t count, const std::vector<double>& mean,
             const std::vector<double>& deviation, const torch::TensorOptions& options);

  std::int64_t images() const { return labels_.size(0); }
  const ImageShape& shape() const { return shape_; }

  // A tensor that `gather` can fill with so many images.
  torch::Tensor room_for(std::int64_t size) const;
  // `batch` is [2, B], whole numbers of 32 bits on the device: rows, then codes of augmentation.
  void gather(const torch::Tensor& batch, torch::Tensor& out) const;
  torch::Tensor labels(const torch::Tensor& batch) const { return labels_.index_select(0, batch[0]); }

 private:
  ImageShape shape_;
  torch::Tensor pixels_;
  torch::Tensor table_;
  torch::Tensor labels_;
};

}  // namespace driftless
