// A neural network and its data, as a configuration describes them. What it means is in extras/torch; this much is
// known without LibTorch, so that every build reads every configuration.
#pragma once

#include "driftless/core/options.hpp"

#include <optional>

namespace driftless {

enum class Norm { batch, group };
template <>
struct EnumNames<Norm> {
  static constexpr std::array<std::string_view, 2> value{"batch", "group"};
};

// What the layers of batch normalisation use when the model is tested; training uses the statistics of each batch.
enum class NormStatistics {
  recompute,  // the mean over clients of what each finds at the tested point in a fixed part of its data
  average     // the mean over clients of the running statistics of each one's own training
};
template <>
struct EnumNames<NormStatistics> {
  static constexpr std::array<std::string_view, 2> value{"recompute", "average"};
};

enum class Precision { float32, float64, tf32, bf16, automatic };
template <>
struct EnumNames<Precision> {
  static constexpr std::array<std::string_view, 5> value{"float32", "float64", "tf32", "bf16", "auto"};
};

enum class DeviceChoice { automatic, cpu, cuda };
template <>
struct EnumNames<DeviceChoice> {
  static constexpr std::array<std::string_view, 3> value{"auto", "cpu", "cuda"};
};

struct NetSpec {
  std::string model;
  std::string data = "fashion-mnist";
  std::optional<std::size_t> images;
  std::optional<std::size_t> test_images;
  std::optional<std::size_t> width;
  Norm norm = Norm::batch;
  NormStatistics statistics = NormStatistics::recompute;
  bool augment = false;
  double l2 = 0.0;
  Precision precision = Precision::float32;
  DeviceChoice device = DeviceChoice::automatic;
  bool deterministic = true;
  std::size_t chunk = 512;

  static Fields fields() {
    using S = NetSpec;
    return {field("model", &S::model, anything, "softmax, mlp, cnn, resnet18, or the path of a TorchScript file (.pt)"),
            field("data", &S::data, anything, "cifar10, cifar100, mnist, fashion-mnist, or a folder with their files"),
            field("images", &S::images, at_least_one, "train on the first so many images only"),
            field("test_images", &S::test_images, at_least_one, "test on the first so many images only"),
            field("width", &S::width, at_least_one,
                  "hidden units of mlp (200), channels of the first layer of cnn (16) and resnet18 (64)"),
            field("norm", &S::norm, anything, "normalisation in resnet18"),
            field("statistics", &S::statistics, anything, "statistics of batch normalisation when the model is tested"),
            field("augment", &S::augment, anything, "minibatches are shifted by up to 4 pixels and mirrored at random"),
            field("l2", &S::l2, nonnegative, "weight of ½‖x‖²"),
            field("precision", &S::precision, anything,
                  "of the arithmetic; tf32 and bf16 need CUDA, auto takes bf16 there and float32 elsewhere"),
            field("device", &S::device, anything, "auto takes CUDA where there is some"),
            field("deterministic", &S::deterministic, anything, "only CUDA kernels whose results repeat to the bit"),
            field("chunk", &S::chunk, at_least_one, "samples per piece of a pass over all data of a client")};
  }

  bool is_file() const { return model.ends_with(".pt"); }
};

}  // namespace driftless
