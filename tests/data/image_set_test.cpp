#include "driftless/data/images/channel_statistics.hpp"
#include "driftless/data/images/find_images.hpp"
#include "driftless/data/images/read_images.hpp"
#include "driftless/data/manifest.hpp"
#include "driftless/data/split_rows.hpp"

#include "tests/data/every_split.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/own_folders.hpp"
#include "tests/support/small_images.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using ReadImages = InOwnFolders;

TEST_F(ReadImages, MeasuresAnIdxFolderThatIsNotKnown) {
  write_idx_folder(folder_, "some/");
  const ImageData data = read_images((folder_ / "some").string());
  EXPECT_EQ(data.train.name, (folder_ / "some").string());
  EXPECT_EQ(data.train.images(), 4U);
  EXPECT_EQ(data.test.images(), 2U);
  EXPECT_EQ(data.train.classes, 3U);
  EXPECT_EQ(data.test.classes, 3U);
  ASSERT_EQ(data.mean.size(), 1U);
  EXPECT_NEAR(data.mean[0], 11.5 / 255.0, 1e-15);
  EXPECT_NEAR(data.deviation[0], std::sqrt((24.0 * 24.0 - 1.0) / 12.0) / 255.0, 1e-15);
}

TEST_F(ReadImages, NeverDividesByZero) {
  write_idx_folder(folder_, "some/");
  const std::string header = idx_images(4).substr(0, 16);
  folder_.write("some/train-images-idx3-ubyte", header + std::string(24, '\x33'));
  const ImageData data = read_images((folder_ / "some").string());
  EXPECT_NEAR(data.mean[0], 0.2, 1e-15);
  EXPECT_EQ(data.deviation[0], 1.0);
}

TEST_F(ReadImages, ReadsTheBatchesInTheirOrder) {
  write_cifar10_folder(folder_, "work/");
  const ImageData data = read_images(".");
  EXPECT_EQ(data.train.label, (std::vector<std::int32_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(data.test.label, (std::vector<std::int32_t>{9}));
  EXPECT_EQ(data.mean, (std::vector<double>{0.4914, 0.4822, 0.4465}));
  EXPECT_EQ(data.deviation, (std::vector<double>{0.2470, 0.2435, 0.2616}));
  EXPECT_EQ(data.train.pixels.at(3072), 2);
}

TEST_F(ReadImages, ReadsCifar100WithTheNumbersOfCifar10) {
  set_data((folder_ / "data").string());
  folder_.write("data/cifar-100-binary/train.bin", cifar_record({1, 42}, {1, 2, 3}));
  folder_.write("data/cifar-100-binary/test.bin", cifar_record({2, 7}, {1, 2, 3}));
  const ImageData data = read_images("cifar100");
  EXPECT_EQ(data.train.name, "cifar100");
  EXPECT_EQ(data.train.label.at(0), 42);
  EXPECT_EQ(data.test.label.at(0), 7);
  EXPECT_EQ(data.mean, (std::vector<double>{0.4914, 0.4822, 0.4465}));
}

TEST_F(ReadImages, RejectsLabelsThatTheNameDoesNotHave) {
  set_data((folder_ / "data").string());
  write_idx_folder(folder_, "data/mnist/");
  EXPECT_EQ(read_images("mnist").train.classes, 10U);
  folder_.write("data/mnist/train-labels-idx1-ubyte", idx_labels({0, 1, 2, 10}));
  expect_error<DataError>([] { read_images("mnist"); }, {"none of the 10 classes", "image 3: label 10"});
  EXPECT_EQ(read_images("../data/mnist").train.classes, 11U);
}

TEST_F(ReadImages, RejectsTestImagesOfAnotherKind) {
  write_idx_folder(folder_, "some/");
  folder_.write("some/t10k-labels-idx1-ubyte", idx_labels({1, 3}));
  expect_error<DataError>([&] { read_images((folder_ / "some").string()); },
                          {"none of the 3 classes", "t10k-labels-idx1-ubyte: image 1: label 3"});
  write_idx_folder(folder_, "some/");
  folder_.write("some/t10k-images-idx3-ubyte",
                big_endian(0x803) + big_endian(2) + big_endian(1) + big_endian(1) + "ab");
  expect_error<DataError>([&] { read_images((folder_ / "some").string()); },
                          {"differ in size", "t10k-images-idx3-ubyte: 1 x 1", "2 x 3"});
}

ImageSet images_of_classes(std::size_t images, std::size_t classes) {
  ImageSet set;
  set.name = "made";
  set.digest = "d";
  set.classes = classes;
  set.pixels.assign(images, 0);
  for (std::size_t image = 0; image < images; ++image) set.label.push_back(static_cast<std::int32_t>(image % classes));
  return set;
}

class ImageSplit : public testing::TestWithParam<Split> {};

TEST_P(ImageSplit, IsWrittenAndReadBack) {
  const TempFolder folder;
  const LabelledRows rows = labelled_rows(images_of_classes(600, 10));
  const SplitOptions options{.clients = 10, .split = GetParam(), .alpha = 0.5};
  const Partition partition = split_rows(rows, options, 3);
  EXPECT_EQ(coverage_fault(partition, 600), "");
  write_manifest(folder / "split.json", rows, options, 3, partition);
  const SplitManifest manifest = read_manifest(folder / "split.json", rows);
  EXPECT_EQ(manifest.partition, partition);
  EXPECT_EQ(manifest.data_name, "made");
}

INSTANTIATE_TEST_SUITE_P(Every, ImageSplit, testing::ValuesIn(every_split), split_test_name);

TEST(ImageSplit, ByLabelGivesEveryClientOneClass) {
  const LabelledRows rows = labelled_rows(images_of_classes(600, 10));
  const Partition partition = split_rows(rows, {.clients = 10, .split = Split::label}, 1);
  for (std::size_t client = 0; client < 10; ++client) {
    for (const std::int32_t row : partition.clients[client]) EXPECT_EQ(static_cast<std::size_t>(row) % 10, client);
  }
}

TEST(ChannelStatistics, KeepsChannelsApart) {
  ImageSet set;
  set.shape = {.channels = 2, .height = 1, .width = 2};
  set.label = {0, 0};
  set.pixels = {0, 255, 51, 51, 0, 255, 51, 51};
  const ChannelStatistics statistics = channel_statistics(set);
  EXPECT_EQ(statistics.mean, (std::vector<double>{0.5, 0.2}));
  EXPECT_EQ(statistics.deviation, (std::vector<double>{0.5, 0.0}));
}

}  // namespace
}  // namespace driftless
