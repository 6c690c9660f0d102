// Tables as files, and as streams of chunks.
#include "driftless/data/tables/csv_reader.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::ElementsAre;

const std::vector<ColumnRequest> patients{{.name = "age"}, {.name = "sex", .type = CellType::text}};

TEST(CsvReader, ReadsPlainAndPackedFilesWithTheDigestOfThePlainText) {
  const TempFolder folder;
  const std::string text = "id,age,sex\n1,61.5,f\n2,NA,m\n3,40,f\n";
  for (const auto& [name, bytes] :
       {std::pair{"a.csv", text}, {"a.csv.gz", pack_gzip(text)}, {"a.csv.zst", pack_zstd(text)}}) {
    const auto path = folder.write(name, bytes);
    EXPECT_THAT(read_csv_header(path, {}), ElementsAre("id", "age", "sex"));
    const Table table = read_csv(path, patients, {});
    EXPECT_EQ(table.digest, sha256(text)) << name;
    EXPECT_EQ(table.name, path.string());
    EXPECT_EQ(table.columns[0].number[2], 40.0);
    EXPECT_THAT(table.columns[1].code, ElementsAre(0, 1, 0));
  }
}

TEST(CsvReader, TellsOfFilesThatAreMissingDamagedOrFolders) {
  const TempFolder folder;
  std::string packed = pack_gzip("age,sex\n" + std::string(10'000, '1') + ",f\n");
  const auto cut = folder.write("cut.csv.gz", packed.substr(0, packed.size() / 2));
  packed[packed.size() / 2] ^= 0x55;
  const auto damaged = folder.write("damaged.csv.gz", packed);
  const auto cut_zstd = folder.write("cut.csv.zst", pack_zstd("age,sex\n1,f\n").substr(0, 12));
  for (const auto& [path, what] : {std::pair{folder / "absent.csv", "does not exist"},
                                   {folder.path(), "a file was expected"},
                                   {cut, "ends in the middle of its gzip stream"},
                                   {damaged, "gzip stream of the file is damaged"},
                                   {cut_zstd, "ends in the middle of its zstd stream"}})
    expect_error<DataError>([&] { read_csv(path, patients, {}); }, {what, path.string()});
}

// About 20 MB, so that there are several chunks.
std::string large_table() {
  std::string text = "age,note,sex\n";
  for (int row = 0; row < 500'000; ++row) {
    text += std::to_string(row % 97) + (row % 3 == 0 ? "" : ".25") + ",\"a note, ";
    text += row % 1000 == 0 ? "with a\nline break\"," : "of some length\",";
    text += "level " + std::to_string(row % 13) + "\n";
  }
  return text;
}

TEST(CsvReader, AStreamHasTheRowsOfTheWholeFile) {
  const TempFolder folder;
  const std::string text = large_table();
  for (const auto& [name, bytes] : {std::pair{"large.csv", text}, {"large.csv.zst", pack_zstd(text)}}) {
    const auto path = folder.write(name, bytes);
    const Table whole = read_csv(path, patients, {});
    CsvStream stream(path, patients, {});
    std::size_t row = 0;
    std::size_t chunks = 0;
    for (Table chunk; stream.next(chunk); ++chunks) {
      ASSERT_EQ(chunk.columns[0].number.size(), chunk.rows);
      EXPECT_TRUE(chunk.digest.empty());
      for (std::size_t k = 0; k < chunk.rows; ++k, ++row) {
        ASSERT_EQ(chunk.columns[0].number[k], whole.columns[0].number[row]);
        ASSERT_EQ(chunk.columns[1].texts[static_cast<std::size_t>(chunk.columns[1].code[k])],
                  whole.columns[1].texts[static_cast<std::size_t>(whole.columns[1].code[row])]);
      }
    }
    EXPECT_EQ(row, whole.rows);
    EXPECT_GE(chunks, 2U);
    Table behind;
    EXPECT_FALSE(stream.next(behind));
    EXPECT_EQ(behind.rows, 0U);
  }
}

TEST(CsvReader, AStreamTellsTheLineOfItsChunksAndOfFaults) {
  const TempFolder folder;
  const std::string text = large_table();
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const auto path = folder.write("large.csv", text + "old,b,c\n");
  CsvStream stream(path, patients, {});
  Table chunk;
  ASSERT_TRUE(stream.next(chunk));
  EXPECT_EQ(chunk.first_line, 2U);
  ASSERT_TRUE(stream.next(chunk));
  EXPECT_GT(chunk.first_line, 100'000U);
  expect_error<DataError>(
      [&] {
        while (stream.next(chunk)) {}
      },
      {"not a number", ":" + std::to_string(lines + 1) + ": column 'age': 'old'"});
}

TEST(CsvReader, AStreamOfATableWithoutAColumnThatIsRequiredIsNotOpened) {
  const TempFolder folder;
  const auto path = folder.write("a.csv", "aged,sex\n1,f\n");
  expect_error<DataError>([&] { CsvStream(path, patients, {}); }, {"no column 'age'", "did you mean 'aged'?"});
}

}  // namespace
}  // namespace driftless
