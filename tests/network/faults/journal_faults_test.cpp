// The server's journal under faults: removed files, a second server, the journal of another run.
#include "tests/cli/same_bits.hpp"
#include "tests/network/faults/campaign_case.hpp"
#include "tests/network/silos.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr double patience = 60;

// Waits until the file has so many lines; false after a timeout.
bool has_lines(const fs::path& file, std::size_t count) {
  for (int attempt = 0; attempt < 6000; ++attempt) {
    const std::string text = TempFolder::read(file);
    if (static_cast<std::size_t>(std::ranges::count(text, '\n')) >= count) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// The sites first: the server waits for a site that has failed.
void expect_ends(Silos& silos, const std::vector<std::string>& labels, const fs::path& alone) {
  std::vector<std::string> peers = silos.sites();
  peers.emplace_back("server");
  for (const std::string& who : peers) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos.standard_error_of(who);
    ASSERT_EQ(result->exit_code, 0) << who << "\n" << result->err;
    for (const std::string& label : labels)
      EXPECT_TRUE(fingerprint(alone, label) == fingerprint(silos.results(who), label)) << who << ", " << label;
  }
}

// Two methods of so many rounds that the journal has dropped the first exchanges of the second one when its site is
// killed; without --journal-bytes that takes more of them.
TEST(JournalFaults, ASiteKilledAfterFilesOfTheJournalWereRemovedContinues) {
  const bool small_files = serve_knows("--journal-bytes");
  const std::size_t rounds = small_files ? 60 : 450;
  const std::string gd = "[[method]]\nname = \"gd\"\nstep = 0.01\n";
  Silos silos("seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 20000\nsamples = 1\n"
              "[federation]\nclients = 2\nthreads = 1\n" +
                  gd + gd + "[stop]\nrounds = " + std::to_string(rounds) + "\n[output]\nsave_seconds = 0.05\n",
              {"north", "south"});
  if (small_files) silos.set_options("server", {"--journal-bytes", "1000000"});
  const fs::path alone = silos.alone();
  silos.start_all();
  ASSERT_TRUE(has_lines(silos.results("north") / "gd-2" / "metrics.csv", rounds * 19 / 20));
  ASSERT_TRUE(silos.kill("north"));
  silos.launch("north");
  expect_ends(silos, {"gd", "gd-2"}, alone);
}

TEST(JournalFaults, ASecondServerInTheSameFolderIsRejectedAndTheRunIsUnaffected) {
  const std::string config = "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 200000\n"
                             "samples = 1\n[federation]\nclients = 2\nthreads = 1\n[[method]]\nname = \"gd\"\n"
                             "step = 0.01\n[stop]\nrounds = 60\n[output]\nsave_seconds = 0.05\n";
  Silos silos(config, {"north", "south"});
  const fs::path alone = silos.alone();
  silos.start_all();
  fs::create_directories(silos.folder() / "second");
  for (const std::size_t rows : {2, 10, 20, 30, 40}) {
    ASSERT_TRUE(has_lines(silos.results("server") / "gd" / "metrics.csv", rows));
    Program second({.arguments = silos.serve_arguments(rows % 4 == 0 ? silos.address() : "127.0.0.1:0",
                                                       silos.home("server") / "run"),
                    .folder = silos.folder() / "second"});
    const std::optional<ProgramResult> result = second.wait_for(patience);
    ASSERT_TRUE(result.has_value()) << "a second server runs in the folder of the first";
    EXPECT_EQ(result->exit_code, 2) << result->err;
  }
  silos.kill("server");
  silos.launch("server");
  expect_ends(silos, {"gd"}, alone);
}

// Two runs with the same configuration and other data.
class OtherJournal : public testing::TestWithParam<std::string> {
 protected:
  void run_halfway(std::uint64_t seed) {
    for (const std::string& site : silos_.sites()) {
      write_site_data(silos_.home(site) / "data.svm", case_.dim, seed++);
      silos_.set_options(site, {"--data", "data.svm"});
    }
    silos_.start_all();
    ASSERT_TRUE(has_lines(silos_.results("server") / "scaffold" / "metrics.csv", case_.rounds() / 3));
    for (const std::string& who : silos_.peers()) silos_.kill(who);
  }

  CampaignCase case_;
  Silos silos_{case_.config(), {"north", "south", "west"}, "grace = 20\n"};
};

TEST_P(OtherJournal, IsRejected) {
  run_halfway(100);
  if (HasFatalFailure()) return;
  const fs::path journal = silos_.home("server") / "run" / "journal";
  const fs::path other = silos_.folder() / "other-journal";
  fs::copy(journal, other, fs::copy_options::recursive);
  silos_.forget_run();
  run_halfway(1);
  if (HasFatalFailure()) return;
  if (GetParam() == "Whole") fs::remove_all(journal);
  fs::copy(other, journal, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  for (const std::string& who : silos_.peers()) silos_.launch(who);
  const std::optional<ProgramResult> server = silos_.wait_for("server", patience);
  ASSERT_TRUE(server.has_value()) << silos_.standard_error_of("server");
  EXPECT_EQ(server->exit_code, 5) << server->err;
  EXPECT_NE(server->err.find("journal"), std::string::npos) << server->err;
}

INSTANTIATE_TEST_SUITE_P(Network, OtherJournal, testing::Values("Whole", "OverItsOwn"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace driftless
