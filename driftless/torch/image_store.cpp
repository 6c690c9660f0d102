#include "driftless/torch/image_store.hpp"

#include "driftless/torch/kernels.hpp"

namespace driftless {

ImageStore::ImageStore(const ImageSet& set, std::size_t count, const std::vector<double>& mean,
                       const std::vector<double>& deviation, const torch::TensorOptions& options)
    : shape_(set.shape) {
  const auto images = static_cast<std::int64_t>(count);
  const auto bytes = images * static_cast<std::int64_t>(shape_.size());
  const auto device = options.device();
  pixels_ = torch::empty({bytes}, torch::kUInt8);
  std::copy_n(set.pixels.begin(), bytes, pixels_.data_ptr<std::uint8_t>());
  pixels_ = pixels_.to(device);
  labels_ = torch::empty({images}, torch::kInt64);
  std::copy_n(set.label.begin(), images, labels_.data_ptr<std::int64_t>());
  labels_ = labels_.to(device);

  const auto channels = static_cast<std::int64_t>(shape_.channels);
  table_ = torch::empty({channels, 256}, torch::kFloat64);
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t v = 0; v < 256; ++v)
      table_.data_ptr<double>()[c * 256 + v] =
          (static_cast<double>(v) / 255.0 - mean[static_cast<std::size_t>(c)]) / deviation[static_cast<std::size_t>(c)];
  table_ = table_.to(options);
}

torch::Tensor ImageStore::room_for(std::int64_t size) const {
  const auto n = [](std::size_t v) { return static_cast<std::int64_t>(v); };
  return torch::empty({size, n(shape_.channels), n(shape_.height), n(shape_.width)},
                      table_.options().memory_format(torch::MemoryFormat::ChannelsLast));
}

void ImageStore::gather(const torch::Tensor& batch, torch::Tensor& out) const {
  gather_images(pixels_, table_, batch, out);
}

}  // namespace driftless
