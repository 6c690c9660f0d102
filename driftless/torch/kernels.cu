#include "driftless/torch/kernels.hpp"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/Dispatch.h>
#include <c10/cuda/CUDAException.h>

namespace driftless {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::int64_t work) { return static_cast<unsigned>((work + threads - 1) / threads); }

// One thread for one pixel of one image, all its channels.
template <class T>
__global__ void gather_kernel(const std::uint8_t* pixels, const T* table, const std::int32_t* batch, T* out,
                              std::int64_t size, std::int64_t channels, std::int64_t height, std::int64_t width) {
  const std::int64_t k = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (k >= size * height * width) return;
  const std::int64_t b = k / (height * width), y = k / width % height, x = k % width;
  const std::int32_t code = batch[size + b];
  const std::int64_t sy = y + (code >> 4 & 15) - largest_shift;
  const std::int64_t sx = ((code >> 8) != 0 ? width - 1 - x : x) + (code & 15) - largest_shift;
  const bool inside = sy >= 0 && sy < height && sx >= 0 && sx < width;
  const std::uint8_t* image = pixels + batch[b] * channels * height * width;
  for (std::int64_t c = 0; c < channels; ++c)
    out[k * channels + c] = table[c * 256 + (inside ? image[(c * height + sy) * width + sx] : 0)];
}

template <class T>
__global__ void drift_kernel(DriftStep s, const T* g, const T* h, const T* c, T* y, std::int64_t size) {
  const std::int64_t k = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (k >= size) return;
  const double at = y[k];
  double total = s.scale * g[k];
  if (s.l2 != 0.0) total += s.l2 * at;
  if (h != nullptr) total -= h[k];
  if (c != nullptr) total += s.lambda * (at - c[k]);
  y[k] = static_cast<T>(at - s.step * total);
}

template <class T>
const T* data_or_null(const torch::Tensor& t) {
  return t.defined() ? t.data_ptr<T>() : nullptr;
}

}  // namespace

void gather_images_cuda(const torch::Tensor& pixels, const torch::Tensor& table, const torch::Tensor& batch,
                        torch::Tensor& out) {
  const std::int64_t work = out.size(0) * out.size(2) * out.size(3);
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "gather_images", [&] {
    gather_kernel<scalar_t><<<blocks_for(work), threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        pixels.data_ptr<std::uint8_t>(), table.data_ptr<scalar_t>(), batch.data_ptr<std::int32_t>(),
        out.data_ptr<scalar_t>(), out.size(0), out.size(1), out.size(2), out.size(3));
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void drift_step_cuda(const DriftStep& s, const torch::Tensor& g, const torch::Tensor& h, const torch::Tensor& c,
                     torch::Tensor& y) {
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "drift_step", [&] {
    drift_kernel<scalar_t><<<blocks_for(y.numel()), threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        s, g.data_ptr<scalar_t>(), data_or_null<scalar_t>(h), data_or_null<scalar_t>(c), y.data_ptr<scalar_t>(),
        y.numel());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace driftless
