// A server with a valid certificate sends invalid answers. The site fails with a reason that names the server, or the
// answer has no effect; its output has no control characters.
#include "tests/network/hostile/hostile_server.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

void run_all(const std::vector<ServerAttack>& attacks) { for_each_case<ServerAttack>(attacks, run_attack); }

TEST(HostileServer, InvalidOffersAreRejected) { run_all(attacks_by_offers()); }
TEST(HostileServer, RejectionsAndOtherAnswersAreNeverASuccess) { run_all(attacks_by_answers()); }
TEST(HostileServer, InvalidTotalsAreRejected) { run_all(attacks_by_totals()); }
TEST(HostileServer, MessagesAtTheWrongTimeAreRejected) { run_all(attacks_by_sequence()); }

TEST(HostileServer, TheCatalogueIsLarge) {
  EXPECT_GE(attacks_by_offers().size() + attacks_by_answers().size() + attacks_by_totals().size() +
                attacks_by_sequence().size(),
            100U);
}

}  // namespace
}  // namespace driftless
