// One process, or a server with three sites over TLS: the same configuration gives the same bytes everywhere.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

void expect_everywhere(Silos& silos, const std::vector<std::string>& labels) {
  const std::filesystem::path alone = silos.alone();
  std::vector<std::string> peers = silos.sites();
  peers.emplace_back("server");
  for (const std::string& who : peers) {
    const ProgramResult result = silos.wait(who);
    ASSERT_EQ(result.exit_code, 0) << who << "\n" << result.err;
  }
  for (const std::string& label : labels) {
    const std::string bytes = fingerprint(alone, label);
    ASSERT_GT(bytes.size(), 300U) << label;
    for (const std::string& who : peers)
      EXPECT_EQ(bytes, fingerprint(silos.results(who), label)) << label << " at " << who;
  }
}

TEST(NetworkBits, EveryMethodOverTlsIsTheSameAsInOneProcess) {
  Silos silos(quadratic_config(all_method_names()), {"north", "south", "west"}, "hosts = [1, 4, 2]\n");
  silos.start_all();
  expect_everywhere(silos, all_method_names());
}

TEST(NetworkBits, RobustMeansOverTlsAreTheSameAsInOneProcess) {
  Silos silos(robust_config("aggregation = \"geometric-median\""), {"north", "south", "west"}, "hosts = [1, 4, 2]\n");
  silos.start_all();
  expect_everywhere(silos, robust_method_names());
}

nlohmann::json decision_in(const std::filesystem::path& run) {
  return nlohmann::json::parse(TempFolder::read(run / "auto/summary.json")).at("decision");
}

TEST(NetworkBits, WithoutAMethodAutoDecidesEverywhereAsInOneProcess) {
  const std::string named = logistic_config();
  Silos silos(named.substr(0, named.find("[[method]]")) + "[stop]\ngrad_norm = 1e-7\nrounds = 60\n",
              {"north", "south", "west"});
  silos.start_all();
  expect_everywhere(silos, {"auto"});
  for (const char* who : {"server", "north"})
    EXPECT_EQ(decision_in(silos.results(who)), decision_in(silos.folder() / "alone")) << who;
  EXPECT_NE(silos.standard_error_of("server").find("auto: "), std::string::npos);
}

TEST(NetworkBits, MinibatchesOnDataWithTheoryAndAnOptimumAreTheSameAsInOneProcess) {
  Silos silos(
      logistic_config() + "[[method]]\nname = \"fedred-gd\"\neta = \"theory\"\nlambda = \"theory\"\np = \"theory\"\n",
      {"north", "south", "west"});
  silos.start_all();
  expect_everywhere(silos, {"fedred-sgd", "dane+", "fedred-gd"});
}

// Each site has its own file, which no other peer can read.
TEST(NetworkBits, SitesWithTheirOwnDataGiveTheSameBitsAsOneProcessWithAllFiles) {
  const std::string methods = "[[method]]\nname = \"dane+-gd\"\nlambda = 0.2\neta = 2\nlocal_steps = 5\n"
                              "[stop]\nrounds = 6\n";
  Silos silos("[problem]\nkind = \"logistic\"\ndata = \"sites\"\n[federation]\nclients = 2\nthreads = 1\n" + methods,
              {"north", "south"});
  const auto north = silos.folder().write("north/north.svm", "1 1:1 2:0.5 3:0\n-1 2:1\n1 1:0.25\n");
  const auto south = silos.folder().write("south/south.svm", "-1 1:-1 3:2\n1 3:0.5\n");
  silos.start_server();
  silos.start_site("north", {"--data", "north.svm"});
  silos.start_site("south", {"--data", "south.svm"});
  silos.folder().write("together.toml",
                       "[problem]\nkind = \"logistic\"\nreference = \"none\"\n[federation]\nfiles = [\"" +
                           north.string() + "\", \"" + south.string() + "\"]\nthreads = 1\n" + methods);
  const ProgramResult alone =
      run_program({.arguments = {"run", "together.toml", "--out", "alone"}, .folder = silos.folder().path()});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  for (const char* who : {"north", "south", "server"}) {
    const ProgramResult result = silos.wait(who);
    ASSERT_EQ(result.exit_code, 0) << who << "\n" << result.err;
    EXPECT_EQ(fingerprint(silos.folder() / "alone", "dane+-gd"), fingerprint(silos.results(who), "dane+-gd")) << who;
  }
}

}  // namespace
}  // namespace driftless
