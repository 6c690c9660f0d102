// The commands of docs/tables.md, as they stand there.
#include "tests/cli/hospitals.hpp"
#include "tests/support/free_port.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::string page() { return TempFolder::read(fs::path(DRIFTLESS_SOURCE_FOLDER) / "docs" / "tables.md"); }

// What stands in fences of sh on the page, one after the other.
std::string commands_of_page() {
  std::string commands;
  std::istringstream lines(page());
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```sh") inside = true;
    else if (line == "```") inside = false;
    else if (inside) commands += line + "\n";
  }
  return commands;
}

// The indented lines of the page that begin with this one.
std::string shown_from(const std::string& first) {
  std::string shown;
  std::istringstream lines(page());
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("    ");
    if (shown.empty() ? indented && line.substr(4).starts_with(first) : indented || line.empty())
      shown += (indented ? line.substr(4) : "") + "\n";
    else if (!shown.empty()) break;
  }
  while (shown.ends_with("\n\n")) shown.pop_back();
  return shown;
}

bool has_network() {
  const TempFolder folder;
  return run_program({.arguments = {"serve", "--help"}, .folder = folder.path()}).out.find("--tls") !=
         std::string::npos;
}

TEST(Docs, TheTutorialOfTablesRunsAsWritten) {
  if (!has_network()) GTEST_SKIP() << "this build has no network";
  const TempFolder folder;
  copy_hospitals(folder);
  const std::string port = std::to_string(free_port());
  std::string commands = std::regex_replace(commands_of_page(), std::regex("7443"), port);
  commands = std::regex_replace(commands, std::regex("(driftless serve .*) &"), "$1 --listen 127.0.0.1:" + port + " &");
  folder.write("tutorial.sh", "set -euo pipefail\n" + commands);
  const fs::path programs = fs::path(DRIFTLESS_PROGRAM_FILE).parent_path();
  const ProgramResult result = run_program({.arguments = {"tutorial.sh"},
                                            .folder = folder.path(),
                                            .environment = {{"PATH", programs.string() + ":/usr/bin:/bin"}},
                                            .program = "/bin/bash"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* file : {"proposed.toml", "readmission/results/auto/model.json", "site-west/results/auto/model.json",
                           "predicted.csv", "readmission.onnx", "readmission.html"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
  EXPECT_EQ(TempFolder::read(folder / "readmission/results/auto/model.json"),
            TempFolder::read(folder / "site-west/results/auto/model.json"));
  const std::string summary = shown_from("logistic model of readmitted");
  EXPECT_THAT(summary, testing::HasSubstr("odds ratio"));
  EXPECT_THAT(result.out, testing::HasSubstr(summary));
  EXPECT_THAT(result.out, testing::HasSubstr(shown_from("patient,probability")));
}

}  // namespace
}  // namespace driftless
