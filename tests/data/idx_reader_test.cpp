#include "driftless/data/images/idx_reader.hpp"

#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/small_images.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless {
namespace {

TEST(IdxReader, TakesShapePixelsAndLabels) {
  const TempFolder folder;
  const IdxFiles files{.images = folder.write("images.gz", pack_gzip(idx_images(3))),
                       .labels = folder.write("labels.zst", pack_zstd(idx_labels({4, 0, 2})))};
  const ImageSet set = read_idx(files, std::nullopt);
  EXPECT_EQ(set.shape, (ImageShape{.channels = 1, .height = 2, .width = 3}));
  EXPECT_EQ(set.images(), 3U);
  EXPECT_EQ(set.label, (std::vector<std::int32_t>{4, 0, 2}));
  EXPECT_EQ(set.classes, 5U);
  std::vector<std::uint8_t> counting(18);
  std::iota(counting.begin(), counting.end(), std::uint8_t{0});
  EXPECT_EQ(set.pixels, counting);
  EXPECT_EQ(set.digest, sha256(idx_images(3) + idx_labels({4, 0, 2})));
  EXPECT_EQ(read_idx(files, 10).classes, 10U);
}

TEST(IdxReader, KeepsLargePixelsAndLabelsPositive) {
  const TempFolder folder;
  std::string images = idx_images(1);
  images.back() = '\xFF';
  const IdxFiles files{.images = folder.write("images", images), .labels = folder.write("labels", idx_labels({200}))};
  const ImageSet set = read_idx(files, std::nullopt);
  EXPECT_EQ(set.pixels.back(), 255);
  EXPECT_EQ(set.label.front(), 200);
  EXPECT_EQ(set.classes, 201U);
}

struct BadPair {
  std::string name;
  std::string images;
  std::string labels;
  std::string at_fault;
  std::vector<std::string> fragments;
};

class MalformedIdx : public testing::TestWithParam<BadPair> {};

TEST_P(MalformedIdx, IsRejected) {
  const TempFolder folder;
  const IdxFiles files{.images = folder.write("images", GetParam().images),
                       .labels = folder.write("labels", GetParam().labels)};
  for (const std::string& fragment : GetParam().fragments)
    expect_error<DataError>([&] { read_idx(files, 3); }, {fragment, (folder / GetParam().at_fault).string()});
}

const std::string images = idx_images(2);
const std::string labels = idx_labels({0, 2});
const std::string huge = big_endian(0xFFFFFFFF);

INSTANTIATE_TEST_SUITE_P(
    Table, MalformedIdx,
    testing::Values(
        BadPair{"EmptyFile", "", labels, "images", {"ends inside its idx header", "0 bytes"}},
        BadPair{"HeaderCutShort", images.substr(0, 15), labels, "images", {"ends inside its idx header", "15 bytes"}},
        BadPair{"LabelHeaderCutShort", images, labels.substr(0, 7), "labels", {"ends inside its idx header"}},
        BadPair{"Exchanged",
                labels + std::string(9, '\0'),
                images,
                "images",
                {"no idx file of images", "magic number 2049, expected 2051", "exchanged"}},
        BadPair{"ImagesAsLabels", images, images, "labels", {"no idx file of labels", "magic number 2051"}},
        BadPair{"OneByteMissing",
                images.substr(0, images.size() - 1),
                labels,
                "images",
                {"cut short", "27 bytes, of them 16 of a header that tells 2 x 2 x 3"}},
        BadPair{"OneByteMore", images + "x", labels, "images", {"longer than its header says", "29 bytes"}},
        BadPair{"LabelMissing", images, labels.substr(0, 9), "labels", {"cut short", "tells 2"}},
        BadPair{"NoImages", idx_images(0), idx_labels({}), "images", {"is empty", "sizes 0 x 2 x 3"}},
        BadPair{"NoWidth",
                big_endian(0x803) + big_endian(2) + big_endian(2) + big_endian(0),
                labels,
                "images",
                {"is empty", "sizes 2 x 2 x 0"}},
        BadPair{"HugeSizes", big_endian(0x803) + huge + huge + huge, labels, "images", {"cut short"}},
        BadPair{"CountsDiffer", images, idx_labels({0, 1, 2}), "labels", {"differ", "3 labels", "has 2 images"}},
        BadPair{
            "LabelBeyondClasses", images, idx_labels({0, 3}), "labels", {"none of the 3 classes", "image 1: label 3"}}),
    [](const auto& test_case) { return test_case.param.name; });

}  // namespace
}  // namespace driftless
