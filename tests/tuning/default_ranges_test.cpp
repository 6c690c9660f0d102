#include "driftless/methods/catalog.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace driftless {
namespace {

bool ranged(const MethodEntry& entry, const std::string& option) {
  return std::ranges::find(entry.ranges, option, &DefaultRange::option) != entry.ranges.end();
}

// A search without ranges needs a value, or values, for every option that has no default.
TEST(DefaultRanges, EveryRequiredOptionHasARangeOrAValueFromTheory) {
  for (const MethodEntry& entry : method_catalog())
    for (const OptionInfo& option : entry.options) {
      if (!option.required) continue;
      const bool theory = std::ranges::find(entry.theory, option.name, &TheoryValue::option) != entry.theory.end();
      EXPECT_TRUE(theory || ranged(entry, option.name)) << entry.name << ": " << option.name;
    }
}

TEST(DefaultRanges, EveryMethodHasOne) {
  for (const MethodEntry& entry : method_catalog()) EXPECT_FALSE(entry.ranges.empty()) << entry.name;
}

TEST(DefaultRanges, NameEachOptionOnceAndHoldTheValueThatTheyStartFrom) {
  for (const MethodEntry& entry : method_catalog())
    for (const DefaultRange& range : entry.ranges) {
      SCOPED_TRACE(entry.name + ": " + range.option);
      EXPECT_TRUE(has_option(entry, range.option));
      EXPECT_EQ(std::ranges::count(entry.ranges, range.option, &DefaultRange::option), 1);
      EXPECT_NE(range.values.empty(), range.multiples.empty());
      if (range.values.empty()) EXPECT_EQ(std::ranges::count(range.multiples, 1.0), 1);
    }
}

TEST(DefaultRanges, LeaveOptionsOfLocalSolversAlone) {
  EXPECT_TRUE(ranged(find_method("fedavg"), "local_steps"));
  EXPECT_FALSE(ranged(find_method("dane+-gd"), "local_steps"));
  EXPECT_FALSE(ranged(find_method("fedred-gd"), "eta"));
  EXPECT_TRUE(ranged(find_method("fedadam"), "server_step"));
  EXPECT_FALSE(ranged(find_method("scaffold"), "server_step"));
}

}  // namespace
}  // namespace driftless
