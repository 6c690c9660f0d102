// The short form of scripts/test-faults. The environment asks for more: DRIFTLESS_TEST_FAULTS, DRIFTLESS_TEST_SEED, and
// DRIFTLESS_TEST_DIM for one dimension alone, DRIFTLESS_TEST_MASKED=1 for sites that mask their rows.
#include "tests/network/faults/fault_campaign.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace driftless {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::stoull(text) : otherwise;
}

TEST(Campaign, RunsWithRandomFaultsEndWithTheBitsOfTheUndisturbedOnes) {
  CampaignOptions options{.seed = number_from("DRIFTLESS_TEST_SEED", 1),
                          .faults = number_from("DRIFTLESS_TEST_FAULTS", 36),
                          .cases = all_campaign_cases()};
  const bool is_long = options.faults >= 200;
  if (is_long) options.longest_stop = 30;
  const std::size_t dim = number_from("DRIFTLESS_TEST_DIM", 0);
  const bool only_masked = number_from("DRIFTLESS_TEST_MASKED", 0) != 0;
  std::erase_if(options.cases, [&](const CampaignCase& c) {
    if (only_masked && !c.masked) return true;
    return dim != 0 ? c.dim != dim : !is_long && c.dim > 100'000;
  });
  std::printf("seed %llu, at least %zu faults\n", static_cast<unsigned long long>(options.seed), options.faults);
  FaultCampaign campaign(options);
  campaign.run();
  std::printf("%s", campaign_table(campaign.records()).c_str());
  for (const CampaignRecord& record : campaign.records()) {
    EXPECT_EQ(record.verdict, CampaignVerdict::right) << record.tested.name() << "\n" << record.reason;
    EXPECT_TRUE(record.verdict != CampaignVerdict::right || record.journal_files >= 4) << record.tested.name();
  }
}

}  // namespace
}  // namespace driftless
