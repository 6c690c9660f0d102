#include "driftless/experiments/run_config.hpp"

#include "driftless/files/digest.hpp"

#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* small = "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 4\n[[method]]\nname "
                              "= \"gd\"\nstep = 0.01\n[stop]\nrounds = 2\n";

TEST(RunConfig, DefaultsAreThoseOfTheContract) {
  const TempFolder folder;
  const RunConfig config = read_config(folder.write("small.toml", small));
  EXPECT_EQ(config.seed, 1U);
  EXPECT_EQ(config.output.dir, "runs");
  EXPECT_EQ(config.output.name, "small");
  EXPECT_EQ(config.output.every, 1U);
  EXPECT_EQ(config.methods.front().label, "gd");
  EXPECT_TRUE(config.problem.x0.from_generator());
  EXPECT_EQ(config.clients(), 4U);
}

TEST(RunConfig, SeedIsThatOfGeneratorAndMethodsUnlessTheyHaveTheirOwn) {
  const TempFolder folder;
  const auto file = folder.write("small.toml", small);
  const RunConfig shared = read_config(file, {"seed=8"});
  EXPECT_EQ(shared.problem.seed, 8U);
  EXPECT_EQ(shared.methods.front().seed, 8U);
  const RunConfig own = read_config(file, {"seed=8", "problem.seed=3", "method.seed=4"});
  EXPECT_EQ(own.problem.seed, 3U);
  EXPECT_EQ(own.methods.front().seed, 4U);
}

TEST(RunConfig, CanonicalTextReadsBackAsItself) {
  const TempFolder folder;
  const RunConfig config =
      read_config(folder.write("small.toml", small), {"stop.gap=1e-7", "method.output=best", "problem.x0=0.5"});
  const std::string text = canonical_text(config);
  EXPECT_EQ(canonical_text(read_config(folder.write("again.toml", text))), text);
  EXPECT_EQ(short_hash(config).size(), 8U);
  EXPECT_THAT(text, HasSubstr("gap = 1e-07"));
  EXPECT_THAT(text, HasSubstr("delta = 5"));
}

constexpr const char* without_method = "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = "
                                       "4\n[stop]\ngrad_norm = 1e-6\nrounds = 9\n";

TEST(RunConfig, WithoutAMethodItIsAutoWithTheGoalOfTheRun) {
  const TempFolder folder;
  const auto file = folder.write("small.toml", without_method);
  const RunConfig config = read_config(file);
  ASSERT_EQ(config.methods.size(), 1U);
  EXPECT_EQ(config.methods.front().name, "auto");
  EXPECT_EQ(config.methods.front().label, "auto");
  const std::string text = canonical_text(config);
  EXPECT_THAT(text, HasSubstr("name = \"auto\""));
  EXPECT_THAT(text, HasSubstr("gradient_goal = 1e-06"));
  EXPECT_EQ(canonical_text(read_config(folder.write("again.toml", text))), text);
  EXPECT_EQ(canonical_text(parse_config(without_method, "small.toml", Paths::resolved)).substr(0, 60),
            text.substr(0, 60));
  EXPECT_TRUE(read_config(file, {}, MethodTables::optional).methods.empty());
}

TEST(RunConfig, TheDefaultMethodTakesOverridesAndKeepsAGoalOfItsOwn) {
  const TempFolder folder;
  const auto file = folder.write("small.toml", without_method);
  const std::string text = canonical_text(
      read_config(file, {"method.auto.save=time", "method.link=20ms,100Mbit", "method.gradient_goal=1e-3"}));
  EXPECT_THAT(text, HasSubstr("save = \"time\"\nlink = \"20ms,100Mbit\""));
  EXPECT_THAT(text, HasSubstr("gradient_goal = 0.001"));
}

TEST(RunConfig, TheGoalIsForMethodsThatAskForIt) {
  const TempFolder folder;
  const auto file = folder.write("small.toml", std::string(without_method) + "[[method]]\nname = \"newton-cg\"\n");
  EXPECT_THAT(canonical_text(read_config(file)), HasSubstr("gradient_goal = 0\n"));
}

TEST(RunConfig, HashChangesWithEveryOption) {
  const TempFolder folder;
  const auto file = folder.write("small.toml", small);
  EXPECT_NE(short_hash(read_config(file)), short_hash(read_config(file, {"method.step=0.02"})));
  EXPECT_EQ(short_hash(read_config(file)), short_hash(read_config(file, {"method.step=0.010"})));
}

TEST(RunConfig, SecondMethodOfANameGetsANumber) {
  const TempFolder folder;
  const std::string three =
      std::string(small) + "[[method]]\nname = \"gd\"\nstep = 1\n[[method]]\nname = \"gd\"\nstep = 2\n";
  const RunConfig config = read_config(folder.write("three.toml", three));
  EXPECT_EQ(config.methods[1].label, "gd-2");
  EXPECT_EQ(config.methods[2].label, "gd-3");
}

TEST(RunConfig, ATitleIsFreeTextAndTheLabelStaysTheFolder) {
  const TempFolder folder;
  const RunConfig config = read_config(folder.write("small.toml", small), {"method.title=FedRed, λ = 0.02 \"slow\""});
  EXPECT_EQ(config.methods.front().label, "gd");
  EXPECT_EQ(config.methods.front().shown_name(), "FedRed, λ = 0.02 \"slow\"");
  const RunConfig again = read_config(folder.write("again.toml", canonical_text(config)));
  EXPECT_EQ(again.methods.front().title, config.methods.front().title);
  EXPECT_THAT(canonical_text(read_config(folder.write("plain.toml", small))), Not(HasSubstr("title")));
}

TEST(RunConfig, ValuesFromTheoryAreFoundAgainInTheText) {
  const std::string text = "[[method]]\nname = \"gd\"\nstep = 0.5  # theory: 1/L_f\nseed = 2\n";
  const ConfigDocument document = parse_document(text, "config.toml");
  EXPECT_THAT(noted_formulas(document.methods.front(), text), testing::ElementsAre(testing::Pair("step", "1/L_f")));
  EXPECT_EQ(usual_value("gd", "output"), "\"last\"");
  EXPECT_EQ(usual_value("fedavg", "cohort"), usual_value("fedprox", "cohort"));
  EXPECT_EQ(usual_value("gd", "step"), "");
}

TEST(RunConfig, EchoLeavesAlphaOutWhereNoSplitUsesIt) {
  const TempFolder folder;
  const auto file =
      folder.write("data.toml", "[problem]\nkind = \"logistic\"\ndata = \"generated\"\n[federation]\nclients = "
                                "4\nsplit = \"dirichlet\"\nalpha = 0.3\n"
                                "[[method]]\nname = \"gd\"\nstep = 0.01\n[stop]\nrounds = 2\n");
  EXPECT_THAT(canonical_text(read_config(file)), HasSubstr("alpha = 0.3"));
  const std::string iid = canonical_text(read_config(file, {"federation.split=iid"}));
  EXPECT_THAT(iid, HasSubstr("split = \"iid\""));
  EXPECT_THAT(iid, Not(HasSubstr("alpha")));
  EXPECT_THAT(iid, HasSubstr("l2 = \"1/M\""));
}

TEST(RunConfig, PathsBecomeAbsolute) {
  const TempFolder folder;
  folder.write("data.svm", "1 1:1\n-1 1:2\n");
  const std::string data = (folder / "data.svm").string();
  const auto file = folder.write(
      "data.toml", "[problem]\nkind = \"logistic\"\ndata = " + toml_string((folder / "sub/../data.svm").string()) +
                       "\n[federation]\nclients = 2\n[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 2\n");
  std::filesystem::create_directory(folder / "sub");
  EXPECT_THAT(canonical_text(read_config(file)), HasSubstr("data = " + toml_string(data)));
}

}  // namespace
}  // namespace driftless
