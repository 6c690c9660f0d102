// The start of a peer: drafts of a start that was killed, private files, addresses.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string config =
    "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 20\nsamples = 1\n"
    "[federation]\nclients = 2\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 0.01\n"
    "[stop]\nrounds = 3\n[output]\nsave_seconds = 0\n";
const std::vector<std::string> peers{"north", "south", "server"};

void expect_whole_run(Silos& silos, const std::string& bytes) {
  silos.start_all();
  if (testing::Test::HasFatalFailure()) return;  // the sites would wait for the server
  for (const std::string& who : peers) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
    EXPECT_EQ(bytes, fingerprint(silos.results(who), "gd")) << who;
  }
}

std::vector<fs::path> all_in(const fs::path& folder) {
  std::vector<fs::path> paths{folder};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) paths.push_back(entry.path());
  return paths;
}

class KilledAtStart : public testing::TestWithParam<std::string> {};

TEST_P(KilledAtStart, ThePeersStartAgainWithTheSameCommands) {
  Silos silos(config, {"north", "south"});
  for (const std::string& who : peers) {
    const fs::path left = silos.home(who) / "run" / GetParam();
    fs::create_directories(left.parent_path());
    if (!GetParam().empty() && !GetParam().ends_with('/')) std::ofstream(left) << "half a fi";
  }
  expect_whole_run(silos, fingerprint(silos.alone(), "gd"));
  for (const std::string& who : peers)
    for (const fs::path& path : all_in(silos.home(who) / "run"))
      EXPECT_EQ(path.string().find(".part-"), std::string::npos) << path;
}

INSTANTIATE_TEST_SUITE_P(Windows, KilledAtStart, testing::Values("", "run-id.part-4711"), [](const auto& left) {
  return std::string(left.param.empty() ? "EmptyFolder" : "DraftOfTheRunId");
});

// The run has its identifier, and then: an empty folder of results, or an incomplete file in it.
TEST(PeerFolder, ResultsWithoutContentAreWrittenAgain) {
  Silos silos(config, {"north", "south"});
  silos.start_all();
  for (const std::string& who : peers) EXPECT_EQ(silos.wait(who).exit_code, 0);
  const std::string bytes = fingerprint(silos.alone(), "gd");
  for (const std::string file : {"", "config.toml.part-4711"}) {
    SCOPED_TRACE(file);
    for (const std::string& who : peers) {
      fs::remove_all(silos.results(who));
      fs::create_directory(silos.results(who));
      if (!file.empty()) std::ofstream(silos.results(who) / file) << "half a fi";
    }
    fs::remove_all(silos.home("server") / "run/journal");
    fs::remove(silos.home("server") / "run/finished-sites");
    expect_whole_run(silos, bytes);
  }
}

TEST(PeerFolder, FilesOfOthersAreNotTouched) {
  Silos silos(config, {"north", "south"});
  silos.folder().write("server/run/thesis.part-1", "mine");
  silos.folder().write("server/run/run-id.part-one", "mine");
  const ProgramResult result = run_program({.arguments = {"serve", "../case.toml", "--listen", "127.0.0.1:0", "--tls",
                                                          silos.certificates("server").string(), "--out", "run"},
                                            .folder = silos.home("server")});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("is not empty"));
  EXPECT_EQ(TempFolder::read(silos.home("server") / "run/thesis.part-1"), "mine");
}

mode_t mode_of(const fs::path& path) {
  struct stat facts{};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 07777U;
}

void expect_private(const fs::path& folder) {
  for (const fs::path& path : all_in(folder)) EXPECT_EQ(mode_of(path), fs::is_directory(path) ? 0700U : 0600U) << path;
}

TEST(PeerFolder, HoldsFilesThatOnlyItsOwnerCanRead) {
  Silos silos(config, {"north", "south"});
  fs::create_directory(silos.home("south") / "run");
  fs::permissions(silos.home("south") / "run", fs::perms(0755));
  expect_whole_run(silos, fingerprint(silos.alone(), "gd"));
  for (const std::string& who : peers) expect_private(silos.home(who) / "run");
}

TEST(PeerFolder, OfAnEarlierVersionIsMadePrivate) {
  Silos silos(config, {"north", "south"});
  silos.start_all();
  for (const std::string& who : peers) EXPECT_EQ(silos.wait(who).exit_code, 0);
  const fs::path outside = silos.folder().write("outside", "not the peer's");
  fs::permissions(outside, fs::perms(0644));
  fs::remove(silos.home("server") / "run/finished-sites");  // the earlier version did not have it
  for (const std::string& who : peers) {
    for (const fs::path& path : all_in(silos.home(who) / "run"))
      fs::permissions(path, fs::perms(fs::is_directory(path) ? 0755 : 0644));
    fs::create_symlink(outside, silos.home(who) / "run/link");
  }
  silos.start_all();
  for (const std::string site : {"north", "south"}) EXPECT_EQ(silos.wait(site).exit_code, 0);
  silos.kill("server");
  EXPECT_EQ(mode_of(outside), 0644U);
  for (const std::string& who : peers) {
    fs::remove(silos.home(who) / "run/link");
    expect_private(silos.home(who) / "run");
  }
}

TEST(PlainText, IsAllowedForNumericAddressesOfThisMachineOnly) {
  const TempFolder folder;
  const auto join = [&](const std::string& address) {
    return run_program(
        {.arguments = {"join", address, "--plain", "--site", "north", "--wait", "0.1"}, .folder = folder.path()});
  };
  for (const std::string address : {"127.evil.example:1", "127.0.0.1.example.org:1", "localhost.example.org:1",
                                    "127.0.0.256:1", "[::2]:1", "[127.0.0.1]:1", "10.0.0.1:1", "0.0.0.0:1"}) {
    const ProgramResult result = join(address);
    EXPECT_EQ(result.exit_code, 2) << address;
    EXPECT_THAT(result.err, HasSubstr("plain text stays on this machine")) << address;
  }
  for (const std::string address : {"127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "localhost:1"})
    EXPECT_EQ(join(address).exit_code, 3) << address;
}

}  // namespace
}  // namespace driftless
