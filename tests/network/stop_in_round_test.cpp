// A federation whose time or work is over in the middle of a round, which would last for minutes: all peers leave it,
// write the last whole round and continue with the next method.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace driftless {
namespace {

constexpr double patience = 60;

std::string config(const std::string& stop) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 2000\nsamples = 1\n"
         "[federation]\nclients = 3\nthreads = 1\n[[method]]\nname = \"scaffnew\"\nstep = 1e-3\np = 1e-9\n"
         "[[method]]\nname = \"gd\"\nstep = 1e-3\n[stop]\nrounds = 5\n" +
         stop + "\n[output]\nsave_seconds = 0\n";
}

class StopInRound : public testing::TestWithParam<std::string> {
 protected:
  void expect_ends() {
    const std::filesystem::path alone = silos_.alone();
    for (const std::string& who : silos_.peers()) {
      const std::optional<ProgramResult> result = silos_.wait_for(who, patience);
      ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos_.standard_error_of(who);
      EXPECT_EQ(result->exit_code, 0) << who << "\n" << result->err;
      for (const char* method : {"scaffnew", "gd"})
        EXPECT_EQ(fingerprint(silos_.results(who), method), fingerprint(alone, method)) << method << " at " << who;
      EXPECT_EQ(reason_at(who, "scaffnew"), GetParam()) << who;
      EXPECT_EQ(reason_at(who, "gd"), "rounds") << who;
    }
  }
  std::string reason_at(const std::string& who, const std::string& method) const {
    const std::string text = TempFolder::read(silos_.results(who) / method / "summary.json");
    return nlohmann::json::parse(text, nullptr, false).value("stop_reason", "none");
  }
  // Waits until the first round has begun, or is over; false after a timeout.
  bool has_begun(const std::string& who) const {
    for (int attempt = 0; attempt < 6000; ++attempt) {
      for (const char* file : {"scaffnew/state.bin", "scaffnew/summary.json"})
        if (std::filesystem::exists(silos_.results(who) / file)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  Silos silos_{config(GetParam() == "seconds" ? "seconds = 1" : "grad_evals = 20000"), {"north", "south"}};
};

TEST_P(StopInRound, AllPeersLeaveTheRoundAndContinueWithTheNextMethod) {
  silos_.start_all();
  expect_ends();
}

TEST_P(StopInRound, SoDoPeersThatAreKilledInTheRoundAndStartedAgain) {
  silos_.start_all();
  ASSERT_TRUE(has_begun("north")) << silos_.standard_error_of("north");
  silos_.kill("north");
  silos_.start_site("north");
  ASSERT_TRUE(has_begun("server"));
  silos_.kill("server");
  silos_.start_server();
  expect_ends();
}

INSTANTIATE_TEST_SUITE_P(Limits, StopInRound, testing::Values("seconds", "grad_evals"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace driftless
