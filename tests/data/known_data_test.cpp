#include "driftless/data/known_data.hpp"

#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

#include "tests/support/available_data.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(KnownData, IsSortedWithAWholeDigestAndAnAddressEach) {
  EXPECT_TRUE(std::ranges::is_sorted(known_data(), {}, &KnownData::name));
  for (const KnownData& known : known_data()) {
    EXPECT_EQ(known.sha256.size(), 64U) << known.name;
    EXPECT_THAT(known.url(), testing::StartsWith("https://")) << known.name;
  }
}

TEST(KnownData, DigestsAreThoseOfTheAvailableSets) {
  std::size_t compared = 0;
  for (const KnownData& known : known_data()) {
    const auto file = available_data(std::string(known.name));
    if (!file) continue;
    const std::string text = read_input_file(*file);
    EXPECT_EQ(text.size(), known.bytes) << *file;
    EXPECT_EQ(sha256(text), known.sha256) << *file;
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "no data sets in DRIFTLESS_DATA; digests were not compared";
}

}  // namespace
}  // namespace driftless
