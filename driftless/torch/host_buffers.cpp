#include "driftless/torch/host_buffers.hpp"

#include <torch/torch.h>

namespace driftless {

HostBuffers::HostBuffers(std::int64_t size, const torch::TensorOptions& device_options)
    : size_(size),
      options_(torch::TensorOptions().dtype(device_options.dtype()).pinned_memory(device_options.device().is_cuda())) {}

void HostBuffers::Buffer::store(VecOut v) const {
  torch::from_blob(v.data(), {v.size()}, torch::kFloat64).copy_(tensor_);
}

torch::Tensor HostBuffers::Buffer::copy_like(const torch::Tensor& device) const {
  torch::Tensor copy = torch::empty_like(device);
  to(copy);
  return copy;
}

void HostBuffers::Buffer::load(VecIn v) {
  // from_blob takes what may be written to; this one is only read.
  tensor_.copy_(torch::from_blob(const_cast<double*>(v.data()), {v.size()}, torch::kFloat64));
}

torch::Tensor HostBuffers::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!free_.empty()) {
      torch::Tensor tensor = std::move(free_.back());
      free_.pop_back();
      return tensor;
    }
  }
  return torch::empty({size_}, options_);
}

void HostBuffers::give_back(torch::Tensor&& tensor) {
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(tensor));
}

}  // namespace driftless
