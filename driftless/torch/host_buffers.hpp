// Vectors on their way between the methods, which keep doubles in ordinary memory, and a device, which has numbers and
// memory of its own kind. Buffers are kept: memory that a GPU can copy from by itself is slow to come by.
#pragma once

#include "driftless/core/vector.hpp"

#include <memory>
#include <mutex>
#include <torch/types.h>
#include <vector>

namespace driftless {

class HostBuffers {
 public:
  HostBuffers(std::int64_t size, const torch::TensorOptions& device_options);

  class Buffer {
   public:
    explicit Buffer(HostBuffers& owner) : owner_(&owner), tensor_(owner.take()) {}
    Buffer(HostBuffers& owner, VecIn v) : Buffer(owner) { load(v); }
    ~Buffer() { owner_->give_back(std::move(tensor_)); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    void to(const torch::Tensor& device) const { device.copy_(tensor_, true); }  // does not wait
    torch::Tensor copy_like(const torch::Tensor& device) const;                  // a new tensor there; does not wait
    void from(const torch::Tensor& device) { tensor_.copy_(device, true); }      // does not wait
    void load(VecIn v);
    void store(VecOut v) const;

   private:
    HostBuffers* owner_;
    torch::Tensor tensor_;
  };

  Buffer empty() { return Buffer(*this); }
  Buffer holding(VecIn v) { return {*this, v}; }

 private:
  torch::Tensor take();
  void give_back(torch::Tensor&& tensor);

  std::int64_t size_;
  torch::TensorOptions options_;
  std::mutex mutex_;
  std::vector<torch::Tensor> free_;
};

}  // namespace driftless
