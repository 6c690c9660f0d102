#include "driftless/config/config_document.hpp"

#include "driftless/config/overrides.hpp"

#include "tests/support/expect_error.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(ConfigDocument, KeepsTheOrderAndTheLineOfEveryKey) {
  const ConfigDocument document =
      parse_document("seed = 7\n[problem]\nz = 1\na = 2.5\n\n[[method]]\nname = \"gd\"\n[[method]]\n", "x.toml");
  ASSERT_EQ(document.problem.keys.size(), 2U);
  EXPECT_EQ(document.problem.keys[0].name, "z");
  EXPECT_EQ(document.problem.keys[1].location, "x.toml:4");
  EXPECT_EQ(document.problem.keys[1].value, OptionValue(2.5));
  EXPECT_EQ(document.top.find("seed")->value, OptionValue(std::int64_t{7}));
  ASSERT_EQ(document.methods.size(), 2U);
  EXPECT_EQ(document.methods[1].location, "x.toml:8");
}

TEST(ConfigDocument, ReadsTextsListsAndTruthValues) {
  const ConfigDocument document = parse_document("[federation]\nfiles = [\"a\", \"b\"]\nx = true\n", "x.toml");
  EXPECT_EQ(document.federation.find("files")->value, OptionValue(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(document.federation.find("x")->value, OptionValue(true));
}

TEST(ConfigDocument, ValueOfAFlagIsTomlOrElseText) {
  EXPECT_EQ(parse_value("3"), OptionValue(std::int64_t{3}));
  EXPECT_EQ(parse_value("1e-3"), OptionValue(1e-3));
  EXPECT_EQ(parse_value("false"), OptionValue(false));
  EXPECT_EQ(parse_value("\"3\""), OptionValue(std::string("3")));
  EXPECT_EQ(parse_value("1/M"), OptionValue(std::string("1/M")));
  EXPECT_EQ(parse_value("2020-01-01"), OptionValue(std::string("2020-01-01")));
  EXPECT_EQ(parse_value("1\nseed = 2"), OptionValue(std::string("1\nseed = 2")));
  EXPECT_EQ(parse_value("[\"a\", \"b\"]"), OptionValue(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parse_value(""), OptionValue(std::string()));
}

TEST(ConfigDocument, ErrorsAreLocatedAtTheKeyTheyName) {
  const ConfigTable table{.location = "t:1", .keys = {{"p", std::int64_t{1}, "t:2"}, {"eta", std::int64_t{2}, "t:3"}}};
  EXPECT_EQ(location_of(table, ConfigError({.what = "'eta' is wrong", .seen = {}, .advice = {}})), "t:3");
  EXPECT_EQ(location_of(table, ConfigError({.what = "wrong", .seen = "p = 1", .advice = {}})), "t:2");
  EXPECT_EQ(location_of(table, ConfigError({.what = "wrong", .seen = "step = 1", .advice = {}})), "t:1");
}

TEST(Overrides, AddAndReplaceKeysAndNameTheFlag) {
  ConfigDocument document = parse_document("[stop]\nrounds = 3\n", "x.toml");
  apply_override(document, "stop.rounds=4");
  apply_override(document, "stop.gap=1e-3");
  apply_override(document, "seed=9");
  ASSERT_EQ(document.stop.keys.size(), 2U);
  EXPECT_EQ(document.stop.keys[0].value, OptionValue(std::int64_t{4}));
  EXPECT_EQ(document.stop.keys[0].location, "-c stop.rounds=4");
  EXPECT_EQ(document.top.find("seed")->value, OptionValue(std::int64_t{9}));
}

TEST(Overrides, ReachMethodsByOptionAndByLabelWithDots) {
  ConfigDocument document =
      parse_document("[[method]]\nname = \"gd\"\nlabel = \"gd-0.5\"\nstep = 0.5\n[[method]]\nname = \"fedred-gd\"\np = "
                     "0.1\n[[method]]\nname = \"gd\"\n",
                     "x.toml");
  apply_override(document, "method.p=0.2");
  apply_override(document, "method.gd-0.5.step=0.25");
  EXPECT_EQ(document.methods[0].find("p"), nullptr);
  EXPECT_EQ(document.methods[1].find("p")->value, OptionValue(0.2));
  EXPECT_EQ(document.methods[0].find("step")->value, OptionValue(0.25));
  EXPECT_EQ(document.methods[2].find("step"), nullptr);
}

TEST(Overrides, MustNameAKey) {
  ConfigDocument document = parse_document("[[method]]\nname = \"gd\"\n", "x.toml");
  for (const char* bad : {"rounds", "=3", "stop.=3", ".rounds=3", "nowhere.x=1", "method.p=1", "method.agd.step=1"})
    expect_error<ConfigError>([&] { apply_override(document, bad); }, {std::string("-c ") + bad});
}

}  // namespace
}  // namespace driftless
