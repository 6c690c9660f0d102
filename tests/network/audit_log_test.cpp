// The audit log of a peer.
#include "driftless/peers/audit_log.hpp"

#include "driftless/core/error.hpp"

#include "tests/network/audit_lines.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

TEST(AuditLog, HasOneObjectPerLineAndOnlyItsOwnerCanReadIt) {
  const TempFolder folder;
  {
    AuditLog log(folder / "audit.jsonl");
    log.record("started", {{"run", "4711"}, {"left", ""}});
    log.record("joined", {{"site", "north"}, {"text", "site 'north' joined"}});
  }
  AuditLog(folder / "audit.jsonl").record("started", {{"run", "4711"}});
  const std::vector<AuditLine> lines = audit_lines(folder / "audit.jsonl");
  ASSERT_EQ(lines.size(), 3U) << "a restart appends";
  EXPECT_EQ(lines[0].at("event"), "started");
  EXPECT_EQ(lines[0].at("run"), "4711");
  EXPECT_FALSE(lines[0].contains("left")) << "what is empty is left out";
  EXPECT_EQ(lines[1].at("text"), "site 'north' joined");
  for (const AuditLine& line : lines)
    EXPECT_THAT(line.at("time").get<std::string>(), MatchesRegex("....-..-..T..:..:..Z"));
  struct stat about{};
  ASSERT_EQ(::stat((folder / "audit.jsonl").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777U, 0600U);
}

TEST(AuditLog, ContainsNoControlCharacters) {
  const TempFolder folder;
  AuditLog(folder / "audit.jsonl")
      .record("rejected", {{"text", "\x1b[2J\r\n{\"event\": \"finished\"}\xff\xc2\x9b" + std::string(5000, 'x')}});
  const std::string text = TempFolder::read(folder / "audit.jsonl");
  for (const char c : text.substr(0, text.size() - 1)) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  const std::vector<AuditLine> lines = audit_lines(folder / "audit.jsonl");
  ASSERT_EQ(lines.size(), 1U) << "no line was forged";
  EXPECT_THAT(lines[0].at("text").get<std::string>(), HasSubstr("\\x1b[2J"));
  EXPECT_THAT(lines[0].at("text").get<std::string>(), HasSubstr("\\xff"));
  EXPECT_LT(lines[0].at("text").get<std::string>().size(), 1100U);
}

TEST(AuditLog, CountsTheEventsOfASiteThatAreTooFrequentAndKeepsOtherRecords) {
  const TempFolder folder;
  {
    AuditLog log(folder / "audit.jsonl");
    for (int i = 0; i < 1000; ++i) log.record("called", {{"site", "south"}});
    for (int i = 0; i < 3; ++i) log.record("called", {{"site", "north"}});
    log.record("rejected", {{"site", "south"}});
  }
  const std::vector<AuditLine> lines = audit_lines(folder / "audit.jsonl");
  ASSERT_EQ(lines.size(), 600U + 3U + 1U + 1U);
  EXPECT_EQ(lines[603].at("event"), "rejected") << "a site cannot suppress the record of its rejection";
  EXPECT_EQ(lines[604].at("event"), "left-out");
  EXPECT_EQ(lines[604].at("of"), "called");
  EXPECT_EQ(lines[604].at("site"), "south");
  EXPECT_EQ(lines[604].at("records"), "400");
}

TEST(AuditLog, ThreadsDoNotMixTheirLines) {
  const TempFolder folder;
  {
    AuditLog log(folder / "audit.jsonl");
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&log, t] {
        for (int i = 0; i < 100; ++i) log.record("called", {{"site", "s" + std::to_string(t)}});
      });
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(audit_lines(folder / "audit.jsonl").size(), 400U);
}

TEST(AuditLog, AFileThatCannotBeOpenedIsNamed) {
  const TempFolder folder;
  EXPECT_THROW(AuditLog(folder / "nowhere/audit.jsonl"), DataError);
}

}  // namespace
}  // namespace driftless
