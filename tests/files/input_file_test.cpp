#include "driftless/files/input_file.hpp"

#include "driftless/files/base_name.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace driftless {
namespace {

// Larger than one chunk of the reader, and not the same everywhere.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 60000; ++i) text += std::to_string(i * 7919 % 100003) + " ";
  return text;
}

TEST(InputFile, ReadsPlainBytesAsTheyAre) {
  const TempFolder folder;
  const std::string bytes = std::string("a\0b\r\n", 5) + long_text();
  EXPECT_EQ(read_input_file(folder.write("plain", bytes)), bytes);
  EXPECT_EQ(read_input_file(folder.write("empty", "")), "");
}

TEST(InputFile, DecompressesZstdByItsFirstBytesForAnyName) {
  const TempFolder folder;
  const std::string text = long_text();
  EXPECT_EQ(read_input_file(folder.write("data", pack_zstd(text))), text);
  EXPECT_EQ(read_input_file(folder.write("stream.zst", pack_zstd_stream(text))), text);
  EXPECT_EQ(read_input_file(folder.write("nothing.zst", pack_zstd(""))), "");
}

TEST(InputFile, JoinsSeveralZstdFrames) {
  const TempFolder folder;
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
  const std::string text = long_text();
  EXPECT_EQ(read_input_file(folder.write("two.zst", pack_zstd(text) + pack_zstd_stream("end"))), text + "end");
  EXPECT_EQ(read_input_file(folder.write("skip.zst", skippable + pack_zstd("x") + skippable + pack_zstd("y"))), "xy");
}

TEST(InputFile, DecompressesGzipWithSeveralMembersAndPadding) {
  const TempFolder folder;
  const std::string text = long_text();
  EXPECT_EQ(read_input_file(folder.write("one.gz", pack_gzip(text))), text);
  EXPECT_EQ(read_input_file(folder.write("two.gz", pack_gzip(text) + pack_gzip("end"))), text + "end");
  EXPECT_EQ(read_input_file(folder.write("padded.gz", pack_gzip(text) + std::string(512, '\0'))), text);
}

TEST(InputFile, NamesAMissingFileAndAFolder) {
  const TempFolder folder;
  expect_error<DataError>([&] { read_input_file(folder / "nowhere"); }, {"does not exist", "nowhere"});
  expect_error<DataError>([&] { read_input_file(folder.path()); }, {"this is a folder", folder.path().string()});
  expect_error<DataError>([&] { read_input_file(folder.write("f", "x") / "below"); }, {"f/below"});
}

TEST(InputFile, ExplainsWhyAFileCannotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TempFolder folder;
  const auto path = folder.write("secret", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  expect_error<DataError>([&] { read_input_file(path); }, {"cannot be read", "secret", "ermission"});
}

TEST(InputFile, ReportsEveryTruncationOfACompressedFile) {
  const TempFolder folder;
  const std::string text = long_text().substr(0, 300);
  for (const auto& [format, packed] : {std::pair{"zstd", pack_zstd(text)}, std::pair{"gzip", pack_gzip(text)}}) {
    for (std::size_t size = 4; size < packed.size(); ++size) {
      const auto path = folder.write("cut", packed.substr(0, size));
      expect_error<DataError>([&] { read_input_file(path); }, {"ends in the middle", format, path.string()});
    }
  }
}

TEST(InputFile, ReportsDamagedStreams) {
  const TempFolder folder;
  const std::string text = long_text();
  std::string zstd = pack_zstd(text) + "garbage";
  expect_error<DataError>([&] { read_input_file(folder.write("z", zstd)); }, {"zstd stream", "damaged", "again"});
  std::string gzip = pack_gzip(text);
  gzip[gzip.size() - 6] = static_cast<char>(gzip[gzip.size() - 6] ^ 1);  // in the checksum
  expect_error<DataError>([&] { read_input_file(folder.write("g", gzip)); }, {"gzip stream", "damaged", "again"});
  expect_error<DataError>([&] { read_input_file(folder.write("t", pack_gzip(text) + "tail")); }, {"gzip", "damaged"});
}

TEST(InputFile, AdvisesHowToReadOtherCompressions) {
  const TempFolder folder;
  expect_error<DataError>([&] { read_input_file(folder.write("a", "BZh91AY")); }, {"bzip2", "bunzip2"});
  expect_error<DataError>(
      [&] {
        read_input_file(folder.write("b", std::string("\xFD"
                                                      "7zXZ\0\0",
                                                      7)));
      },
      {"xz", "unxz"});
}

TEST(BaseName, IsWhatFollowsTheLastSlash) {
  EXPECT_EQ(base_name("/data/sets/a9a"), "a9a");
  EXPECT_EQ(base_name("a9a"), "a9a");
  EXPECT_EQ(base_name("folder/"), "folder");
  EXPECT_EQ(base_name("/"), "/");
  EXPECT_EQ(base_name(""), "");
}

}  // namespace
}  // namespace driftless
