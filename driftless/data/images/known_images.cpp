#include "driftless/data/images/known_images.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr auto cifar10_train = std::to_array<std::string_view>(
    {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"});
constexpr auto cifar10_test = std::to_array<std::string_view>({"test_batch.bin"});
constexpr auto cifar100_train = std::to_array<std::string_view>({"train.bin"});
constexpr auto cifar100_test = std::to_array<std::string_view>({"test.bin"});
constexpr auto idx_train = std::to_array<std::string_view>({"train-images-idx3-ubyte", "train-labels-idx1-ubyte"});
constexpr auto idx_test = std::to_array<std::string_view>({"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"});

// CIFAR-100 gets the numbers of CIFAR-10, as in the experiments this library compares itself with.
constexpr std::array<double, 3> cifar_mean{0.4914, 0.4822, 0.4465};
constexpr std::array<double, 3> cifar_deviation{0.2470, 0.2435, 0.2616};

constexpr std::string_view cifar_source =
    "get the binary version from https://www.cs.toronto.edu/~kriz/cifar.html, unpack it, and name the folder in which "
    "you did so in DRIFTLESS_DATA";

constexpr auto image_sets = std::to_array<KnownImages>({
    {.name = "cifar10",
     .format = ImageFormat::cifar10,
     .classes = 10,
     .train = cifar10_train,
     .test = cifar10_test,
     .archive_folder = "cifar-10-batches-bin",
     .borrowed_names = false,
     .train_digest = "a0181da372c0d63a5920fdbea2ec3f83ecbc552d378218e1cb473cf634941a3b",
     .mean = cifar_mean,
     .deviation = cifar_deviation,
     .source = cifar_source},
    {.name = "cifar100",
     .format = ImageFormat::cifar100,
     .classes = 100,
     .train = cifar100_train,
     .test = cifar100_test,
     .archive_folder = "cifar-100-binary",
     .borrowed_names = false,
     .train_digest = "",
     .mean = cifar_mean,
     .deviation = cifar_deviation,
     .source = cifar_source},
    {.name = "fashion-mnist",
     .format = ImageFormat::idx,
     .classes = 10,
     .train = idx_train,
     .test = idx_test,
     .archive_folder = "",
     .borrowed_names = true,
     .train_digest = "d9ef4273af5c2e360155dad0c06bd939447bf37a6620db007d69fc79e4732045",
     .mean = {0.2860},
     .deviation = {0.3530},
     .source = "install the Debian package dataset-fashion-mnist, or name the folder above fashion-mnist in "
               "DRIFTLESS_DATA"},
    {.name = "mnist",
     .format = ImageFormat::idx,
     .classes = 10,
     .train = idx_train,
     .test = idx_test,
     .archive_folder = "",
     .borrowed_names = false,
     .train_digest = "c5097fdd51cfdbe7695fd9df3612695696864b5c424f58d843ffdc5d335e9914",
     .mean = {0.1307},
     .deviation = {0.3081},
     .source = "get its four files (http://yann.lecun.com/exdb/mnist/ is the publisher's page) and name their folder "
               "in DRIFTLESS_DATA"},
});

}  // namespace

std::span<const KnownImages> known_images() { return image_sets; }

const KnownImages* find_known_images(std::string_view name) {
  const auto found = std::ranges::find(image_sets, name, &KnownImages::name);
  return found == image_sets.end() ? nullptr : &*found;
}

std::vector<std::string> known_image_names() {
  std::vector<std::string> names;
  for (const KnownImages& set : image_sets) names.emplace_back(set.name);
  return names;
}

}  // namespace driftless
