// Tables and Markdown within the width of a terminal.
#include "driftless/console/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace driftless {
namespace {

using testing::ElementsAre;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

const TextLines two_texts{
    {"method", "rounds", "parameters", "remark"},
    {"gd", "12", "step = 0.123", "clients drift, and nothing corrects them; 2.3e-03 of the gap is left"},
    {"fedred-gd", "7", "lambda = 0.02, eta = 4, p = 0.05", ""}};

TEST(TextTable, CountsCharactersNotBytes) { EXPECT_EQ(aligned({{"a", "b"}, {"λ–", "12"}}), "a    b\nλ–  12\n"); }

TEST(TextTable, BytesHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1 kB");
  EXPECT_EQ(bytes_text(18345678), "18.3 MB");
}

TEST(TextTable, IsTheSameWhereItFitsOrHasNoLimit) {
  EXPECT_EQ(aligned(two_texts, {0, 2, 3}, 300), aligned(two_texts, {0, 2, 3}));
  EXPECT_GT(widest_line(aligned(two_texts, {0, 2, 3})), 100U);
}

TEST(TextTable, WrapsItsTextsWhereThereIsRoomForThem) {
  EXPECT_EQ(aligned(two_texts, {0, 2, 3}, 85),
            "method     rounds  parameters                        remark\n"
            "gd             12  step = 0.123                      clients drift, and nothing\n"
            "                                                     corrects them; 2.3e-03 of the\n"
            "                                                     gap is left\n"
            "fedred-gd       7  lambda = 0.02, eta = 4, p = 0.05\n");
}

TEST(TextTable, PlacesItsTextsBelowTheRowWhereThereIsNoRoom) {
  EXPECT_EQ(aligned(two_texts, {0, 2, 3}, 50), "method     rounds\n"
                                               "    parameters; remark\n"
                                               "gd             12\n"
                                               "    step = 0.123; clients drift, and nothing\n"
                                               "    corrects them; 2.3e-03 of the gap is left\n"
                                               "fedred-gd       7\n"
                                               "    lambda = 0.02, eta = 4, p = 0.05\n");
}

TEST(TextTable, WrapsItsHeadingFirst) {
  EXPECT_EQ(aligned({{"method", "times fewer rounds than gd", "gradients / gd"}, {"dane", "10.0", "4.5"}}, {0}, 32),
            "method      times    gradients /\n"
            "            fewer             gd\n"
            "           rounds\n"
            "          than gd\n"
            "dane         10.0            4.5\n");
}

TEST(TextTable, WrapsAllCellsWhereNumbersAreLast) {
  EXPECT_EQ(aligned({{"best setting", "to 1e-2"}, {"eta = 1 L, lambda = 0.025 L", "22 [20–24] / 472"}}, {0}, 24),
            "best             to 1e-2\n"
            "setting\n"
            "eta = 1 L,    22 [20–24]\n"
            "lambda =           / 472\n"
            "0.025 L\n");
}

TEST(TextTable, NeverExceedsTheWidthWhereItsNumbersFit) {
  for (std::size_t width = 20; width <= 130; ++width)
    EXPECT_LE(widest_line(aligned(two_texts, {0, 2, 3}, width)), width);
}

TEST(Wrapped, BreaksBetweenWordsAndKeepsLongOnes) {
  EXPECT_THAT(wrapped("one two  three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("a verylongword b", 5), ElementsAre("a", "verylongword", "b"));
  EXPECT_THAT(wrapped("λ λ λ", 3), ElementsAre("λ λ", "λ"));
  EXPECT_THAT(wrapped("one two", unlimited_width), ElementsAre("one two"));
  EXPECT_THAT(wrapped("", 5), ElementsAre(""));
}

TEST(MarkdownAsText, HasAlignedTablesAndWrappedParagraphsWithoutMarks) {
  EXPECT_EQ(markdown_as_text("# Figure 1\n\nThe **paper** reports `f*` in [a table](x.md)\nof rounds.\n\n"
                             "| problem | rounds |\n|---|---:|\n| convex | 7 |\n| **flat** | 123 |\n",
                             20),
            "Figure 1\n\nThe paper reports f*\nin a table of\nrounds.\n\nproblem  rounds\nconvex        7\nflat        "
            "123\n");
}

TEST(MarkdownAsText, KeepsListsAndSingleStars) {
  EXPECT_EQ(markdown_as_text("* one\n* two *f* 2 * 3\n"), "* one\n* two *f* 2 * 3\n");
}

}  // namespace
}  // namespace driftless
