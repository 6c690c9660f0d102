#include "driftless/data/images/cifar_reader.hpp"

#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/small_images.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

using Paths = std::vector<std::filesystem::path>;

TEST(CifarReader, TakesLabelAndPlanesOfEveryRecord) {
  const TempFolder folder;
  const std::string first = cifar_record({3}, {10, 20, 30}) + cifar_record({9}, {40, 50, 255});
  const std::string second = cifar_record({0}, {70, 80, 90});
  const Paths paths{folder.write("one.bin", first), folder.write("two.bin.zst", pack_zstd(second))};
  const ImageSet set = read_cifar(paths, CifarLabels::ten);
  EXPECT_EQ(set.shape, (ImageShape{.channels = 3, .height = 32, .width = 32}));
  EXPECT_EQ(set.classes, 10U);
  EXPECT_EQ(set.label, (std::vector<std::int32_t>{3, 9, 0}));
  ASSERT_EQ(set.pixels.size(), 3U * 3072U);
  const std::vector<std::uint8_t> planes{10, 20, 30, 40, 50, 255, 70, 80, 90};
  for (std::size_t k = 0; k < set.pixels.size(); ++k) ASSERT_EQ(set.pixels[k], planes[k / 1024]) << "pixel " << k;
  EXPECT_EQ(set.digest, sha256(first + second));
}

TEST(CifarReader, UsesTheFineLabelOfAHundredClasses) {
  const TempFolder folder;
  const Paths paths{
      folder.write("train.bin.gz", pack_gzip(cifar_record({19, 99}, {1, 2, 3}) + cifar_record({4, 0}, {5, 6, 7})))};
  const ImageSet set = read_cifar(paths, CifarLabels::hundred);
  EXPECT_EQ(set.classes, 100U);
  EXPECT_EQ(set.label, (std::vector<std::int32_t>{99, 0}));
  EXPECT_EQ(set.pixels.at(0), 1);
  EXPECT_EQ(set.pixels.at(3072 + 3071), 7);
}

struct BadFile {
  std::string name;
  CifarLabels labels;
  std::string bytes;
  std::vector<std::string> fragments;
};

class MalformedCifar : public testing::TestWithParam<BadFile> {};

TEST_P(MalformedCifar, IsRejected) {
  const TempFolder folder;
  const Paths paths{folder.write("batch.bin", GetParam().bytes)};
  for (const std::string& fragment : GetParam().fragments)
    expect_error<DataError>([&] { read_cifar(paths, GetParam().labels); }, {fragment, paths[0].string()});
}

const std::string good = cifar_record({1}, {1, 2, 3});

INSTANTIATE_TEST_SUITE_P(
    Table, MalformedCifar,
    testing::Values(
        BadFile{"Empty", CifarLabels::ten, "", {"no whole number of CIFAR-10 images", "0 bytes, an image has 3073"}},
        BadFile{"CutShort", CifarLabels::ten, good + good.substr(1), {"no whole number", "6145 bytes"}},
        BadFile{"TenAsHundred", CifarLabels::hundred, good, {"no whole number of CIFAR-100 images", "has 3074"}},
        BadFile{"LabelOfTen",
                CifarLabels::ten,
                good + cifar_record({10}, {1, 2, 3}),
                {"none of the 10 classes of CIFAR-10", "image 1: label 10"}},
        BadFile{"CoarseLabel", CifarLabels::hundred, cifar_record({20, 5}, {1, 2, 3}), {"20 classes", "label 20"}},
        BadFile{"FineLabel", CifarLabels::hundred, cifar_record({5, 100}, {1, 2, 3}), {"100 classes", "label 100"}}),
    [](const auto& test_case) { return test_case.param.name; });

}  // namespace
}  // namespace driftless
