// Every method of the catalogue in a federation whose sites mask their rows: it has the bits of one process that adds
// the same integers, or it is rejected because its exchanges would show rows.
#include "driftless/peers/join.hpp"
#include "driftless/peers/serve.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/embedded_server.hpp"

#include <future>
#include <gtest/gtest.h>
#include <set>

namespace driftless {
namespace {

constexpr std::array sites{"north", "south", "west"};

std::string config_of(const std::vector<std::string>& methods, const std::string& network = "") {
  return quadratic_config(methods) + "[network]\nsites = [\"north\", \"south\", \"west\"]\nsecure_sum = true\n" +
         network;
}

// The fingerprints of all peers, or the reason why the run was rejected.
struct Ended {
  std::vector<std::string> bits;
  std::string rejected;
};

std::string bits_of(const std::filesystem::path& run, const std::vector<std::string>& methods) {
  std::string bits;
  for (const std::string& method : methods) bits += fingerprint(run, method);
  return bits;
}

Ended federation_of(const TempFolder& folder, const std::vector<std::string>& methods,
                    const std::string& network = "") {
  Ended ended;
  EmbeddedServer server(folder, config_of(methods, network));
  std::vector<std::future<PeerRun>> runs;
  for (const char* site : sites)
    runs.push_back(std::async(std::launch::async, [&, site] {
      return join(
          {.address = server.address(), .plain = true, .site = site, .out = (folder / site).string(), .threads = 1});
    }));
  const auto take = [&](const auto& run) {
    try {
      ended.bits.push_back(bits_of(run().results, methods));
    } catch (const ConfigError& error) { ended.rejected = error.info().what; } catch (const Error&) {
    }
  };
  for (std::future<PeerRun>& run : runs) take([&] { return run.get(); });
  take([&] { return server.wait(); });
  return ended;
}

std::string alone(const TempFolder& folder, const std::vector<std::string>& methods) {
  const Experiment experiment = run_experiment(parse_config(config_of(methods), "the configuration", Paths::as_written),
                                               {.out = (folder / "alone").string()});
  EXPECT_FALSE(experiment.failure);
  return bits_of(folder / "alone", methods);
}

// Methods in which single clients speak: docs/privacy.md lists them. With these settings tamuna and 5gcs draw cohorts.
const std::set<std::string>& methods_of_few_clients() {
  static const std::set<std::string> names{"5gcs",    "acc-svrs", "aegs", "ce-lgd", "cgm",  "dane-hb", "disco",
                                           "rg-saga", "rg-svrg",  "spag", "svrp",   "svrs", "tamuna"};
  return names;
}

std::vector<std::string> methods_with_sums() {
  std::vector<std::string> names;
  for (const std::string& name : all_method_names())
    if (!methods_of_few_clients().contains(name) && find_method(name).family != "graph") names.push_back(name);
  return names;
}

TEST(SecureSum, EveryMethodWhoseExchangesAreSumsHasTheBitsOfOneProcess) {
  const std::vector<std::string> methods = methods_with_sums();
  EXPECT_GE(methods.size(), 50U);
  const TempFolder folder;
  const Ended ended = federation_of(folder, methods);
  EXPECT_EQ(ended.rejected, "");
  EXPECT_EQ(ended.bits, std::vector<std::string>(sites.size() + 1, alone(folder, methods)));
}

class SecureSumOfFewClients : public testing::TestWithParam<std::string> {};

TEST_P(SecureSumOfFewClients, IsRejectedBecauseItWouldShowTheirRows) {
  const TempFolder folder;
  const Ended ended = federation_of(folder, {GetParam()});
  EXPECT_NE(ended.rejected.find("a sum over so few sites would show their rows"), std::string::npos) << ended.rejected;
  EXPECT_TRUE(ended.bits.empty());
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, SecureSumOfFewClients, testing::ValuesIn(methods_of_few_clients()), test_name);

TEST(SecureSum, AConfigurationWithAMethodOnAGraphIsRejectedBeforeAnythingStarts) {
  for (const char* method : {"sonata-graph", "acc-sonata-graph", "network-dane"})
    EXPECT_THROW(parse_config(config_of({method}), "the configuration", Paths::as_written), ConfigError) << method;
}

// A smaller least_sites forces sums that show rows; where a method may run so, it has the same bits.
TEST(SecureSum, SumsOfFewSitesAreTakenWhereTheConfigurationForcesThem) {
  const TempFolder folder;
  const Ended ended = federation_of(folder, {"tamuna"}, "least_sites = 1\n");
  EXPECT_EQ(ended.rejected, "");
  EXPECT_EQ(ended.bits, std::vector<std::string>(sites.size() + 1, alone(folder, {"tamuna"})));
}

// Rows have masks of their own where a site may be lost; the totals are the same.
TEST(SecureSum, SitesThatMayBeLostHaveTheSameBits) {
  const std::vector<std::string> methods{"newton-cg", "scaffold", "dane+-gd"};
  const TempFolder folder;
  const Ended ended = federation_of(folder, methods, "on_loss = \"drop\"\n");
  EXPECT_EQ(ended.rejected, "");
  EXPECT_EQ(ended.bits, std::vector<std::string>(sites.size() + 1, alone(folder, methods)));
}

TEST(SecureSum, TooFewSitesAndSumsOfRealNumbersAreRejected) {
  const auto read = [](const std::string& network, const std::string& more = "") {
    return parse_config(quadratic_config({"gd"}) + "[network]\nsecure_sum = true\n" + network + more,
                        "the configuration", Paths::as_written);
  };
  EXPECT_THROW(read("sites = [\"a\", \"b\"]\n"), ConfigError);
  EXPECT_NO_THROW(read("sites = [\"a\", \"b\"]\nleast_sites = 2\n"));
  std::string tree = quadratic_config({"gd"});
  tree.insert(tree.find("[federation]\n") + 13, "sum = \"tree\"\n");
  EXPECT_THROW(parse_config(tree + "[network]\nsecure_sum = true\nsites = [\"a\", \"b\", \"c\"]\n", "the configuration",
                            Paths::as_written),
               ConfigError);
}

}  // namespace
}  // namespace driftless
