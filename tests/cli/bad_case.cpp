#include "tests/cli/bad_case.hpp"

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>

namespace driftless {

void expect_message(const std::string& text, const std::vector<std::string>& fragments) {
  EXPECT_THAT(text, testing::StartsWith("error: "));
  for (const char* part : {"\n  seen: ", "\n  do:   "}) EXPECT_THAT(text, testing::HasSubstr(part));
  for (const std::string& fragment : fragments) EXPECT_THAT(text, testing::HasSubstr(fragment));
}

void expect_rejection(const BadCase& bad) {
  const TempFolder folder;
  folder.write("case.toml", bad.config);
  for (const auto& [name, bytes] : bad.files) folder.write(name, bytes);
  std::vector<std::string> arguments{"run", "case.toml"};
  arguments.insert(arguments.end(), bad.flags.begin(), bad.flags.end());
  const ProgramResult result = run_program({.arguments = arguments, .folder = folder.path()});
  EXPECT_EQ(result.exit_code, bad.exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  expect_message(result.err, bad.fragments);
  if (std::filesystem::exists(folder / "runs")) {
    EXPECT_TRUE(std::filesystem::is_empty(folder / "runs")) << "a run that never began left a directory";
  }
}

}  // namespace driftless
