// Peers are killed at any moment and restarted, and the run ends with the bits of the undisturbed one.
#include "driftless/core/random.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace driftless {
namespace {

// The number of kills in each run: a few in the ordinary tests, more by the environment.
std::size_t kills() {
  const char* asked = std::getenv("DRIFTLESS_TEST_KILLS");
  return asked != nullptr ? std::stoul(asked) : 5;
}

struct FaultCase {
  std::string name;
  std::string options;
};

std::string config_of(const FaultCase& c) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\ndim = 60\nsamples = 6\n[federation]\nclients = 6\nthreads = 1\n"
         "[[method]]\nname = \"" +
         c.name + "\"\n" + c.options + "[stop]\nrounds = " + std::to_string(600 + 300 * kills()) +
         "\n[output]\nsave_seconds = 0.1\n";
}

class Faults : public testing::TestWithParam<FaultCase> {};

TEST_P(Faults, ARunWithRandomKillsEndsWithTheBitsOfTheUndisturbedOne) {
  Silos silos(config_of(GetParam()), {"north", "south", "west"}, "hosts = [1, 3, 2]\n");
  const std::string undisturbed = fingerprint(silos.alone(), GetParam().name);
  silos.start_all();
  Stream chance(kills() + GetParam().name.size(), Purpose::generator);
  std::vector<std::string> peers = silos.sites();
  peers.emplace_back("server");
  std::size_t killed = 0;
  for (; killed < kills(); ++killed) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + chance.index(300)));
    const std::string& who = peers[chance.index(peers.size())];
    if (!silos.still_runs(who)) break;  // a fast machine: the run is over
    silos.kill(who);
    std::this_thread::sleep_for(std::chrono::milliseconds(chance.index(200)));
    if (who == "server") silos.start_server();
    else silos.start_site(who);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GE(killed, (kills() + 1) / 2) << "the run is too short for this test";
  for (const std::string& who : peers) {
    const ProgramResult result = silos.wait(who);
    ASSERT_EQ(result.exit_code, 0) << who << " after " << killed << " kills\n" << result.err;
    EXPECT_EQ(undisturbed, fingerprint(silos.results(who), GetParam().name)) << who;
  }
}

std::string fault_name(const testing::TestParamInfo<FaultCase>& info) {
  std::string name;
  for (const char c : info.param.name)
    if (c != '-') name += c == '+' ? std::string("Plus") : std::string(1, c);
  return name;
}

INSTANTIATE_TEST_SUITE_P(Network, Faults,
                         testing::Values(FaultCase{"fedred-gd", "lambda = 5\neta = 100\np = 0.2\n"},
                                         FaultCase{"dane+", "lambda = 1\n"},
                                         FaultCase{"scaffold", "step = 0.01\nlocal_steps = 5\n"},
                                         FaultCase{"scaffnew", "step = 0.01\np = 0.2\n"}),
                         fault_name);

TEST(NetworkFaults, ASiteThatDoesNotReturnEndsTheRunWithAReasonAndTheRunCanBeContinued) {
  const FaultCase c{"gd", "step = 0.01\n"};
  Silos silos(config_of(c), {"north", "south"}, "grace = 1\n");
  const std::string undisturbed = fingerprint(silos.alone(), "gd");
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  silos.kill("south");
  const ProgramResult server = silos.wait("server");
  EXPECT_EQ(server.exit_code, 4) << server.err;
  EXPECT_NE(server.err.find("site 'south' has been away for more than 1 s"), std::string::npos) << server.err;
  const ProgramResult north = silos.wait("north");
  EXPECT_EQ(north.exit_code, 4) << north.err;
  EXPECT_NE(north.err.find("a site was lost"), std::string::npos) << north.err;
  silos.start_all();
  for (const char* who : {"server", "north", "south"}) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
    EXPECT_EQ(undisturbed, fingerprint(silos.results(who), "gd")) << who;
  }
}

TEST(NetworkFaults, AnInterruptedRunEndsForAllAndContinuesLater) {
  const FaultCase c{"gd", "step = 0.01\n"};
  Silos silos(config_of(c), {"north", "south"});
  const std::string undisturbed = fingerprint(silos.alone(), "gd");
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  silos.interrupt("server");
  for (const char* who : {"server", "north", "south"}) EXPECT_EQ(silos.wait(who).exit_code, 130) << who;
  silos.start_all();
  for (const char* who : {"server", "north", "south"}) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
    EXPECT_EQ(undisturbed, fingerprint(silos.results(who), "gd")) << who;
  }
}

TEST(NetworkFaults, ARunThatDropsLostSitesContinuesWithoutThem) {
  const FaultCase c{"gd", "step = 0.01\n"};
  Silos silos(config_of(c), {"north", "south", "west"}, "grace = 3\non_loss = \"drop\"\nquorum = 2\n");
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "'west' joined"));
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  silos.kill("south");
  ASSERT_TRUE(silos.prints("server", "continues without it"));
  for (const char* who : {"server", "north"}) {  // a restarted peer knows of the loss
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ASSERT_TRUE(silos.kill(who));
    if (std::string(who) == "server") silos.start_server();
    else silos.start_site(who);
  }
  for (const char* who : {"server", "north", "west"}) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
  }
  EXPECT_EQ(fingerprint(silos.results("server"), "gd"), fingerprint(silos.results("west"), "gd"));
  EXPECT_EQ(fingerprint(silos.results("server"), "gd"), fingerprint(silos.results("north"), "gd"));
}

TEST(NetworkFaults, FewerThanTheQuorumFail) {
  const FaultCase c{"gd", "step = 0.01\n"};
  Silos silos(config_of(c), {"north", "south"}, "grace = 0.5\non_loss = \"drop\"\nquorum = 2\n");
  silos.start_all();
  // Both, because a site that leaves before the run is awaited for as long as any other site.
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  silos.kill("south");
  const ProgramResult server = silos.wait("server");
  EXPECT_EQ(server.exit_code, 1) << server.err;
  EXPECT_NE(server.err.find("too few sites are left"), std::string::npos) << server.err;
  EXPECT_EQ(silos.wait("north").exit_code, 1);
}

// A truncated or changed checkpoint is rejected, and no peer starts with it.
TEST(NetworkFaults, DamagedCheckpointsAndJournalsAreRejected) {
  const FaultCase c{"fedred-gd", "lambda = 5\neta = 100\np = 0.2\n"};
  Silos silos(config_of(c), {"north", "south"}, "grace = 2\n");
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  const std::filesystem::path state = silos.results("north") / "fedred-gd" / "state.bin";
  for (int i = 0; i < 500 && !std::filesystem::exists(state); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  silos.kill("north");
  silos.kill("south");
  silos.kill("server");
  std::string bytes = TempFolder::read(state);
  ASSERT_GT(bytes.size(), 100U);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(state, std::ios::binary) << bytes;
  silos.start_server();
  silos.start_site("north");
  silos.start_site("south");
  const ProgramResult north = silos.wait("north");
  EXPECT_EQ(north.exit_code, 5) << north.err;
  EXPECT_NE(north.err.find("state.bin"), std::string::npos) << north.err;
  silos.kill("server");
  silos.kill("south");

  for (const auto& entry : std::filesystem::directory_iterator(silos.home("server") / "run" / "journal")) {
    std::string journal = TempFolder::read(entry.path());
    if (journal.size() < 200) continue;
    journal[journal.size() / 2] ^= 1;
    std::ofstream(entry.path(), std::ios::binary) << journal;
  }
  const ProgramResult server = run_program({.arguments = {"serve", "../case.toml", "--listen", "127.0.0.1:0", "--tls",
                                                          silos.certificates("server").string(), "--out", "run"},
                                            .folder = silos.home("server")});
  EXPECT_EQ(server.exit_code, 5) << server.err;
  EXPECT_NE(server.err.find("the journal of the run is damaged"), std::string::npos) << server.err;
}

}  // namespace
}  // namespace driftless
