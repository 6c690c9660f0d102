#include "driftless/network/hub/journal.hpp"

#include "driftless/core/error.hpp"

#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

Total total(double first, std::size_t width = 4) {
  Total t;
  for (std::size_t i = 0; i < width; ++i) t.values.push_back(first + static_cast<double>(i));
  return t;
}

const JournalOptions own{.owner = {"run-1", "digest-1"}};

void append(Journal& journal, const Total& t) { journal.append(t.values, t.agreement); }

void expect_same(const Total& a, const Total& b) {
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.agreement.signal, b.agreement.signal);
  EXPECT_EQ(a.agreement.absent, b.agreement.absent);
}

TEST(Journal, KeepsTotalsOverARestart) {
  const TempFolder folder;
  Total lost = total(-0.0, 9000);
  lost.agreement = {.signal = StopSignal::interrupted, .absent = {1, 4}};
  {
    Journal journal(folder.path(), own);
    EXPECT_EQ(journal.next(), 0U);
    append(journal, total(1.0));
    append(journal, lost);
  }
  const Journal journal(folder.path(), own);
  EXPECT_EQ(journal.next(), 2U);
  expect_same(journal.read(0), total(1.0));
  expect_same(journal.read(1), lost);
  EXPECT_EQ(journal.last_agreement().absent, lost.agreement.absent);
}

TEST(Journal, KeepsATotalWithoutValues) {
  const TempFolder folder;
  Total empty;
  empty.agreement.absent = {1, 4};
  {
    Journal journal(folder.path(), own);
    append(journal, total(1.0));
    append(journal, empty);
  }
  expect_same(Journal(folder.path(), own).read(1), empty);
}

TEST(Journal, RemovesAnIncompleteTotal) {
  const TempFolder folder;
  std::uintmax_t one = 0;
  {
    Journal journal(folder.path(), own);
    append(journal, total(1.0));
    one = std::filesystem::file_size(folder / "journal-0");
    append(journal, total(2.0));
  }
  const std::filesystem::path file = folder / "journal-0";
  for (std::uintmax_t size = one; size < std::filesystem::file_size(file); ++size) {
    folder.write("copy/journal-0", TempFolder::read(file));
    std::filesystem::resize_file(folder / "copy/journal-0", size);
    Journal journal(folder / "copy", own);
    ASSERT_EQ(journal.next(), 1U) << size;
    append(journal, total(7.0));
    expect_same(journal.read(1), total(7.0));
  }
}

TEST(Journal, RejectsEveryChangedBit) {
  const TempFolder folder;
  {
    Journal journal(folder.path(), own);
    append(journal, total(1.0));
    append(journal, total(2.0));
  }
  const std::string bytes = TempFolder::read(folder / "journal-0");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    folder.write("bad/journal-0", changed);
    EXPECT_THROW(Journal(folder / "bad", own), DataError) << at;
  }
}

TEST(Journal, RejectsTheFilesOfAnotherRun) {
  const TempFolder folder;
  { append(*std::make_unique<Journal>(folder.path(), own), total(1.0)); }
  EXPECT_THROW(Journal(folder.path(), {.owner = {"run-2", "digest-1"}}), DataError);
  EXPECT_THROW(Journal(folder.path(), {.owner = {"run-1", "digest-2"}}), DataError);
  EXPECT_NO_THROW(Journal(folder.path(), own));
}

// The newest file is of another history, with the right owner and the right number.
TEST(Journal, RejectsAFileThatDoesNotContinueTheOneBeforeIt) {
  const TempFolder folder;
  for (const char* name : {"a", "b"}) {
    Journal journal(folder / name, {.owner = own.owner, .file_bytes = 1});
    append(journal, total(*name == 'a' ? 1.0 : 2.0));
    append(journal, total(3.0));
  }
  EXPECT_EQ(Journal(folder / "a", own).next(), 2U);
  folder.write("a/journal-1", TempFolder::read(folder / "b/journal-1"));
  EXPECT_THROW(Journal(folder / "a", own), DataError);
}

TEST(Journal, EqualRunsHaveEqualHistoriesAndOthersNot) {
  const TempFolder folder;
  const auto history = [&](const char* name, double last, std::uint64_t file_bytes) {
    Journal journal(folder / name, {.owner = own.owner, .file_bytes = file_bytes});
    append(journal, total(1.0));
    append(journal, total(last));
    return journal.history();
  };
  EXPECT_EQ(history("a", 2.0, 1), history("b", 2.0, 1 << 20));
  EXPECT_NE(history("c", 2.0, 1), history("d", 2.5, 1));
}

TEST(Journal, KnowsThePositionBeforeEveryTotalThatItHasAlsoAfterARestart) {
  const TempFolder folder;
  std::vector<History> histories;
  const JournalOptions small{.owner = own.owner, .file_bytes = 300};
  {
    Journal journal(folder.path(), small);
    for (int i = 0; i < 9; ++i) {
      histories.push_back(journal.history());
      Total t = total(i);
      if (i >= 4) t.agreement.absent = {2};
      append(journal, t);
    }
    journal.remove_before(6);
  }
  const Journal journal(folder.path(), small);
  ASSERT_FALSE(journal.has(4));
  for (ExchangeId id = 6; id < 9; ++id) {
    ASSERT_TRUE(journal.has(id));
    EXPECT_EQ(journal.position_before(id)->history, histories[id]);
    EXPECT_EQ(journal.position_before(id)->absent, std::vector<ClientId>{2})
        << "from the header of the file, if necessary";
  }
  EXPECT_FALSE(journal.position_before(3).has_value());
  EXPECT_TRUE(journal.position_before(0));
}

TEST(Journal, AFileThatEndsWithinItsHeaderIsRemoved) {
  const TempFolder folder;
  {
    Journal journal(folder.path(), {.owner = own.owner, .file_bytes = 1});
    append(journal, total(1.0));
    append(journal, total(2.0));
  }
  for (const std::uintmax_t size : {0, 1, 50}) {
    std::filesystem::resize_file(folder / "journal-1", size);
    Journal journal(folder.path(), {.owner = own.owner, .file_bytes = 1});
    ASSERT_EQ(journal.next(), 1U);
    append(journal, total(2.0));
  }
  EXPECT_EQ(Journal(folder.path(), own).next(), 2U);
}

// After a loss of power: everything before the last sync, then nothing, a part, or zeros.
TEST(Journal, SurvivesALossOfPowerUpToItsLastSync) {
  const TempFolder folder;
  Journal journal(folder.path(), own);
  append(journal, total(1.0));
  EXPECT_EQ(journal.durable(), 0U);
  {
    const Journal::Sync sync = journal.begin_sync();
    append(journal, total(2.0));  // too late for this sync
    sync.wait();
    journal.end_sync(sync);
  }
  EXPECT_EQ(journal.durable(), 1U);
  const std::string bytes = TempFolder::read(folder / "journal-0");
  const std::size_t record = 64 + 4 * sizeof(double);
  for (const std::size_t lost : {record, record / 2, std::size_t{1}}) {
    std::string left = bytes.substr(0, bytes.size() - lost);
    folder.write("cut/journal-0", left);
    EXPECT_EQ(Journal(folder / "cut", own).next(), 1U);
    if (lost != record) continue;
    left.append(lost, '\0');
    folder.write("zeros/journal-0", left);
    EXPECT_EQ(Journal(folder / "zeros", own).next(), 1U);
  }
}

TEST(Journal, AFileIsOnTheDiskBeforeTheNextOneStarts) {
  const TempFolder folder;
  Journal journal(folder.path(), {.owner = own.owner, .file_bytes = 1});
  append(journal, total(1.0));
  append(journal, total(2.0));
  EXPECT_EQ(journal.durable(), 1U);
}

TEST(Journal, ARemovedFolderIsADataError) {
  const TempFolder folder;
  Journal journal(folder / "journal", {.owner = own.owner, .file_bytes = 1});
  append(journal, total(1.0));
  std::filesystem::remove_all(folder / "journal");
  EXPECT_THROW(append(journal, total(2.0)), DataError);
  EXPECT_THROW(journal.read(0), DataError);
}

// Writing to a removed file succeeds; a peer must not rely on it.
TEST(Journal, ARemovedFileIsNotDurable) {
  const TempFolder folder;
  Journal journal(folder / "journal", own);
  append(journal, total(1.0));
  std::filesystem::remove_all(folder / "journal");
  append(journal, total(2.0));
  EXPECT_THROW(journal.begin_sync().wait(), DataError);
}

TEST(Journal, KeepsTheTotalsOfTheProblemAndRemovesThoseBeforeAllCheckpoints) {
  const TempFolder folder;
  Journal journal(folder.path(), {.owner = own.owner, .file_bytes = 1000});
  append(journal, total(1.0));
  journal.keep_before(1);
  const std::size_t wide = 100;
  for (int i = 0; i < 20; ++i) append(journal, total(i, wide));
  journal.remove_before(19);
  EXPECT_TRUE(journal.has(0));
  EXPECT_FALSE(journal.has(1));
  EXPECT_TRUE(journal.has(19));
  EXPECT_TRUE(journal.has(20));
  EXPECT_FALSE(journal.has(21));
  const Journal again(folder.path(), own);
  EXPECT_TRUE(again.has(0));
  EXPECT_FALSE(again.has(1));
  EXPECT_EQ(again.next(), 21U);
}

TEST(Journal, TotalsAfterAnInterruptionAreNotKept) {
  const TempFolder folder;
  {
    Journal journal(folder.path(), own);
    append(journal, total(1.0));
    journal.stop_keeping();
    append(journal, total(2.0));
    expect_same(journal.read(1), total(2.0));
  }
  EXPECT_EQ(Journal(folder.path(), own).next(), 1U);
}

}  // namespace
}  // namespace driftless
