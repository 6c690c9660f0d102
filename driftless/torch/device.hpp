// Where an engine computes: a device, the queue its work goes into, and ways to spend less on handing work over. On the
// processor all of it is nothing. device_cpu.cpp is linked where there is no CUDA, device_cuda.cpp where there is.
#pragma once

#include "driftless/torch/net_spec.hpp"

#include <functional>
#include <memory>
#include <string>
#include <torch/types.h>

namespace driftless {

// Decides what the description leaves to the machine. ConfigError where the machine or this build has no such device or
// precision.
torch::TensorOptions choose_device(NetSpec& spec);
std::string device_name(const torch::Device& device);
bool cuda_present();

class DeviceQueue {
 public:
  explicit DeviceQueue(const torch::Device& device);
  ~DeviceQueue();

  // While it lives, work of this thread goes into the queue.
  class Scope {
   public:
    explicit Scope(const DeviceQueue& queue);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    struct Guard;
    std::unique_ptr<Guard> guard_;
  };

  void wait() const;  // until everything in the queue is done

  // Does work(batch). Work that came often enough with a batch of this size is recorded once and replayed from then on,
  // which saves the launches of its many small kernels; so it must do the same to the same memory each time.
  void repeat(const torch::Tensor& batch, const std::function<void(const torch::Tensor&)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// While it lives, operations that profit compute in bfloat16.
class Autocast {
 public:
  explicit Autocast(bool on);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  bool on_;
};

}  // namespace driftless
