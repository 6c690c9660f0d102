// The same configuration gives the same bytes for any number of threads, and when it is run again from its own echo.
#include "driftless/kernels/simd.hpp"

#include "tests/cli/program.hpp"
#include "tests/cli/same_bits.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

void run_into(const TempFolder& folder, const std::string& config, const std::string& out, const std::string& threads) {
  const ProgramResult result = run_program({.arguments = {"run", config, "--out", out},
                                            .folder = folder.path(),
                                            .environment = {{"DRIFTLESS_THREADS", threads}}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

void expect_same_bits(const TempFolder& folder, const std::string& config, const std::vector<std::string>& labels) {
  folder.write("case.toml", config);
  run_into(folder, "case.toml", "one", "1");
  run_into(folder, "case.toml", "two", "2");
  run_into(folder, "case.toml", "seven", "7");
  run_into(folder, "one/config.toml", "again", "2");
  for (const std::string& label : labels) {
    const std::string bytes = fingerprint(folder / "one", label);
    ASSERT_GT(bytes.size(), 500U);
    for (const char* other : {"two", "seven", "again"})
      EXPECT_EQ(bytes, fingerprint(folder / other, label)) << label << " in " << other;
  }
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, GivesTheSameBitsForEveryNumberOfThreadsAndFromItsOwnConfiguration) {
  const TempFolder folder;
  expect_same_bits(folder, quadratic_config({GetParam()}), {GetParam()});
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param)
    name += c == '+' ? std::string("Plus") : c == '-' ? std::string("_") : std::string(1, c);
  return name;
}

INSTANTIATE_TEST_SUITE_P(Bits, EveryMethod, testing::ValuesIn(all_method_names()), test_name);

TEST(Bits, RobustMeansAreTheSameForEveryNumberOfThreadsAndFromTheirOwnConfiguration) {
  for (const std::string line : {"aggregation = \"median\"", "aggregation = \"trimmed-mean\"\ntrim = 0.2",
                                 "aggregation = \"geometric-median\""}) {
    const TempFolder folder;
    expect_same_bits(folder, robust_config(line), robust_method_names());
  }
}

TEST(Bits, LogisticRegressionIsTheSameForEveryNumberOfThreadsAndFromItsOwnConfiguration) {
  const TempFolder folder;
  expect_same_bits(folder, logistic_config(), {"fedred-sgd", "dane+"});
}

TEST(Bits, LogisticRegressionIsTheSameWithEveryInstructionSet) {
  const TempFolder folder;
  folder.write("case.toml", logistic_config());
  run_into(folder, "case.toml", "best", "2");
  for (const std::string& simd : simd_choices()) {
    const ProgramResult result = run_program({.arguments = {"run", "case.toml", "--out", simd},
                                              .folder = folder.path(),
                                              .environment = {{"DRIFTLESS_SIMD", simd}}});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (const std::string label : {"fedred-sgd", "dane+"})
      EXPECT_EQ(fingerprint(folder / simd, label), fingerprint(folder / "best", label)) << label << " with " << simd;
  }
}

TEST(Bits, AnUnsupportedInstructionSetIsRejected) {
  const TempFolder folder;
  const ProgramResult result =
      run_program({.arguments = {"methods"}, .folder = folder.path(), .environment = {{"DRIFTLESS_SIMD", "abacus"}}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("choose one of"), std::string::npos) << result.err;
}

TEST(Bits, EchoWorksFromAnotherFolder) {
  const TempFolder folder;
  folder.write("data.svm", "1 1:1 2:0.5\n-1 2:1\n1 1:0.25\n-1 1:-1 3:2\n");
  folder.write("case.toml", "[problem]\nkind = \"logistic\"\ndata = \"data.svm\"\n[federation]\nclients = "
                            "2\n[[method]]\nname = \"gd\"\noutput = \"best\"\nstep = 0.5\n[stop]\nrounds = 9\n");
  run_into(folder, "case.toml", "first", "1");
  std::filesystem::create_directory(folder / "elsewhere");
  const ProgramResult result =
      run_program({.arguments = {"run", "../first/config.toml", "--out", "second"}, .folder = folder / "elsewhere"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(fingerprint(folder / "first", "gd"), fingerprint(folder / "elsewhere/second", "gd"));
  EXPECT_EQ(TempFolder::read(folder / "first/config.toml"), TempFolder::read(folder / "elsewhere/second/config.toml"));
}

}  // namespace
}  // namespace driftless
