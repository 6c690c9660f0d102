#include "driftless/torch/kernels.hpp"

#include <ATen/Dispatch.h>

namespace driftless {
namespace {

void gather_images_cpu(const torch::Tensor& pixels, const torch::Tensor& table, const torch::Tensor& batch,
                       torch::Tensor& out) {
  const std::int64_t size = out.size(0), channels = out.size(1), height = out.size(2), width = out.size(3);
  const auto* rows = batch.data_ptr<std::int32_t>();
  const std::int32_t* codes = rows + size;
  const std::uint8_t* from = pixels.data_ptr<std::uint8_t>();
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "gather_images", [&] {
    const auto* values = table.data_ptr<scalar_t>();
    auto* to = out.data_ptr<scalar_t>();
    for (std::int64_t b = 0; b < size; ++b) {
      const std::uint8_t* image = from + rows[b] * channels * height * width;
      const std::int32_t code = codes[b];
      const std::int64_t left = (code & 15) - largest_shift, up = (code >> 4 & 15) - largest_shift;
      const bool mirrored = (code >> 8) != 0;
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) {
          const std::int64_t sy = y + up, sx = (mirrored ? width - 1 - x : x) + left;
          const bool inside = sy >= 0 && sy < height && sx >= 0 && sx < width;
          for (std::int64_t c = 0; c < channels; ++c)
            *to++ = values[c * 256 + (inside ? image[(c * height + sy) * width + sx] : 0)];
        }
    }
  });
}

void drift_step_cpu(const DriftStep& s, const torch::Tensor& g, const torch::Tensor& h, const torch::Tensor& c,
                    torch::Tensor& y) {
  const bool shifted = h.defined(), pulled = c.defined();
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "drift_step", [&] {
    const auto* slope = g.data_ptr<scalar_t>();
    const scalar_t* shift = shifted ? h.data_ptr<scalar_t>() : nullptr;
    const scalar_t* center = pulled ? c.data_ptr<scalar_t>() : nullptr;
    auto* point = y.data_ptr<scalar_t>();
    for (std::int64_t k = 0; k < y.numel(); ++k) {
      const double at{point[k]};
      double total = s.scale * double{slope[k]};
      if (s.l2 != 0.0) total += s.l2 * at;
      if (shifted) total -= double{shift[k]};
      if (pulled) total += s.lambda * (at - double{center[k]});
      point[k] = static_cast<scalar_t>(at - s.step * total);
    }
  });
}

}  // namespace

void gather_images(const torch::Tensor& pixels, const torch::Tensor& table, const torch::Tensor& batch,
                   torch::Tensor& out) {
#ifdef DRIFTLESS_CUDA
  if (out.is_cuda()) return gather_images_cuda(pixels, table, batch, out);
#endif
  gather_images_cpu(pixels, table, batch, out);
}

void drift_step(const DriftStep& s, const torch::Tensor& g, const torch::Tensor& h, const torch::Tensor& c,
                torch::Tensor& y) {
#ifdef DRIFTLESS_CUDA
  if (y.is_cuda()) return drift_step_cuda(s, g, h, c, y);
#endif
  drift_step_cpu(s, g, h, c, y);
}

}  // namespace driftless
