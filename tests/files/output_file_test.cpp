#include "driftless/files/output_file.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>
#include <iterator>

namespace driftless {
namespace {

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

TEST(OutputFile, ReplacesTheFileAndLeavesNothingElse) {
  const TempFolder folder;
  write_output_file(folder / "out", "first, longer");
  write_output_file(folder / "out", std::string("a\0b", 3));
  EXPECT_EQ(TempFolder::read(folder / "out"), std::string("a\0b", 3));
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(OutputFile, CanBeSyncedToTheDisk) {
  const TempFolder folder;
  write_output_file(folder / "out", "first", Durability::synced);
  write_output_file(folder / "out", "second", Durability::synced);
  EXPECT_EQ(TempFolder::read(folder / "out"), "second");
  EXPECT_EQ(files_in(folder.path()), 1);
  EXPECT_NO_THROW(sync_to_disk(folder / "out"));
  EXPECT_NO_THROW(sync_to_disk(folder.path()));
  expect_error<DataError>([&] { sync_to_disk(folder / "missing"); }, {"missing"});
}

TEST(OutputFile, ADraftIsRecognisedByItsName) {
  EXPECT_TRUE(is_draft("folder/state.bin.part-4711"));
  EXPECT_FALSE(is_draft("folder.part-1/state.bin"));
  EXPECT_FALSE(is_draft("folder/thesis.part-one.tex"));
  EXPECT_FALSE(is_draft("folder/state.bin.part-"));
  EXPECT_TRUE(is_draft_of("folder/state.bin.part-4711", "state.bin"));
  EXPECT_FALSE(is_draft_of("folder/state.bin.part-4711", "state"));
}

TEST(OutputFile, WrittenBitByBitAppearsAtTheEndAlone) {
  const TempFolder folder;
  folder.write("out", "old");
  {
    OutputFile file(folder / "out");
    file.write("new, ");
    file.write("longer");
    EXPECT_EQ(TempFolder::read(folder / "out"), "old");
    file.finish();
  }
  EXPECT_EQ(TempFolder::read(folder / "out"), "new, longer");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(OutputFile, LeavesNothingOfAFileThatIsNotFinished) {
  const TempFolder folder;
  { OutputFile(folder / "out").write("half"); }
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(OutputFile, ReportsAMissingFolder) {
  const TempFolder folder;
  expect_error<DataError>([&] { write_output_file(folder / "no/such/out", "x"); },
                          {"cannot be written", "no/such/out"});
}

TEST(OutputFile, LeavesNoDraftWhereTheTargetIsAFolder) {
  const TempFolder folder;
  folder.write("out/inside", "x");
  expect_error<DataError>([&] { write_output_file(folder / "out", "x"); }, {"cannot be written", "out"});
  EXPECT_EQ(files_in(folder.path()), 1);
}

}  // namespace
}  // namespace driftless
