// A server that is started twice, again after the end, or that loses its folder.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double patience = 60;  // less than the grace below, which ends by itself
constexpr double soon = 30;

std::string config(std::size_t rounds) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 200\nsamples = 1\n"
         "[federation]\nclients = 2\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 1e-3\n[stop]\nrounds = " +
         std::to_string(rounds) + "\n[output]\nsave_seconds = 0.1\n";
}
constexpr std::size_t endless = 100'000'000;

class ServerRestart : public testing::Test {
 protected:
  void expect_end(const std::string& who, double seconds = patience) {
    const std::optional<ProgramResult> result = silos_.wait_for(who, seconds);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos_.standard_error_of(who);
    EXPECT_EQ(result->exit_code, 0) << who << "\n" << result->err;
    EXPECT_EQ(bytes_, fingerprint(silos_.results(who), "gd")) << who;
  }
  void run_to_the_end() {
    silos_.start_all();
    for (const std::string& who : silos_.peers()) expect_end(who);
  }
  fs::path folder() const { return silos_.home("server") / "run"; }

  Silos silos_{config(30), {"north", "south"}, "grace = 100\n"};
  std::string bytes_ = fingerprint(silos_.alone(), "gd");
};

std::string contents(const fs::path& folder) {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename().string().find("status.json") == std::string::npos)
      all += entry.path().string() + "\n" + TempFolder::read(entry.path());
  return all;
}

TEST_F(ServerRestart, ASecondServerInTheFolderIsRejectedAtOnceAndChangesNothing) {
  silos_.start_server();
  const std::string before = contents(folder());
  fs::create_directories(silos_.folder() / "second");
  for (const std::string& listen : {silos_.address(), std::string("127.0.0.1:0")}) {
    Program second({.arguments = silos_.serve_arguments(listen, folder()), .folder = silos_.folder() / "second"});
    const std::optional<ProgramResult> result = second.wait_for(soon);
    ASSERT_TRUE(result.has_value()) << listen;
    EXPECT_EQ(result->exit_code, 2) << result->err;
    EXPECT_THAT(result->err, AllOf(HasSubstr("another process uses this"), HasSubstr(folder().string())));
  }
  EXPECT_EQ(before, contents(folder()));
  silos_.kill("server");
  run_to_the_end();
}

TEST_F(ServerRestart, AFinishedServerEndsAtOnceWhereAllSitesHaveFinished) {
  run_to_the_end();
  silos_.start_server();
  expect_end("server", soon);
}

TEST_F(ServerRestart, AFinishedSiteReportsToAServerThatHasNotRecordedIt) {
  run_to_the_end();
  fs::remove(folder() / "finished-sites");
  silos_.start_server();
  for (const std::string& site : silos_.sites()) silos_.start_site(site);
  for (const std::string& who : silos_.peers()) expect_end(who, soon);
}

// Killed after its sites have finished and before its own results were written.
TEST_F(ServerRestart, AServerThatHasAllTotalsNeedsNoSiteToFinish) {
  run_to_the_end();
  fs::remove_all(silos_.results("server"));
  silos_.start_server();
  expect_end("server", soon);
  fs::remove_all(silos_.results("server"));
  fs::remove(folder() / "finished-sites");
  silos_.start_server();
  for (const std::string& site : silos_.sites()) silos_.start_site(site);
  for (const std::string& who : silos_.peers()) expect_end(who, soon);
}

TEST(ServerEnd, AFinishedServerWaitsForUnknownSitesNoLongerThanTheGrace) {
  Silos silos(config(3), {"north", "south"}, "grace = 2\n");
  silos.start_all();
  for (const std::string& who : silos.peers()) EXPECT_EQ(silos.wait(who).exit_code, 0);
  fs::remove(silos.home("server") / "run/finished-sites");
  silos.start_server();
  const std::optional<ProgramResult> result = silos.wait_for("server", soon);
  ASSERT_TRUE(result.has_value()) << silos.standard_error_of("server");
  EXPECT_EQ(result->exit_code, 0) << result->err;
}

// All end with this code, and only the site at fault is reported as cut off.
void expect_fair_end(Silos& silos, const std::vector<std::string>& peers, int code) {
  for (const std::string& who : peers) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos.standard_error_of(who);
    EXPECT_EQ(result->exit_code, code) << who << "\n" << result->err;
    EXPECT_THAT(result->err, Not(HasSubstr("fault of the program"))) << who;
    EXPECT_THAT(result->err, AllOf(Not(HasSubstr("'north' is cut off")), Not(HasSubstr("'north' aborted")),
                                   Not(HasSubstr("'north' left"))))
        << who;
  }
}

TEST(ServerEnd, ARemovedJournalEndsTheRunWithItsName) {
  Silos silos(config(endless), {"north", "south"});
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  const fs::path journal = silos.home("server") / "run/journal";
  fs::remove_all(journal);
  expect_fair_end(silos, silos.peers(), 5);
  EXPECT_THAT(silos.standard_error_of("server"), HasSubstr("run/journal"));
}

TEST(ServerEnd, OnlyTheSiteAtFaultIsReportedAsCutOff) {
  Silos silos(config(endless), {"north", "south"}, "grace = 1\n");
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  ASSERT_TRUE(silos.prints("server", "'south' joined"));
  silos.kill("south");
  expect_fair_end(silos, {"server", "north"}, 4);
  EXPECT_THAT(silos.standard_error_of("server"), HasSubstr("'south' has been away"));
}

}  // namespace
}  // namespace driftless
