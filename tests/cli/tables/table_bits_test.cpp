// A whole run on tables gives the same bytes for any number of threads, instruction set, and from its own echo.
#include "driftless/kernels/simd.hpp"

#include "tests/cli/hospitals.hpp"
#include "tests/cli/tables/table_files.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::string bits_of(const TempFolder& folder, const std::string& config, const std::string& out,
                    const std::pair<std::string, std::string>& variable) {
  const ProgramResult result = run_program({.arguments = {"run", config, "--out", out, "-c", "problem.l2=cv"},
                                            .folder = folder.path(),
                                            .environment = {variable}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return table_files(folder / out, "auto");
}

TEST(TableBits, AreTheSameForEveryNumberOfThreadsAndFromTheirOwnConfiguration) {
  const TempFolder folder;
  copy_hospitals(folder);
  const std::string config = "examples/hospitals/readmission.toml";
  const std::string bits = bits_of(folder, config, "on-1", {"DRIFTLESS_THREADS", "1"});
  ASSERT_GT(bits.size(), 5000U);
  for (const std::string threads : {"2", "4", "7"})
    EXPECT_TRUE(bits == bits_of(folder, config, "on-" + threads, {"DRIFTLESS_THREADS", threads})) << threads;
  EXPECT_TRUE(bits == bits_of(folder, "on-1/config.toml", "again", {"DRIFTLESS_THREADS", "2"}));
}

TEST(TableBits, AreTheSameWithEveryInstructionSet) {
  const TempFolder folder;
  copy_hospitals(folder);
  const std::string config = "examples/hospitals/readmission.toml";
  const std::string bits = bits_of(folder, config, "best", {"DRIFTLESS_THREADS", "1"});
  for (const std::string& simd : simd_choices())
    EXPECT_TRUE(bits == bits_of(folder, config, simd, {"DRIFTLESS_SIMD", simd})) << simd;
}

}  // namespace
}  // namespace driftless
