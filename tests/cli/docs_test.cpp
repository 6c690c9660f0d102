// The documentation is correct: every configuration in the pages of the families and in examples/ runs, and the table
// of convergence contains the results of the program.
#include "driftless/methods/catalog.hpp"

#include "tests/cli/hospitals.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/available_data.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace driftless {
namespace {

namespace fs = std::filesystem;

const fs::path root = DRIFTLESS_SOURCE_FOLDER;

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The blocks of a page between ```toml and ```.
std::vector<std::string> configurations_in(const fs::path& page) {
  std::vector<std::string> blocks;
  std::istringstream lines(TempFolder::read(page));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```toml") {
      inside = true;
      blocks.emplace_back();
    } else if (line == "```") inside = false;
    else if (inside) blocks.back() += line + "\n";
  }
  return blocks;
}

TEST(Docs, TheFirstExampleOfTheoremChecksEndsWithTheVerdictThatThePageShows) {
  const TempFolder folder;
  const fs::path page = root / "docs" / "theorem-checks.md";
  folder.write("page.toml", configurations_in(page).front());
  const ProgramResult result = run_program({.arguments = {"run", "page.toml"}, .folder = folder.path()});
  std::string shown;
  std::istringstream lines(TempFolder::read(page));
  for (std::string line; std::getline(lines, line);) {
    const bool begins = line.starts_with("    certificate ");
    if (!begins && (shown.empty() || !line.starts_with("    "))) {
      if (!shown.empty()) break;
      continue;
    }
    shown += line.substr(4) + "\n";
  }
  EXPECT_THAT(shown, testing::HasSubstr("  holds  "));
  EXPECT_THAT(result.out, testing::HasSubstr(shown));
}

TEST(Docs, EveryFamilyHasAPageWhoseExamplesRunAsDoThoseOfTheoremChecks) {
  const TempFolder folder;
  std::vector<fs::path> pages = files_in(root / "docs" / "methods", ".md");
  ASSERT_FALSE(pages.empty());
  pages.push_back(root / "docs" / "theorem-checks.md");
  for (const fs::path& page : pages) {
    const std::vector<std::string> blocks = configurations_in(page);
    EXPECT_FALSE(blocks.empty()) << page;
    for (const std::string& block : blocks) {
      folder.write("page.toml", block);
      const ProgramResult result = run_program({.arguments = {"run", "page.toml"}, .folder = folder.path()});
      EXPECT_EQ(result.exit_code, 0) << page << "\n" << result.err;
    }
  }
}

// What stands between backticks on a page.
std::vector<std::string> quoted_in(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream pieces(text);
  bool inside = false;
  for (std::string piece; std::getline(pieces, piece, '`'); inside = !inside)
    if (inside) all.push_back(piece);
  return all;
}

// "Suite.Name" of every test in the folders of tests.
std::set<std::string> all_tests() {
  std::set<std::string> names;
  const std::regex declared(R"(TEST(?:_P|_F)?\((\w+),\s*(\w+)\))");
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = TempFolder::read(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), declared), end; found != end; ++found)
      names.insert((*found)[1].str() + "." + (*found)[2].str());
  }
  return names;
}

TEST(Docs, ThePageOfThePaperHasEveryItemOnce) {
  const std::string page = TempFolder::read(root / "docs" / "paper.md");
  const auto rows = [&](const std::string& item) {
    const std::regex row("\n\\| (?:" + item + ") \\|");
    return std::distance(std::sregex_iterator(page.begin(), page.end(), row), std::sregex_iterator());
  };
  for (int k = 1; k <= 37; ++k) EXPECT_EQ(rows("(?:Theorem|Lemma|Corollary|Remark) " + std::to_string(k)), 1) << k;
  for (int k = 1; k <= 4; ++k) EXPECT_EQ(rows("Definition " + std::to_string(k)), 1) << k;
  for (int k = 1; k <= 3; ++k) EXPECT_EQ(rows("Algorithm " + std::to_string(k)), 1) << k;
  for (int k = 1; k <= 30; ++k) EXPECT_EQ(rows("E-" + std::to_string(k)), 1) << k;
  for (const char* item : {"Assumption 1", "Table 1", "Figure 1", "Figure 2", "Figure C\\.1"})
    EXPECT_EQ(rows(item), 1) << item;
}

TEST(Docs, ThePageOfThePaperNamesTestsThatExist) {
  const std::regex form(R"([A-Z]\w*\.[A-Z]\w*)");
  const std::set<std::string> known = all_tests();
  std::size_t named = 0;
  for (const std::string& text : quoted_in(TempFolder::read(root / "docs" / "paper.md"))) {
    if (!std::regex_match(text, form)) continue;
    EXPECT_TRUE(known.contains(text)) << text;
    ++named;
  }
  EXPECT_GT(named, 60U);
}

// Studies take minutes; of them the name is looked up.
TEST(Docs, ThePageOfThePaperNamesCommandsThatRun) {
  std::set<std::string> commands;
  for (const std::string& text : quoted_in(TempFolder::read(root / "docs" / "paper.md")))
    if (text.starts_with("driftless ")) commands.insert(text.substr(10));
  EXPECT_GT(commands.size(), 15U);
  const TempFolder folder;
  fs::create_directory_symlink(root / "examples", folder / "examples");
  const std::string studies = run_program({.arguments = {"reproduce", "--help"}, .folder = folder.path()}).out;
  for (const std::string& command : commands) {
    std::vector<std::string> arguments;
    std::istringstream words(command);
    for (std::string word; words >> word;) arguments.push_back(word);
    if (arguments[0] == "reproduce") {
      EXPECT_THAT(studies, testing::HasSubstr(arguments.at(1)));
      continue;
    }
    if (arguments[0] == "run") arguments.insert(arguments.end(), {"--out", "out"});
    const ProgramResult result = run_program({.arguments = arguments, .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.err;
    fs::remove_all(folder / "out");
  }
}

// One seed of a theorem in expectation is an observation.
TEST(Docs, TheoremsOfThePaperHoldInItsExamples) {
  for (const fs::path& example : files_in(root / "examples" / "paper", ".toml")) {
    const TempFolder folder;
    const ProgramResult result =
        run_program({.arguments = {"run", example.string(), "--out", "out"}, .folder = folder.path()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::size_t checked = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder / "out")) {
      if (entry.path().filename() != "certificate.json") continue;
      const nlohmann::json certificate = nlohmann::json::parse(TempFolder::read(entry.path()));
      EXPECT_THAT(certificate.at("verdict").get<std::string>(), testing::AnyOf("holds", "observed"))
          << entry.path() << "\n"
          << certificate.dump(1);
      ++checked;
    }
    EXPECT_GT(checked, 0U) << example;
  }
}

TEST(Docs, TheExamplesWithDataInTheReadmeGiveWhatItShows) {
  const auto data = available_data("a9a");
  if (!data) GTEST_SKIP() << "a9a is not on this machine; name its folder in DRIFTLESS_DATA";
  const TempFolder folder;
  const std::vector<std::string> examples = configurations_in(root / "README.md");
  ASSERT_EQ(examples.size(), 3U);  // the third one is of tables
  folder.write("first.toml", examples[0]);
  const ProgramResult first = run_program({.arguments = {"run", "first.toml"},
                                           .folder = folder.path(),
                                           .environment = {{"DRIFTLESS_DATA", data->parent_path().string()}}});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, testing::HasSubstr("auto: newton: d = 123; estimated exchanges: newton 8, newton-cg with 5 "
                                            "directions 30, newton-cg 45"));
  EXPECT_THAT(first.err, testing::HasSubstr("auto: stopped after 5 rounds (gradient norm reached)"));
  folder.write("exp.toml", examples[1]);
  const ProgramResult result = run_program({.arguments = {"run", "exp.toml", "--out", "out"},
                                            .folder = folder.path(),
                                            .environment = {{"DRIFTLESS_DATA", data->parent_path().string()}}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string readme = TempFolder::read(root / "README.md");
  std::istringstream lines(result.out);
  bool printed = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("1e-")) printed = line.starts_with("1e-4") || line.starts_with("1e-8");
    if (line.starts_with("method")) break;
    if (printed) { EXPECT_THAT(readme, testing::HasSubstr(line)) << result.out; }
  }
}

TEST(Docs, TheExampleWithTablesInTheReadmeFitsAModelThatPredicts) {
  const TempFolder folder;
  copy_hospitals(folder);
  folder.write("tables.toml", configurations_in(root / "README.md").at(2));
  const auto run = [&](std::vector<std::string> arguments) {
    return run_program({.arguments = std::move(arguments), .folder = folder.path()});
  };
  const ProgramResult fit = run({"run", "tables.toml", "--out", "readmission"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_EQ(run({"summary", "readmission"}).exit_code, 0);
  const ProgramResult predicted = run({"predict", "readmission", "examples/hospitals/west.csv", "--keep", "patient"});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_THAT(predicted.out, testing::StartsWith("patient,probability,class\n"));
}

TEST(Docs, TheSearchOnItsPageIsReadable) {
  const TempFolder folder;
  const std::vector<std::string> blocks = configurations_in(root / "docs" / "tune.md");
  ASSERT_FALSE(blocks.empty());
  for (const std::string& block : blocks) {
    folder.write("page.toml", block);
    const ProgramResult result =
        run_program({.arguments = {"tune", "page.toml", "--dry-run"}, .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

TEST(Docs, EveryMethodIsOnThePageOfItsFamily) {
  for (const MethodEntry& entry : method_catalog())
    EXPECT_THAT(TempFolder::read(root / "docs" / "methods" / (entry.family + ".md")),
                testing::HasSubstr("`" + entry.name + "`"));
}

TEST(Docs, ExamplesRun) {
  const TempFolder folder;
  for (const fs::path& example : files_in(root / "examples", ".toml")) {
    const ProgramResult result =
        run_program({.arguments = {"run", example.string(), "-c", "stop.rounds=2"}, .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 0) << example << "\n" << result.err;
  }
}

// By the commands that docs/report.md names.
TEST(Docs, TheFigureOfTheReportIsWhatTheProgramDraws) {
  const TempFolder folder;
  const std::string example = (root / "examples" / "synthetic.toml").string();
  ASSERT_EQ(run_program({.arguments = {"run", example, "--out", "synthetic"}, .folder = folder.path()}).exit_code, 0);
  const ProgramResult result =
      run_program({.arguments = {"report", "synthetic", "--svg", "figures"}, .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(TempFolder::read(folder / "figures/f_gap.svg"),
            TempFolder::read(root / "docs" / "figures" / "synthetic.svg"));
}

TEST(Docs, TheTimesOnLinksAreWhatTheProgramFinds) {
  const TempFolder folder;
  const std::string example = (root / "examples" / "synthetic.toml").string();
  ASSERT_EQ(run_program({.arguments = {"run", example, "--out", "synthetic"}, .folder = folder.path()}).exit_code, 0);
  const ProgramResult result =
      run_program({.arguments = {"report", "synthetic", "--link", "0.2ms,10Gbit,compute=0x", "--link",
                                 "20ms,100Mbit,compute=0x", "--link", "100ms,5Mbit,compute=0x"},
                   .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string page = TempFolder::read(root / "docs" / "links.md");
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("report in")) { EXPECT_THAT(page, testing::HasSubstr(line)); }
}

// A few quick lines of the table; scripts/convergence-table --check compares all of it.
TEST(Docs, TheTableOfConvergenceIsWhatTheProgramFinds) {
  const TempFolder folder;
  const std::string page = TempFolder::read(root / "docs" / "methods.md");
  for (const fs::path& problem : files_in(root / "examples" / "compare", ".toml")) {
    const ProgramResult result = run_program(
        {.arguments = {"compare", problem.string(), "--tables", "--methods",
                       "agd,tamuna,randprox,feddyn,dane,aegs,giant", "--target", "1e-8", "--format", "markdown"},
         .folder = folder.path()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(page, testing::HasSubstr(line)) << problem;
  }
}

}  // namespace
}  // namespace driftless
