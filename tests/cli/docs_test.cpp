// The documentation is correct: every configuration in the pages of the families and in examples/ runs, and the table
// of convergence contains the results of the program.
#include "driftless/methods/catalog.hpp"

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
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
        {.arguments = {"compare", problem.string(), "--methods", "agd,feddyn,dane,aegs,giant", "--format", "markdown"},
         .folder = folder.path()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(page, testing::HasSubstr(line)) << problem;
  }
}

}  // namespace
}  // namespace driftless
