#include "driftless/data/libsvm/libsvm_reader.hpp"

#include "driftless/files/digest.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/temp_folder.hpp"

#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace driftless {
namespace {

using testing::ElementsAre;

constexpr std::string_view three_rows = "+1 1:0.5 3:-2\n-1 2:1e-3\n+1 4:7\n";

Dataset parse(std::string_view text, const LibsvmOptions& options = {}) { return parse_libsvm(text, "text", options); }

TEST(LibsvmReader, ReadsRowsColumnsAndValues) {
  const Dataset data = parse(three_rows);
  EXPECT_EQ(data.name, "text");
  EXPECT_EQ(data.digest, sha256(three_rows));
  EXPECT_EQ(data.dim, 4);
  EXPECT_EQ(data.rows(), 3U);
  EXPECT_THAT(data.row_start, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(data.column, ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(data.value, ElementsAre(0.5, -2.0, 1e-3, 7.0));
  EXPECT_THAT(data.label, ElementsAre(1.0, -1.0, 1.0));
  EXPECT_THAT(data.label_values, ElementsAre(-1.0, 1.0));
}

TEST(LibsvmReader, AcceptsEverySpellingOfBlanksLinesAndNumbers) {
  const Dataset data = parse("# a comment\n\n \t\r\n  1.0\t1:+0.5   3:-2.0e0 # rest 9:x\r\n-1 2:.001\n\n+1e0 4:7");
  const Dataset plain = parse(three_rows);
  EXPECT_EQ(data.row_start, plain.row_start);
  EXPECT_EQ(data.column, plain.column);
  EXPECT_EQ(data.value, plain.value);
  EXPECT_EQ(data.label, plain.label);
}

TEST(LibsvmReader, SkipsAByteOrderMark) {
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "1 1:1\n-1 1:2\n")
                .rows(),
            2U);
}

TEST(LibsvmReader, CountsExplicitZerosWithoutStoringThem) {
  const Dataset data = parse("1 1:0 2:1 5:0\n-1 3:-0.0\n");
  EXPECT_EQ(data.explicit_zeros, 3U);
  EXPECT_THAT(data.column, ElementsAre(1));
  EXPECT_THAT(data.row_start, ElementsAre(0, 1, 1));
  EXPECT_EQ(data.dim, 5);
}

TEST(LibsvmReader, KeepsRowsWithoutFeatures) {
  const Dataset data = parse("1\n-1 2:1\n1 # nothing here\n");
  EXPECT_THAT(data.row_start, ElementsAre(0, 0, 1, 1));
}

TEST(LibsvmReader, TakesTheGivenDimension) {
  EXPECT_EQ(parse(three_rows, {.dim = 10}).dim, 10);
  EXPECT_EQ(parse("1\n-1\n", {.dim = 3}).dim, 3);
  expect_error<DataError>([] { parse("1 1:1\n-1 2:1 4:1\n", {.dim = 3}); }, {"given dimension 3", "text:2: '4:1'"});
  expect_error<ConfigError>([] { parse(three_rows, {.dim = 0}); }, {"dim = 0"});
}

TEST(LibsvmReader, RejectsFilesOfDifferentNumbersOfColumnsUnlessTheDimensionIsGiven) {
  const TempFolder folder;
  const std::array files{folder.write("north.svm", "1 14:1\n-1 2:1\n"), folder.write("south.svm", "1 15:1\n-1 2:1\n")};
  expect_error<DataError>([&] { read_libsvm_files(files, {}); },
                          {"the same number of columns", "north.svm: 14", "south.svm: 15", "problem.dim = 15"});
  for (const Dataset& data : read_libsvm_files(files, {.dim = 20})) EXPECT_EQ(data.dim, 20);
}

TEST(LibsvmReader, ReadsIndicesUpToItsLimit) {
  EXPECT_EQ(parse("1 2147483646:1\n").dim, 2147483646);
  expect_error<DataError>([] { parse("1 2147483647:1\n"); }, {"too large", "2147483646"});
}

TEST(LibsvmReader, MapsEveryKnownPairOfLabels) {
  EXPECT_THAT(parse("-1 1:1\n+1 1:1\n").label, ElementsAre(-1.0, 1.0));
  EXPECT_THAT(parse("0 1:1\n1.0 1:1\n").label, ElementsAre(-1.0, 1.0));
  EXPECT_THAT(parse("2 1:1\n1 1:1\n").label, ElementsAre(1.0, -1.0));
  EXPECT_THAT(parse("2 1:1\n1 1:1\n").label_values, ElementsAre(1.0, 2.0));
}

TEST(LibsvmReader, AcceptsOneLabelAlone) {
  EXPECT_THAT(parse("-1 1:1\n").label, ElementsAre(-1.0));
  EXPECT_THAT(parse("-0 1:1\n").label, ElementsAre(-1.0));
  EXPECT_THAT(parse("1 1:1\n").label, ElementsAre(1.0));
  EXPECT_THAT(parse("2 1:1\n").label, ElementsAre(1.0));
}

TEST(LibsvmReader, RejectsLabelsThatAreNoPairAndNamesTheFirstOddLine) {
  expect_error<DataError>([] { parse("1 1:1\n2 1:1\n\n3 1:1\n4 1:1\n"); },
                          {"4 found: 1, 2, 3, 4", "text:4: label 3", "positive_label"});
  expect_error<DataError>([] { parse("0 1:1\n2 1:1\n"); }, {"2 found: 0, 2", "text:2: label 2"});
  expect_error<DataError>([] { parse("-1 1:1\n0 1:1\n"); }, {"2 found: -1, 0", "text:2: label 0"});
  expect_error<DataError>([] { parse("7 1:1\n"); }, {"1 found: 7", "text:1: label 7"});
}

TEST(LibsvmReader, MakesOneChosenLabelPositive) {
  const Dataset data = parse("3 1:1\n5 1:1\n9 1:1\n5 1:1\n", {.positive_label = 5.0});
  EXPECT_THAT(data.label, ElementsAre(-1.0, 1.0, -1.0, 1.0));
  EXPECT_THAT(data.label_values, ElementsAre(3.0, 5.0, 9.0));
  expect_error<DataError>([] { parse("3 1:1\n5 1:1\n", {.positive_label = 4.0}); },
                          {"does not occur", "positive_label = 4", "3, 5"});
  expect_error<ConfigError>([] { parse("3 1:1\n", {.labels = Labels::real, .positive_label = 3.0}); }, {"real"});
}

TEST(LibsvmReader, KeepsRealLabels) {
  const Dataset data = parse("0.25 1:1\n-3e2 1:1\n7 1:1\n", {.labels = Labels::real});
  EXPECT_THAT(data.label, ElementsAre(0.25, -300.0, 7.0));
  EXPECT_THAT(data.label_values, ElementsAre(-300.0, 0.25, 7.0));
  EXPECT_TRUE(data.label_values_complete);
}

TEST(LibsvmReader, KeepsABoundedNumberOfDistinctLabels) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + " 1:1\n";
  const Dataset data = parse(text, {.labels = Labels::real});
  EXPECT_EQ(data.label_values.size(), 64U);
  EXPECT_FALSE(data.label_values_complete);
  EXPECT_EQ(parse(text, {.positive_label = 90.0}).label[90], 1.0);
  expect_error<DataError>([&] { parse(text); }, {"more than 64", "and more"});
}

TEST(LibsvmReader, ReadsPackedFilesWithTheDigestOfThePlainText) {
  const TempFolder folder;
  for (const std::string& packed : {std::string(three_rows), pack_zstd(three_rows), pack_gzip(three_rows)}) {
    const auto path = folder.write("rows", packed);
    const Dataset data = read_libsvm(path);
    EXPECT_EQ(data.digest, sha256(three_rows));
    EXPECT_EQ(data.name, path.string());
    EXPECT_EQ(data.rows(), 3U);
  }
}

TEST(LibsvmReader, GivesFilesOfOneFederationCommonLabelsAndDimension) {
  const TempFolder folder;
  const std::vector<std::filesystem::path> paths{folder.write("a", "1 1:1\n2 2:1\n"), folder.write("b", "1 7:1\n")};
  const std::vector<Dataset> sets = read_libsvm_files(paths, {.dim = 7});
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_THAT(sets[0].label, ElementsAre(-1.0, 1.0));
  EXPECT_THAT(sets[1].label, ElementsAre(-1.0));
  EXPECT_EQ(sets[0].dim, 7);
  EXPECT_EQ(sets[1].dim, 7);
  const std::vector<std::filesystem::path> odd{paths[0], folder.write("c", "\n0 1:1\n")};
  expect_error<DataError>([&] { read_libsvm_files(odd, {.dim = 7}); }, {"0, 1, 2", odd[1].string() + ":2: label 0"});
}

void expect_sound(const Dataset& data) {
  ASSERT_EQ(data.row_start.size(), data.rows() + 1);
  ASSERT_EQ(data.row_start.back(), static_cast<std::int64_t>(data.nonzeros()));
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (std::int64_t at = data.row_start[row]; at < data.row_start[row + 1]; ++at) {
      const auto k = static_cast<std::size_t>(at);
      ASSERT_TRUE(data.column[k] >= 0 && data.column[k] < data.dim);
      ASSERT_TRUE(at == data.row_start[row] || data.column[k - 1] < data.column[k]);
      ASSERT_TRUE(std::isfinite(data.value[k]) && data.value[k] != 0.0);
    }
  }
}

TEST(LibsvmReader, EitherRejectsOrReadsSoundDataFromScrambledText) {
  std::mt19937 chance(1);
  const std::string alphabet("01:+-.e# \n\t\r\0n\xFFx", 16);
  int rejected = 0;
  int accepted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text(three_rows);
    for (int change = 0; change < 1 + trial % 3; ++change)
      text[chance() % text.size()] = alphabet[chance() % alphabet.size()];
    try {
      expect_sound(parse(text, {.labels = Labels::real}));
      ++accepted;
    } catch (const DataError&) { ++rejected; }
  }
  EXPECT_GT(rejected, 1000);
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace driftless
