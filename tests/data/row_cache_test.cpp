#include "driftless/data/libsvm/row_cache.hpp"

#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view three_classes = "2 1:0.1 3:-2 9:0\n\n1 2:1e-3\n7 4:7\n";

// A packed file that is read with a cache, and what the cache warned of.
struct CachedFile {
  explicit CachedFile(std::string_view text) : path(folder.write("rows.zst", pack_zstd(text))) {}

  Dataset read(std::optional<Index> dim = {}) const {
    return read_libsvm(path, {.dim = dim, .labels = Labels::real, .cache = cache});
  }
  std::filesystem::path entry() const { return cache.file(sha256(TempFolder::read(path))); }

  TempFolder folder;
  std::filesystem::path path;
  std::vector<std::string> warnings;
  RowCache cache{folder / "cache", [this](const std::string& warning) { warnings.push_back(warning); }};
};

void expect_same(const Dataset& left, const Dataset& right) {
  EXPECT_EQ(left.name, right.name);
  EXPECT_EQ(left.digest, right.digest);
  EXPECT_EQ(left.dim, right.dim);
  EXPECT_EQ(left.label, right.label);
  EXPECT_EQ(left.row_start, right.row_start);
  EXPECT_EQ(left.column, right.column);
  EXPECT_EQ(left.value, right.value);
  EXPECT_EQ(left.explicit_zeros, right.explicit_zeros);
  EXPECT_EQ(left.label_values, right.label_values);
  EXPECT_EQ(left.label_values_complete, right.label_values_complete);
}

TEST(RowCache, GivesBackWhatTheFileHolds) {
  std::string many_labels;
  for (int row = 0; row < 100; ++row) many_labels += std::to_string(row) + " 70000:1\n";
  for (const std::string_view text : {three_classes, std::string_view("1 1:1 5:1\n-1 2:1\n"),
                                      std::string_view("1\n2 7:0\n"), std::string_view(many_labels)}) {
    CachedFile file(text);
    const Dataset parsed = read_libsvm(file.path, {.labels = Labels::real});
    expect_same(file.read(), parsed);
    ASSERT_TRUE(std::filesystem::exists(file.entry()));
    const auto written = std::filesystem::last_write_time(file.entry());
    expect_same(file.read(), parsed);
    EXPECT_EQ(std::filesystem::last_write_time(file.entry()), written);
    EXPECT_THAT(file.warnings, ElementsAre());
  }
}

// A forged entry shows that it was the cache that answered.
TEST(RowCache, IsReadInPlaceOfTheFile) {
  CachedFile file(three_classes);
  ParsedText forged = parse_libsvm_text("5 1:1\n", file.path.string(), {});
  file.cache.write(sha256(TempFolder::read(file.path)), forged);
  EXPECT_THAT(file.read().label, ElementsAre(5.0));
}

TEST(RowCache, KeepsTheLinesOfMessages) {
  CachedFile file(three_classes);
  file.read();
  expect_error<DataError>([&] { read_libsvm(file.path, {.cache = file.cache}); },
                          {"3 found: 1, 2, 7", file.path.string() + ":4: label 7"});
  expect_error<DataError>([&] { file.read(Index{4}); }, {"given dimension 4", file.path.string() + ":1: '9:0'"});
  EXPECT_EQ(file.read(Index{20}).dim, 20);
}

TEST(RowCache, IsNotUsedForPlainFiles) {
  CachedFile file(three_classes);
  const auto plain = file.folder.write("plain", three_classes);
  read_libsvm(plain, {.labels = Labels::real, .cache = file.cache});
  EXPECT_FALSE(std::filesystem::exists(file.folder / "cache"));
}

TEST(RowCache, DistrustsAndReplacesDamagedEntries) {
  CachedFile file(three_classes);
  const Dataset parsed = file.read();
  const std::string good = TempFolder::read(file.entry());
  std::string other_version = good;
  other_version[other_version.find('1')] = '2';
  std::string changed = good;
  changed[good.size() / 2] = static_cast<char>(changed[good.size() / 2] ^ 1);
  for (const std::string& bad :
       {std::string(), std::string("x"), good.substr(0, 100), changed, other_version, good + "y"}) {
    CachedFile again(three_classes);
    again.folder.write("cache/" + again.entry().filename().string(), bad);
    const Dataset read = again.read();
    EXPECT_EQ(read.value, parsed.value);
    ASSERT_EQ(again.warnings.size(), 1U);
    EXPECT_THAT(again.warnings.front(), HasSubstr(again.entry().string()));
    EXPECT_EQ(TempFolder::read(again.entry()), good);
  }
}

TEST(RowCache, DistrustsAnEntryOfAnotherFile) {
  CachedFile file(three_classes);
  file.read();
  const std::string entry = TempFolder::read(file.entry());
  file.path = file.folder.write("other.zst", pack_zstd("1 1:1\n"));
  file.folder.write("cache/" + file.entry().filename().string(), entry);
  EXPECT_EQ(file.read().rows(), 1U);
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_THAT(file.warnings.front(), HasSubstr("another problem or file"));
}

TEST(RowCache, WarnsWhereNothingCanBeKept) {
  CachedFile file(three_classes);
  file.folder.write("cache", "a file in the place of the folder");
  EXPECT_EQ(file.read().rows(), 3U);
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_THAT(file.warnings.front(), HasSubstr("could not be kept"));
}

}  // namespace
}  // namespace driftless
