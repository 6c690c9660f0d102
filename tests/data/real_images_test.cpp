// Public sets of images as their publishers describe them. Skipped on machines that do not have the files.
#include "driftless/core/error.hpp"
#include "driftless/data/images/channel_statistics.hpp"
#include "driftless/data/images/find_images.hpp"
#include "driftless/data/images/read_images.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/own_folders.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace driftless {
namespace {

bool are_available(const std::string& name) {
  try {
    find_images(name);
    return true;
  } catch (const DataError&) { return false; }
}

struct Described {
  std::string name;
  ImageShape shape;
  std::size_t train;
  std::size_t test;
  std::size_t classes;
  std::string test_digest;
};

class RealImages : public testing::TestWithParam<Described> {};

TEST_P(RealImages, AreAsDescribedAndHaveTheStatisticsBuiltIn) {
  const Described& set = GetParam();
  if (!are_available(set.name))
    GTEST_SKIP() << set.name << " is not on this machine; name its folder in DRIFTLESS_DATA";
  const ImageData data = read_images(set.name);
  EXPECT_EQ(data.train.name, set.name);
  EXPECT_EQ(data.train.shape, set.shape);
  EXPECT_EQ(data.test.shape, set.shape);
  EXPECT_EQ(data.train.images(), set.train);
  EXPECT_EQ(data.test.images(), set.test);
  EXPECT_EQ(data.train.pixels.size(), set.train * set.shape.size());
  EXPECT_EQ(data.train.classes, set.classes);
  EXPECT_EQ(std::ranges::max(data.train.label), static_cast<std::int32_t>(set.classes) - 1);
  EXPECT_EQ(data.test.digest, set.test_digest);
  const ChannelStatistics measured = channel_statistics(data.train);
  ASSERT_EQ(data.mean.size(), set.shape.channels);
  for (std::size_t channel = 0; channel < set.shape.channels; ++channel) {
    EXPECT_NEAR(data.mean[channel], measured.mean[channel], 0.5e-4 + 1e-9);
    EXPECT_NEAR(data.deviation[channel], measured.deviation[channel], 0.5e-4 + 1e-9);
  }
}

constexpr ImageShape digit{.channels = 1, .height = 28, .width = 28};

INSTANTIATE_TEST_SUITE_P(Table, RealImages,
                         testing::Values(Described{"mnist", digit, 60000, 10000, 10,
                                                   "18489308deedfe2f7bd3a11e599a597126f161d991b1ffcffb71642aa76f7f62"},
                                         Described{"fashion-mnist", digit, 60000, 10000, 10,
                                                   "30214f3fe91405cb8ea60b11ecf0914a65dd6a6ca8e13c13a62eb434f2d9fe56"},
                                         Described{"cifar10",
                                                   {.channels = 3, .height = 32, .width = 32},
                                                   50000,
                                                   10000,
                                                   10,
                                                   "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"}),
                         [](const auto& test_case) {
                           std::string name = test_case.param.name;
                           std::erase(name, '-');
                           return name;
                         });

using RealImagesElsewhere = InOwnFolders;

TEST_F(RealImagesElsewhere, AreRecognisedUnderTheNameOfAnotherSet) {
  if (!are_available("fashion-mnist"))
    GTEST_SKIP() << "fashion-mnist is not on this machine; install dataset-fashion-mnist";
  const auto folder = std::filesystem::absolute(find_images("fashion-mnist").train.front()).parent_path();
  std::filesystem::create_directory_symlink(folder, "mnist");
  expect_error<DataError>([] { read_images("mnist"); },
                          {"those of another set", "fashion-mnist, asked for mnist", "a folder 'fashion-mnist'"});
}

}  // namespace
}  // namespace driftless
