// `serve --inspect`: sites that keep their data measure L, mu and delta together and try methods.
#include "tests/network/silos.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string tail = "[stop]\nrounds = 5\n[inspect]\nexchanges = 30\ngrad_evals = 2000\n";
const std::string method = "[[method]]\nname = \"gd\"\nstep = 1\n";

class InspectSites : public testing::Test {
 protected:
  InspectSites() {
    const char* rows[] = {"1 1:1 2:0.5\n-1 2:1\n1 1:0.25 3:1\n", "-1 1:0.5 3:1\n1 2:0.3\n-1 3:0.7\n"};
    for (std::size_t s = 0; s < 2; ++s) {
      silos_.folder().write(silos_.sites()[s] + "/data.svm", rows[s]);
      silos_.set_options(silos_.sites()[s], {"--data", "data.svm"});
    }
  }

  Silos silos_{"[problem]\nkind = \"logistic\"\ndata = \"sites\"\nl2 = 0.1\n[federation]\nclients = 2\nthreads = 1\n" +
                   method + tail,
               {"north", "south"}};
};

TEST_F(InspectSites, FindsAndAdvisesWhatOneProcessDoes) {
  silos_.folder().write("alone.toml", "[problem]\nkind = \"logistic\"\nl2 = 0.1\nreference = \"none\"\n[federation]\n"
                                      "files = [\"north/data.svm\", \"south/data.svm\"]\nthreads = 1\n" +
                                          method + tail);
  const ProgramResult alone =
      run_program({.arguments = {"inspect", "alone.toml", "--format", "json"}, .folder = silos_.folder().path()});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  silos_.start_server({"--inspect", "--format", "json"});
  for (const std::string& site : silos_.sites()) silos_.start_site(site);
  for (const std::string& site : silos_.sites()) {
    const std::optional<ProgramResult> result = silos_.wait_for(site, 60);
    ASSERT_TRUE(result.has_value()) << site << " hangs\n" << silos_.standard_error_of(site);
    EXPECT_EQ(result->exit_code, 0) << result->err;
    EXPECT_THAT(result->err, HasSubstr("L, mu and delta of their data"));
    EXPECT_THAT(result->err, HasSubstr("try methods, each with at most 30 exchanges and 2000 gradients"));
    EXPECT_THAT(result->err, HasSubstr("the inspection is finished"));
  }
  const std::optional<ProgramResult> server = silos_.wait_for("server", 60);
  ASSERT_TRUE(server.has_value()) << silos_.standard_error_of("server");
  ASSERT_EQ(server->exit_code, 0) << server->err;
  const json found = json::parse(server->out);
  const json expected = json::parse(alone.out);
  EXPECT_EQ(found.at("constants"), expected.at("constants"));
  EXPECT_EQ(found.at("trials"), expected.at("trials"));
  EXPECT_GT(found.at("trials").at("trials").size(), 10U);
}

TEST_F(InspectSites, ASiteThatLimitsMethodsRejectsTrials) {
  silos_.start_server({"--inspect"});
  silos_.start_site("north", {"--allow-methods", "gd"});
  const std::optional<ProgramResult> result = silos_.wait_for("north", 60);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->exit_code, 2);
  EXPECT_THAT(result->err, HasSubstr("asks to try methods"));
  EXPECT_THAT(result->err, HasSubstr("inspect.trials=false"));
  silos_.kill("server");
}

}  // namespace
}  // namespace driftless
