#include "driftless/files/mapped_file.hpp"

#include "driftless/files/input_file.hpp"

#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace driftless {
namespace {

TEST(MappedFile, HoldsTheBytesOfAFile) {
  const TempFolder folder;
  const std::string bytes = std::string("a\0b\n", 4) + std::string(5000, 'x');
  EXPECT_EQ(MappedFile(folder.write("file", bytes)).bytes(), bytes);
}

TEST(MappedFile, KeepsThemWhenTheFileIsReplaced) {
  const TempFolder folder;
  const MappedFile file(folder.write("file", "old"));
  std::filesystem::rename(folder.write("draft", "new text"), folder / "file");
  EXPECT_EQ(file.bytes(), "old");
}

TEST(MappedFile, IsEmptyWhereThereIsNothingToMap) {
  const TempFolder folder;
  EXPECT_TRUE(MappedFile(folder.write("empty", "")).bytes().empty());
  EXPECT_TRUE(MappedFile(folder / "nowhere").bytes().empty());
  EXPECT_TRUE(MappedFile(folder.path()).bytes().empty());
}

TEST(MappedFile, IsFoundByAnAddressInIt) {
  const TempFolder folder;
  const char* start = nullptr;
  {
    const MappedFile one(folder.write("one", std::string(5000, 'x')));
    const MappedFile two(folder.write("two", "text"));
    start = one.bytes().data();
    EXPECT_EQ(mapped_file_at(start), (folder / "one").string());
    EXPECT_EQ(mapped_file_at(start + 4999), (folder / "one").string());
    EXPECT_EQ(mapped_file_at(two.bytes().data() + 3), (folder / "two").string());
    EXPECT_EQ(mapped_file_at(&folder), nullptr);
    EXPECT_EQ(mapped_file_at(nullptr), nullptr);
  }
  EXPECT_EQ(mapped_file_at(start), nullptr);
}

TEST(MappedFile, ManyAtATimeAreAllowed) {
  const TempFolder folder;
  const auto path = folder.write("file", "text");
  std::vector<std::unique_ptr<MappedFile>> files;
  for (int i = 0; i < 1000; ++i) files.push_back(std::make_unique<MappedFile>(path));
  for (const auto& file : files) EXPECT_EQ(file->bytes(), "text");
  files.clear();
  const MappedFile again(path);
  EXPECT_EQ(mapped_file_at(again.bytes().data()), path.string()) << "entries were not released";
}

TEST(InputFile, ShowsStoredAndPlainBytes) {
  const TempFolder folder;
  const std::string packed = pack_zstd("some text");
  InputFile file(folder.write("file", packed));
  EXPECT_EQ(file.stored(), packed);
  EXPECT_EQ(file.plain(), "some text");
  InputFile plain(folder.write("plain", "other text"));
  EXPECT_EQ(plain.stored(), "other text");
  EXPECT_EQ(plain.plain(), "other text");
  EXPECT_EQ(InputFile(folder.write("empty", "")).plain(), "");
}

TEST(InputFile, ReadsWhatCannotBeMapped) {
  const TempFolder folder;
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::jthread writer([&] { folder.write("pipe", "through a pipe"); });
  EXPECT_EQ(read_input_file(pipe), "through a pipe");
}

}  // namespace
}  // namespace driftless
