// A site with a valid certificate sends invalid messages. The honest sites and the server end with the right bits, and
// the site is named and dropped, or the message has no effect.
#include "tests/network/hostile/hostile_site.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

void run_all(const std::vector<SiteAttack>& attacks) { for_each_case<SiteAttack>(attacks, run_attack); }

TEST(HostileSite, CallsBesideTheStreamHaveNoEffect) { run_all(attacks_by_calls()); }
TEST(HostileSite, AWrongGreetingIsRejectedAndAnHonestOneAccepted) { run_all(attacks_by_greetings()); }
TEST(HostileSite, ASiteWithInvalidFactsIsDropped) { run_all(attacks_by_facts()); }
TEST(HostileSite, ASiteWithInvalidRowsIsDropped) { run_all(attacks_by_rows()); }
TEST(HostileSite, OtherMessagesDropTheSiteOrHaveNoEffect) { run_all(attacks_by_messages()); }

TEST(HostileSite, TheCatalogueIsLarge) {
  EXPECT_GE(attacks_by_calls().size() + attacks_by_greetings().size() + attacks_by_facts().size() +
                attacks_by_rows().size() + attacks_by_messages().size(),
            100U);
}

}  // namespace
}  // namespace driftless
