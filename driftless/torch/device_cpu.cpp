#include "driftless/core/error.hpp"
#include "driftless/torch/device.hpp"

namespace driftless {

struct DeviceQueue::State {};
struct DeviceQueue::Scope::Guard {};

bool cuda_present() { return false; }

torch::TensorOptions choose_device(NetSpec& spec) {
  spec.device = spec.device == DeviceChoice::automatic ? DeviceChoice::cpu : spec.device;
  spec.precision = spec.precision == Precision::automatic ? Precision::float32 : spec.precision;
  const auto reject = [](const std::string& seen) {
    throw ConfigError(
        {.what = "this build of LibTorch has no CUDA",
         .seen = seen,
         .advice = "use device = \"cpu\" and precision = \"float32\", or build with a LibTorch that has CUDA"});
  };
  if (spec.device == DeviceChoice::cuda) reject("device = \"cuda\"");
  if (spec.precision == Precision::tf32 || spec.precision == Precision::bf16)
    reject("precision = \"" + std::string(enum_name(spec.precision)) + "\"");
  return torch::TensorOptions().dtype(spec.precision == Precision::float64 ? torch::kFloat64 : torch::kFloat32);
}

std::string device_name(const torch::Device&) { return "cpu"; }

DeviceQueue::DeviceQueue(const torch::Device&) {}
DeviceQueue::~DeviceQueue() = default;
DeviceQueue::Scope::Scope(const DeviceQueue&) {}
DeviceQueue::Scope::~Scope() = default;
void DeviceQueue::wait() const {}
void DeviceQueue::repeat(const torch::Tensor& batch, const std::function<void(const torch::Tensor&)>& work) {
  work(batch);
}

Autocast::Autocast(bool on) : on_(on) {}
Autocast::~Autocast() = default;

}  // namespace driftless
