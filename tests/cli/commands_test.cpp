// The commands besides `run`, and help.
#include "driftless/methods/catalog.hpp"

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

ProgramResult say(const TempFolder& folder, std::vector<std::string> arguments) {
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

TEST(Commands, NoArgumentsShowHelp) {
  const TempFolder folder;
  const ProgramResult result = say(folder, {});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* word : {"run", "tune", "methods", "describe", "compare", "inspect", "report", "data", "Examples"})
    EXPECT_THAT(result.out, HasSubstr(word));
}

TEST(Commands, EachHasHelpWithAnExample) {
  const TempFolder folder;
  const std::vector<std::vector<std::string>> all{{"run"},
                                                  {"tune"},
                                                  {"methods"},
                                                  {"describe"},
                                                  {"compare"},
                                                  {"reproduce"},
                                                  {"report"},
                                                  {"export"},
                                                  {"inspect"},
                                                  {"data"},
                                                  {"data", "info"},
                                                  {"data", "split"},
                                                  {"data", "get"},
                                                  {"data", "generate"},
                                                  {"data", "generate", "quadratic"},
                                                  {"data", "generate", "classification"},
                                                  {"pki"},
                                                  {"pki", "init"},
                                                  {"pki", "issue"},
                                                  {"pki", "list"},
                                                  {"pki", "revoke"},
                                                  {"pki", "show"},
                                                  {"privacy"},
                                                  {"privacy", "epsilon"},
                                                  {"privacy", "noise"},
                                                  {"privacy", "sum"}};
  for (std::vector<std::string> command : all) {
    command.emplace_back("--help");
    const ProgramResult result = say(folder, command);
    EXPECT_EQ(result.exit_code, 0) << command.front();
    EXPECT_THAT(result.out, HasSubstr("Example:\n  driftless " + command.front()));
    for (const char* raw : {"UINT", "FLOAT", "INT in", "REQUIRED", "[Option Group"})
      EXPECT_THAT(result.out, Not(HasSubstr(raw))) << command.front();
    std::istringstream lines(result.out.substr(0, result.out.find("Example")));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
  }
}

TEST(Commands, AnErrorIsOneJsonObjectWhereJsonIsWanted) {
  const TempFolder folder;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "nowhere.toml", "--format", "json"}, {"describe", "x", "--format=json"}}) {
    const ProgramResult result = run_program({.arguments = arguments, .folder = folder.path()});
    const json error = json::parse(result.out).at("error");
    EXPECT_EQ(error.at("exit_code"), result.exit_code);
    for (const char* part : {"what", "seen", "do"})
      EXPECT_NE(result.err.find(error.at(part).get<std::string>()), std::string::npos) << part << "\n" << result.err;
  }
}

TEST(Commands, VersionIsThatOfTheProject) {
  const TempFolder folder;
  EXPECT_THAT(say(folder, {"--version"}).out, testing::MatchesRegex("driftless [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Commands, MethodsListsTheWholeCatalogueWithTraffic) {
  const TempFolder folder;
  const std::string text = say(folder, {"methods"}).out;
  const json parsed = json::parse(say(folder, {"methods", "--format", "json"}).out);
  ASSERT_EQ(parsed.at("methods").size(), method_catalog().size());
  for (const MethodEntry& entry : method_catalog()) EXPECT_THAT(text, HasSubstr(entry.name));
  EXPECT_EQ(parsed.at("methods")[0].at("name"), "gd");
  EXPECT_EQ(parsed.at("methods")[0].at("round_traffic").at("exchanges"), 1);
}

TEST(Commands, MethodsOfOneFamily) {
  const TempFolder folder;
  const json parsed = json::parse(say(folder, {"methods", "--family", "dane", "--format", "json"}).out);
  ASSERT_GT(parsed.at("methods").size(), 1U);
  for (const json& method : parsed.at("methods")) EXPECT_EQ(method.at("family"), "dane");
  const std::string text = say(folder, {"methods", "--family", "dane"}).out;
  EXPECT_THAT(text, HasSubstr("\ndane+-gd "));
  EXPECT_THAT(text, testing::Not(HasSubstr("\ngd ")));
  const ProgramResult unknown = say(folder, {"methods", "--family", "dnae"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean dane?"));
}

TEST(Commands, DescribeTellsEveryOptionOfEveryMethodAndItsExampleRuns) {
  const TempFolder folder;
  for (const MethodEntry& entry : method_catalog()) {
    const std::string text = say(folder, {"describe", entry.name}).out;
    for (const OptionInfo& option : entry.options) EXPECT_THAT(text, HasSubstr("\n  " + option.name)) << entry.name;
    EXPECT_THAT(text, HasSubstr(entry.paper));
    const std::string example = say(folder, {"describe", entry.name, "--example"}).out;
    EXPECT_THAT(text, testing::EndsWith(example));
    folder.write("example.toml", example);
    const ProgramResult run = say(folder, {"run", "example.toml", "-c", "stop.rounds=2", "--out", "out-" + entry.name});
    EXPECT_EQ(run.exit_code, 0) << entry.name << "\n" << run.err;
    EXPECT_EQ(json::parse(say(folder, {"describe", entry.name, "--format", "json"}).out).at("name"), entry.name);
  }
}

TEST(Commands, CompareGivesTheSameNumbersInEveryFormat) {
  const TempFolder folder;
  folder.write("problem.toml",
               "[problem]\nkind = \"quadratic\"\ndim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 100\n");
  const std::vector<std::string> command{"compare", "problem.toml", "--methods", "dane,fedavg", "--format"};
  const auto in = [&](const std::string& format) {
    std::vector<std::string> arguments = command;
    arguments.push_back(format);
    const ProgramResult result = say(folder, arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const json parsed = json::parse(in("json")).at("problems").at(0);
  const json& dane = parsed.at("methods").at(0);
  const json& fedavg = parsed.at("methods").at(1);
  EXPECT_TRUE(dane.at("reached"));
  EXPECT_FALSE(fedavg.at("reached"));
  EXPECT_THAT(fedavg.at("remark").get<std::string>(), HasSubstr("of the gap left"));
  EXPECT_EQ(parsed.at("methods").size(), 2U);
  const std::string rounds = std::to_string(dane.at("rounds").get<int>());
  EXPECT_THAT(in("markdown"),
              HasSubstr("| dane | " + rounds + " | " + std::to_string(dane.at("exchanges").get<int>())));
  EXPECT_THAT(in("text"), testing::ContainsRegex("dane +" + rounds));
}

TEST(Commands, CompareTakesTargetsInOneListOrSeveral) {
  const TempFolder folder;
  folder.write("problem.toml",
               "[problem]\nkind = \"quadratic\"\ndim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 100\n");
  const ProgramResult result = say(folder, {"compare", "problem.toml", "--methods", "dane", "--target", "0.1,1e-3",
                                            "--target", "1e-2", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json parsed = json::parse(result.out);
  EXPECT_EQ(parsed.at("targets"), json::parse("[0.1, 0.01, 0.001]"));
  const json& at = parsed.at("problems")[0].at("methods")[0].at("at");
  EXPECT_LE(at[0].at("rounds"), at[1].at("rounds"));
  EXPECT_LE(at[1].at("rounds"), at[2].at("rounds"));
  EXPECT_TRUE(at[2].contains("seconds"));
}

TEST(Commands, CompareOfDataAtSitesSaysWhatToUse) {
  const TempFolder folder;
  folder.write("sites.toml", "[problem]\nkind = \"logistic\"\ndata = \"sites\"\n[federation]\nclients = 2\n"
                             "[network]\nsites = [\"a\", \"b\"]\n[stop]\nrounds = 10\n");
  for (const char* verb : {"compare", "inspect"}) {
    const ProgramResult result = say(folder, {verb, "sites.toml"});
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_THAT(result.err, HasSubstr("serve --inspect")) << verb;
  }
}

TEST(Commands, TheoryWarnsWhereClientsAreTooDifferentForDriftCorrection) {
  const TempFolder folder;
  const std::string method = "[federation]\nclients = 3\n[[method]]\nname = \"dane\"\nlambda = \"theory\"\n"
                             "[stop]\nrounds = 1\n";
  folder.write("unlike.toml", "[problem]\nkind = \"quadratic\"\ndim = 10\nL = 40\ndelta = 10\n" + method);
  folder.write("alike.toml", "[problem]\nkind = \"quadratic\"\ndim = 10\nL = 100\ndelta = 5\n" + method);
  const ProgramResult unlike = say(folder, {"run", "unlike.toml", "--out", "unlike"});
  ASSERT_EQ(unlike.exit_code, 0) << unlike.err;
  EXPECT_THAT(unlike.err, testing::ContainsRegex("warning: L/delta_A = [0-9.]+ \\(L = 40, delta_A = "));
  EXPECT_THAT(unlike.err, HasSubstr("newton-cg"));
  EXPECT_THAT(say(folder, {"compare", "unlike.toml", "--methods", "dane"}).err, HasSubstr("L/delta_A"));
  EXPECT_THAT(say(folder, {"inspect", "unlike.toml", "--no-trials"}).err, HasSubstr("L/delta_A"));
  EXPECT_THAT(say(folder, {"compare", "unlike.toml", "--methods", "gd"}).err, Not(HasSubstr("L/delta_A")));
  EXPECT_THAT(say(folder, {"run", "alike.toml", "--out", "alike"}).err, Not(HasSubstr("L/delta_A")));
}

TEST(Commands, ColumnsOfVeryDifferentScaleAreNamed) {
  const TempFolder folder;
  folder.write("wide.svm", "1 1:1 2:1900\n-1 1:0.5 2:800\n1 1:0.7 2:100\n-1 1:0.1 2:1500\n");
  folder.write("even.svm", "1 1:1 2:19\n-1 1:0.5 2:8\n1 1:0.7 2:1\n-1 1:0.1 2:15\n");
  const auto config = [](const std::string& data) {
    return "[problem]\nkind = \"logistic\"\ndata = \"" + data +
           "\"\nl2 = 0.1\n[federation]\nclients = 2\n"
           "[[method]]\nname = \"gd\"\nstep = 1e-7\n[stop]\nrounds = 1\n";
  };
  folder.write("wide.toml", config("wide.svm"));
  folder.write("even.toml", config("even.svm"));
  const std::string hint = "column 2 (up to 1900) and column 1 (up to 1)";
  EXPECT_THAT(say(folder, {"run", "wide.toml", "--out", "wide"}).err, HasSubstr(hint));
  EXPECT_THAT(say(folder, {"inspect", "wide.toml", "--no-trials"}).err, HasSubstr(hint));
  EXPECT_THAT(say(folder, {"run", "even.toml", "--out", "even"}).err, Not(HasSubstr("scales")));
  EXPECT_THAT(say(folder, {"data", "info", "wide.svm"}).out, HasSubstr(hint));
  EXPECT_THAT(say(folder, {"data", "info", "even.svm"}).out, Not(HasSubstr("hint")));
  const json info = json::parse(say(folder, {"data", "info", "wide.svm", "--format", "json"}).out);
  EXPECT_EQ(info.at("column_scales").at("largest").at("column"), 2);
}

TEST(Commands, GeneratedClassificationCanBeLookedAtAndSplit) {
  const TempFolder folder;
  ASSERT_EQ(say(folder, {"data", "generate", "classification", "--rows", "90", "--dim", "12", "--nonzeros_per_row", "4",
                         "--out", "made.svm"})
                .exit_code,
            0);
  const json info = json::parse(say(folder, {"data", "info", "made.svm", "--format", "json"}).out);
  EXPECT_EQ(info.at("rows"), 90);
  EXPECT_EQ(info.at("sha256").get<std::string>().size(), 64U);
  const ProgramResult split =
      say(folder, {"data", "split", "made.svm", "--clients", "3", "--dirichlet", "0.5", "--format", "json"});
  ASSERT_EQ(split.exit_code, 0) << split.err;
  std::size_t rows = 0;
  const json parsed = json::parse(split.out);
  for (const json& client : parsed.at("clients")) rows += client.at("rows").get<std::size_t>();
  EXPECT_EQ(rows, 90U);
  for (const char* file : {"split.json", "client-0.svm", "client-2.svm"})
    EXPECT_TRUE(fs::exists(folder / "made-split" / file)) << file;
}

TEST(Commands, SplitFilesRunAsOneFilePerClientAndGiveTheSameProblem) {
  const TempFolder folder;
  ASSERT_EQ(say(folder, {"data", "generate", "classification", "--rows", "90", "--dim", "12", "--nonzeros_per_row", "4",
                         "--seed", "3", "--out", "made.svm"})
                .exit_code,
            0);
  ASSERT_EQ(say(folder, {"data", "split", "made.svm", "--clients", "2", "--split", "label", "--seed", "1"}).exit_code,
            0);
  const std::string tail = "[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 3\n";
  folder.write(
      "a.toml",
      "[problem]\nkind = \"logistic\"\ndata = \"made.svm\"\ndim = 12\n[federation]\nclients = 2\nsplit = \"label\"\n" +
          tail);
  folder.write("b.toml", "[problem]\nkind = \"logistic\"\ndim = 12\n[federation]\nfiles = "
                         "[\"made-split/client-0.svm\", \"made-split/client-1.svm\"]\n" +
                             tail);
  ASSERT_EQ(say(folder, {"run", "a.toml", "--out", "a"}).exit_code, 0);
  const ProgramResult result = say(folder, {"run", "b.toml", "--out", "b"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(TempFolder::read(folder / "a/gd/model.npy"), TempFolder::read(folder / "b/gd/model.npy"));
}

TEST(Commands, GenerateQuadraticHasTheConstantsAskedFor) {
  const TempFolder folder;
  const ProgramResult result = say(folder, {"data", "generate", "quadratic", "--dim", "40", "--L", "50", "--delta", "2",
                                            "--spread", "3", "--out", "made", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json parsed = json::parse(result.out);
  EXPECT_NEAR(parsed.at("constants").at("L").get<double>(), 50.0, 1e-9);
  EXPECT_NEAR(parsed.at("constants").at("delta_B").get<double>(), 2.0, 1e-9);
  for (const char* file :
       {"client-0-hessian.npy", "client-4-linear.npy", "start.npy", "minimizer.npy", "constants.json"})
    EXPECT_TRUE(fs::exists(folder / "made" / file)) << file;
}

}  // namespace
}  // namespace driftless
