// A full disk ends the peer with an error that names the file. With free space the same commands continue the run, to
// the bits of the undisturbed one.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"
#include "tests/support/file_faults.hpp"

#include <gtest/gtest.h>
#include <sys/mount.h>

namespace driftless {
namespace {

const std::string config =
    "seed = 5\n[problem]\nkind = \"quadratic\"\ndim = 2000\nsamples = 1\n[federation]\nclients = 2\n"
    "threads = 1\n[[method]]\nname = \"gd\"\nstep = 0.01\n[stop]\nrounds = 40\n"
    "[output]\nsave_seconds = 0\n";

// Once there is free space an operator restarts every peer that has ended with an error, until all succeed.
void expect_end(Silos& silos, const std::string& bits) {
  EXPECT_EQ(silos.finish_with_restarts(), "");
  for (const std::string& who : silos.peers()) EXPECT_TRUE(bits == fingerprint(silos.results(who), "gd")) << who;
}

void expect_full(Silos& silos, const std::string& who) {
  const std::optional<ProgramResult> result = silos.wait_for(who, 60);
  ASSERT_TRUE(result.has_value()) << silos.standard_error_of(who);
  // 2 where not even the configuration can be written: then the folder is reported.
  EXPECT_TRUE(result->exit_code == 5 || result->exit_code == 2) << result->exit_code << "\n" << result->err;
  EXPECT_NE(result->err.find("run/"), std::string::npos) << result->err;
}

class DiskFull : public testing::TestWithParam<std::string> {};

TEST_P(DiskFull, EndsThePeerWithTheFileAndTheRunCanBeContinued) {
  Silos silos(config, {"north", "south"}, "grace = 60\n");
  const std::string bits = fingerprint(silos.alone(), "gd");
  for (const std::uint64_t room : {300, 20'000, 150'000}) {
    silos.forget_run();
    const FileFaults faults{.under = silos.home(GetParam()) / "run", .logs = silos.folder() / "logs"};
    silos.set_environment(GetParam(), faults.environment());
    faults.fill_disk(room);
    for (const std::string& who : silos.peers()) silos.launch(who);
    expect_full(silos, GetParam());
    if (HasFatalFailure()) return;
    faults.make_room();
    expect_end(silos, bits);
  }
}

class SmallDisk {
 public:
  SmallDisk(std::filesystem::path folder, const std::string& size) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  void resize(const std::string& size) const {
    ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, ("size=" + size).c_str());
  }

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
};

TEST_P(DiskFull, OfTheSystemEndsThePeerWithTheFileAndTheRunCanBeContinued) {
  Silos silos(config, {"north", "south"}, "grace = 60\n");
  const std::string bits = fingerprint(silos.alone(), "gd");
  const SmallDisk disk(silos.home(GetParam()) / "run", "100k");
  if (!disk.mounted()) GTEST_SKIP() << "file systems may not be mounted here";
  for (const std::string& who : silos.peers()) silos.launch(who);
  expect_full(silos, GetParam());
  if (HasFatalFailure()) return;
  disk.resize("100m");
  expect_end(silos, bits);
}

INSTANTIATE_TEST_SUITE_P(Network, DiskFull, testing::Values("server", "north"),
                         [](const auto& peer) { return peer.param == "server" ? "Server" : "Site"; });

}  // namespace
}  // namespace driftless
