#include "driftless/config/theory_settings.hpp"

#include "driftless/experiments/run_config.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/problems/problem_constants.hpp"

#include "tests/support/temp_folder.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

std::string config_text(const std::string& method) {
  return "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 5\n[[method]]\n" + method +
         "\n[stop]\nrounds = 2\n";
}

RunConfig read(const std::string& method, const std::vector<std::string>& overrides = {}) {
  const TempFolder folder;
  return read_config(folder.write("case.toml", config_text(method)), overrides);
}

std::string error_of(const std::string& method, const std::vector<std::string>& overrides = {}) {
  try {
    read(method, overrides);
  } catch (const ConfigError& error) { return error.what(); }
  return "";
}

ProblemConstants constants(double mu) {
  return {.values = {.clients = 5,
                     .L = 100,
                     .L_f = 90,
                     .mu = mu,
                     .mu_f = mu,
                     .delta_A = 4,
                     .delta_A_up = 4.5,
                     .delta_B = 5,
                     .delta_1 = 5,
                     .L_sample = 300},
          .exact = true,
          .at = "everywhere"};
}

double setting(const MethodConfig& method, const std::string& option) {
  for (const auto& [key, value] : method.settings)
    if (key == option) return std::get<double>(value);
  return std::nan("");
}

TEST(Theory, GivesEveryOptionOfTheCatalogueItsValueAndFormula) {
  for (const MethodEntry& entry : method_catalog()) {
    MethodConfig method{.name = entry.name, .label = entry.name};
    for (const TheoryValue& t : entry.theory) method.settings.emplace_back(t.option, "theory");
    const Settings expected = theory_settings(entry, constants(1).values);
    resolve_theory(method, constants(1).values);
    EXPECT_FALSE(asks_for_theory(method)) << entry.name;
    EXPECT_EQ(method.settings, expected) << entry.name;
    ASSERT_EQ(method.theory.size(), entry.theory.size());
    for (std::size_t i = 0; i < method.theory.size(); ++i)
      EXPECT_THAT(entry.theory[i].text(), HasSubstr(method.theory[i].formula)) << entry.name;
  }
}

TEST(Theory, UsesTheGivenValuesOfOtherOptionsAndDoesNotChangeThem) {
  MethodConfig method = read("name = \"fedred-gd\"\np = \"theory\"\nlambda = 3.5\neta = \"theory\"").methods.front();
  resolve_theory(method, constants(1).values);
  EXPECT_EQ(setting(method, "lambda"), 3.5);
  EXPECT_EQ(setting(method, "eta"), 100.0);
  EXPECT_EQ(setting(method, "p"), 4.0 / 99.5);
  EXPECT_EQ(method.theory.front().formula, "L");
}

TEST(Theory, OfFedRedHasValuesForNonConvexProblems) {
  MethodConfig method{.name = "fedred-gd",
                      .label = "mine",
                      .settings = {{"lambda", "theory"}, {"eta", "theory"}, {"p", "theory"}, {"averaging", "random"}}};
  resolve_theory(method, constants(-2).values);
  EXPECT_EQ(setting(method, "lambda"), 5.0);
  EXPECT_EQ(setting(method, "eta"), 600.0);
  EXPECT_DOUBLE_EQ(setting(method, "p"), 0.05);
}

TEST(Theory, RejectsAnOptionThatDoesNothingUnderTheName) {
  for (const char* name : {"fedred-gd", "fedred-gd-drift", "dane+-gd", "dane+-fgd"})
    EXPECT_THAT(error_of(std::string("name = \"") + name + "\"\nlambda = 1\neta = 100\nbatch = 5"),
                HasSubstr("'batch' has no effect on '" + std::string(name) + "'"));
}

TEST(Theory, CanBeRequestedByAFlag) {
  const RunConfig config = read("name = \"dane\"\nlambda = 1", {"method.lambda=theory"});
  EXPECT_TRUE(asks_for_theory(config.methods.front()));
  EXPECT_THAT(canonical_text(config), HasSubstr("lambda = \"theory\""));
}

TEST(Theory, RejectsAnOptionWithoutAFormulaAndNamesThoseThatHaveOne) {
  const std::string error = error_of("name = \"dane+-gd\"\nlambda = 5\neta = 100\nmax_steps = \"theory\"");
  EXPECT_THAT(error, HasSubstr("gives no value for 'max_steps'"));
  EXPECT_THAT(error, HasSubstr("case.toml:10"));
  EXPECT_THAT(error, HasSubstr("lambda, eta, mu"));
}

TEST(Theory, ChecksTheOtherOptionsBeforeDataIsRead) {
  EXPECT_THAT(error_of("name = \"fedred-gd\"\nlambda = \"theory\"\neta = \"theory\"\np = 2"), HasSubstr("p = 2"));
  EXPECT_THAT(error_of("name = \"fedred-gd\"\nlambda = \"theory\"\neta = \"theory\""), HasSubstr("'p' is required"));
  EXPECT_THAT(error_of("name = \"dane+-gd\"\nlambda = \"theory\"\neta = 0"), HasSubstr("needs 'eta'"));
}

TEST(Theory, AcceptsOptionsThatOnlyFitInOtherUnitsOfF) {
  for (const char* step : {"1e5", "1", "1e-8"})
    EXPECT_EQ(error_of(std::string("name = \"agd\"\nmu = \"theory\"\nstep = ") + step), "") << step;
}

TEST(Theory, NamesTheAssumptionThatFailsWhereAValueCannotBeUsed) {
  for (const double mu : {0.0, -2.0}) {
    MethodConfig method{.name = "scaffnew", .label = "mine", .settings = {{"step", 0.1}, {"p", "theory"}}};
    try {
      resolve_theory(method, constants(mu).values);
      FAIL() << "p = " << setting(method, "p");
    } catch (const ConfigError& error) {
      EXPECT_THAT(error.what(), HasSubstr("'mine'"));
      EXPECT_THAT(error.what(), HasSubstr("p = min(1, √(γ μ))"));
      EXPECT_THAT(error.what(), HasSubstr("assumes that every f_i is strongly convex"));
    }
  }
}

TEST(Theory, ShowsFormulasAsCommentsThatReadBackAndDoNotChangeTheHash) {
  RunConfig config = read("name = \"dane\"\nlambda = \"theory\"");
  const std::string asked = short_hash(config);
  resolve_theory(config.methods.front(), constants(1).values);
  const std::string text = canonical_text(config);
  EXPECT_THAT(text, HasSubstr("lambda = 4  # theory: δ_A\n"));
  EXPECT_THAT(canonical_text(config, Formulas::hidden), HasSubstr("lambda = 4\n"));
  const TempFolder folder;
  const RunConfig again = read_config(folder.write("case.toml", text));
  EXPECT_EQ(short_hash(again), short_hash(config));
  EXPECT_NE(short_hash(again), asked);
}

}  // namespace
}  // namespace driftless
