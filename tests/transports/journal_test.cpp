#include "driftless/transports/journal.hpp"

#include "driftless/core/error.hpp"

#include "tests/data/temp_folder.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

Total total(double first, std::size_t width = 4) {
  Total t;
  for (std::size_t i = 0; i < width; ++i) t.values.push_back(first + static_cast<double>(i));
  return t;
}

void expect_same(const Total& a, const Total& b) {
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.news.word, b.news.word);
  EXPECT_EQ(a.news.absent, b.news.absent);
}

TEST(Journal, KeepsTotalsOverARestart) {
  const TempFolder folder;
  Total lost = total(-0.0, 9000);
  lost.news = {.word = 130, .absent = {1, 4}};
  {
    Journal journal(folder.path());
    EXPECT_EQ(journal.next(), 0U);
    journal.append(total(1.0));
    journal.append(lost);
  }
  const Journal journal(folder.path());
  EXPECT_EQ(journal.next(), 2U);
  expect_same(journal.read(0), total(1.0));
  expect_same(journal.read(1), lost);
  EXPECT_EQ(journal.last_news().absent, lost.news.absent);
}

TEST(Journal, KeepsATotalWithoutValues) {
  const TempFolder folder;
  Total empty;
  empty.news.absent = {1, 4};
  {
    Journal journal(folder.path());
    journal.append(total(1.0));
    journal.append(empty);
  }
  expect_same(Journal(folder.path()).read(1), empty);
}

TEST(Journal, ForgetsATotalThatWasCutOff) {
  const TempFolder folder;
  {
    Journal journal(folder.path());
    journal.append(total(1.0));
    journal.append(total(2.0));
  }
  const std::filesystem::path file = folder / "journal-0";
  const std::uintmax_t whole = std::filesystem::file_size(file);
  for (std::uintmax_t cut = 1; cut <= whole / 2; ++cut) {
    folder.write("copy/journal-0", TempFolder::read(file));
    std::filesystem::resize_file(folder / "copy/journal-0", whole - cut);
    Journal journal(folder / "copy");
    ASSERT_EQ(journal.next(), 1U) << cut;
    journal.append(total(7.0));
    expect_same(journal.read(1), total(7.0));
  }
}

TEST(Journal, RefusesEveryChangedBit) {
  const TempFolder folder;
  {
    Journal journal(folder.path());
    journal.append(total(1.0));
    journal.append(total(2.0));
  }
  const std::string bytes = TempFolder::read(folder / "journal-0");
  constexpr std::size_t unused = 4;  // at the end of a head
  for (std::size_t at = 0; at < bytes.size() / 2; ++at) {
    if (at >= 44 && at < 44 + unused) continue;
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    folder.write("bad/journal-0", changed);
    EXPECT_THROW(Journal(folder / "bad"), DataError) << at;
  }
}

TEST(Journal, KeepsWhatMadeTheProblemAndForgetsWhatEverybodySaved) {
  const TempFolder folder;
  Journal journal(folder.path());
  journal.append(total(1.0));
  journal.keep_before(1);
  const std::size_t wide = std::size_t{1} << 20;
  for (int i = 0; i < 20; ++i) journal.append(total(i, wide));
  journal.forget_before(19);
  EXPECT_TRUE(journal.has(0));
  EXPECT_FALSE(journal.has(1));
  EXPECT_TRUE(journal.has(19));
  EXPECT_TRUE(journal.has(20));
  EXPECT_FALSE(journal.has(21));
  const Journal again(folder.path());
  EXPECT_TRUE(again.has(0));
  EXPECT_FALSE(again.has(1));
  EXPECT_EQ(again.next(), 21U);
}

TEST(Journal, WhatFollowsAnInterruptionIsNotKept) {
  const TempFolder folder;
  {
    Journal journal(folder.path());
    journal.append(total(1.0));
    journal.stop_keeping();
    journal.append(total(2.0));
    expect_same(journal.read(1), total(2.0));
  }
  EXPECT_EQ(Journal(folder.path()).next(), 1U);
}

}  // namespace
}  // namespace driftless
