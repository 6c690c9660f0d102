// The manual page and the completion of shells name what the parser accepts, also of the verbs of the network.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace driftless {
namespace {

using testing::HasSubstr;

const std::vector<std::string> verbs{"run",   "resume",    "tune",      "methods", "describe",   "compare",
                                     "bench", "reproduce", "export",    "report",  "inspect",    "data",
                                     "serve", "join",      "preflight", "pki",     "completion", "manual"};

class Manual : public testing::Test {
 protected:
  std::string output_of(const std::vector<std::string>& arguments,
                        const std::string& program = DRIFTLESS_PROGRAM_FILE) {
    const ProgramResult result = run_program({.arguments = arguments, .folder = folder.path(), .program = program});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  // What bash offers for the last of the words.
  std::string completed(const std::vector<std::string>& words) {
    const auto script = folder.write("completion.bash", output_of({"completion", "bash"}));
    std::string line = "source '" + script.string() + "'; COMP_WORDS=(driftless";
    for (const std::string& word : words) line += " '" + word + "'";
    line += "); COMP_CWORD=" + std::to_string(words.size()) + "; _driftless; echo \"${COMPREPLY[*]}\"";
    return output_of({"-c", line}, "/bin/bash");
  }

  TempFolder folder;
};

TEST_F(Manual, NamesEveryVerbAndEveryOptionOfItsHelp) {
  const std::string page = output_of({"manual"});
  EXPECT_THAT(page, HasSubstr(".TH DRIFTLESS 1"));
  const std::regex flag("\n +(--[a-z-]+)");
  for (const std::string& verb : verbs) {
    EXPECT_THAT(page, HasSubstr(".SS \"driftless " + verb + "\"")) << verb;
    const std::string help = output_of({verb, "--help"});
    for (std::sregex_iterator found(help.begin(), help.end(), flag); found != std::sregex_iterator(); ++found)
      EXPECT_THAT(page, HasSubstr("\\fB" + std::regex_replace((*found)[1].str(), std::regex("-"), "\\-"))) << verb;
  }
}

TEST_F(Manual, NoLineOfTextIsARequest) {
  std::istringstream lines(output_of({"manual"}));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(line.starts_with("'")) << line;
    if (line.starts_with(".")) { EXPECT_THAT(line, testing::ContainsRegex("^\\.(TH|SH|SS|TP|PP)")); }
  }
}

TEST_F(Manual, ShellsCompleteVerbsOptionsValuesAndMethods) {
  EXPECT_EQ(completed({"ru"}), "run\n");
  EXPECT_EQ(completed({"data", "spl"}), "split\n");
  EXPECT_EQ(completed({"run", "exp.toml", "--form"}), "--format\n");
  EXPECT_EQ(completed({"run", "exp.toml", "--format", "js"}), "json\n");
  EXPECT_EQ(completed({"describe", "fedred-s"}), "fedred-sgd\n");
  EXPECT_EQ(completed({"completion", "z"}), "zsh\n");
  EXPECT_EQ(completed({"run", "exp"}), "\n");  // files are left to the shell
}

TEST_F(Manual, OtherShellsHaveTheSameWords) {
  const std::string fish = output_of({"completion", "fish"});
  for (const std::string& verb : verbs) EXPECT_THAT(fish, HasSubstr("-a '" + verb + "'\n")) << verb;
  EXPECT_THAT(fish, HasSubstr("-l dry-run"));
  const std::string zsh = output_of({"completion", "zsh"});
  EXPECT_THAT(zsh, testing::StartsWith("#compdef driftless\n"));
  EXPECT_THAT(zsh, testing::Not(HasSubstr("mapfile")));
}

TEST_F(Manual, AnotherShellIsRejected) {
  const ProgramResult result = run_program({.arguments = {"completion", "tcsh"}, .folder = folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("tcsh"));
}

}  // namespace
}  // namespace driftless
