// The two loops that LibTorch has no single operation for. Each has one form for the processor (kernels.cpp) and one
// for CUDA (kernels.cu), chosen by where the tensors are.
#pragma once

#include <torch/types.h>

namespace driftless {

// How far an image may be shifted, in pixels.
inline constexpr int largest_shift = 4;

// What augmentation does to one image: shift to the left and up, and mirror. Packed into one number.
struct Augmentation {
  int left = 0;
  int up = 0;
  bool mirrored = false;

  std::int32_t code() const { return (left + largest_shift) | (up + largest_shift) << 4 | (mirrored ? 1 : 0) << 8; }
};

// out[b] ← image number `row` of `pixels` ([images, channels, height, width], bytes), shifted and mirrored, its pixels
// replaced through `table` ([channels, 256]); what is shifted in from outside is a pixel of value 0. `batch` is
// [2, B]: rows, then codes. `out` is [B, channels, height, width] with the channel as the fastest index.
void gather_images(const torch::Tensor& pixels, const torch::Tensor& table, const torch::Tensor& batch,
                   torch::Tensor& out);

struct DriftStep {
  double step = 0.0;    // 1/(η + λ)
  double scale = 1.0;   // of the gradient: n m_i / M
  double l2 = 0.0;      // weight of ½‖y‖² in f_i
  double lambda = 0.0;  // λ
};

// y ← y − step · (scale · g + l2 · y − h + λ (y − c)) in one pass; h and c may be undefined.
void drift_step(const DriftStep& s, const torch::Tensor& g, const torch::Tensor& h, const torch::Tensor& c,
                torch::Tensor& y);

#ifdef DRIFTLESS_CUDA
void gather_images_cuda(const torch::Tensor& pixels, const torch::Tensor& table, const torch::Tensor& batch,
                        torch::Tensor& out);
void drift_step_cuda(const DriftStep& s, const torch::Tensor& g, const torch::Tensor& h, const torch::Tensor& c,
                     torch::Tensor& y);
#endif

}  // namespace driftless
