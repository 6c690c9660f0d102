// Every method of the catalogue in a federation whose sites mask their rows: it has the bits of one process that adds
// the same integers, or it is refused because its exchanges would show rows.
#include "driftless/peers/join.hpp"
#include "driftless/peers/serve.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/embedded_server.hpp"

#include <future>
#include <gtest/gtest.h>

namespace driftless {
namespace {

constexpr std::array sites{"north", "south", "west"};

std::string config_of(const std::string& method, const std::string& network = "") {
  return quadratic_config({method}) + "[network]\nsites = [\"north\", \"south\", \"west\"]\nsecure_sum = true\n" +
         network;
}

// The fingerprints of all peers, or the reason why the run was refused.
struct Ended {
  std::vector<std::string> bits;
  std::string refused;
};

Ended federation_of(const TempFolder& folder, const std::string& method, const std::string& network = "") {
  Ended ended;
  EmbeddedServer server(folder, config_of(method, network));
  std::vector<std::future<PeerRun>> runs;
  for (const char* site : sites)
    runs.push_back(std::async(std::launch::async, [&, site] {
      return join(
          {.address = server.address(), .plain = true, .site = site, .out = (folder / site).string(), .threads = 1});
    }));
  const auto take = [&](const auto& run) {
    try {
      ended.bits.push_back(fingerprint(run().results, method));
    } catch (const ConfigError& error) { ended.refused = error.info().what; } catch (const Error&) {
    }
  };
  for (std::future<PeerRun>& run : runs) take([&] { return run.get(); });
  take([&] { return server.wait(); });
  return ended;
}

std::string alone(const TempFolder& folder, const std::string& method) {
  const Experiment experiment = run_experiment(parse_config(config_of(method), "the configuration", Paths::as_written),
                                               {.out = (folder / "alone").string()});
  EXPECT_FALSE(experiment.failure) << method;
  return fingerprint(folder / "alone", method);
}

// Methods in which single clients speak, or all clients with each other: docs/privacy.md lists them.
const std::set<std::string>& refused_methods() {
  static const std::set<std::string> names{};
  return names;
}

class SecureSumMethods : public testing::TestWithParam<std::string> {};

TEST_P(SecureSumMethods, HaveTheBitsOfOneProcessOrAreRefused) {
  const TempFolder folder;
  const Ended ended = federation_of(folder, GetParam());
  if (refused_methods().contains(GetParam())) {
    EXPECT_NE(ended.refused.find("secure_sum is on"), std::string::npos) << ended.refused;
    return;
  }
  EXPECT_EQ(ended.refused, "");
  const std::string expected = alone(folder, GetParam());
  EXPECT_EQ(ended.bits, std::vector<std::string>(sites.size() + 1, expected));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  std::ranges::replace(name, '+', 'p');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, SecureSumMethods, testing::ValuesIn(all_method_names()), test_name);

// Rows have masks of their own where a site may be lost; the totals are the same.
TEST(SecureSum, SitesThatMayBeLostHaveTheSameBits) {
  for (const char* method : {"newton-cg", "scaffold", "dane+-gd"}) {
    const TempFolder folder;
    const Ended ended = federation_of(folder, method, "on_loss = \"drop\"\n");
    EXPECT_EQ(ended.refused, "");
    EXPECT_EQ(ended.bits, std::vector<std::string>(sites.size() + 1, alone(folder, method))) << method;
  }
}

}  // namespace
}  // namespace driftless
