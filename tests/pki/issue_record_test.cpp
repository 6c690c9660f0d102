// index.json: read back as written, and rejected where it was damaged.
#include "driftless/pki/issue_record.hpp"

#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

IssueRecord small_record() {
  const Instant begin = *parse_utc("2026-01-31T12:00:00Z");
  return {.authority_digest = "abc",
          .crl_number = 3,
          .certificates = {{.serial = std::string(32, '1'),
                            .subject = {.name = "server", .kind = SubjectKind::server, .hosts = {"localhost", "::1"}},
                            .not_before = begin,
                            .not_after = begin + std::chrono::days(1)},
                           {.serial = std::string(32, '2'),
                            .subject = {.name = "north"},
                            .not_before = begin,
                            .not_after = begin + std::chrono::days(1),
                            .revoked = begin}}};
}

TEST(IssueRecord, ReadsBackAsWritten) {
  const std::string text = record_text(small_record());
  const IssueRecord read = parse_record(text, "index.json");
  EXPECT_EQ(record_text(read), text);
  EXPECT_EQ(read.certificates[0].subject.hosts.size(), 2U);
  EXPECT_FALSE(read.certificates[0].revoked);
  EXPECT_EQ(read.certificates[1].revoked, small_record().certificates[1].revoked);
}

TEST(IssueRecord, DamageIsReportedWithLocationAndAdvice) {
  const std::string good = record_text(small_record());
  const auto expect_damage = [](const std::string& text, const std::string& fragment) {
    expect_error<DataError>([&] { parse_record(text, "ca/index.json"); },
                            {"the record of the CA", "ca/index.json", fragment, "restore index.json"});
  };
  expect_damage("", "not JSON");
  expect_damage(good.substr(0, good.size() / 2), "not JSON");
  expect_damage("[]", "no key 'schema_version'");
  expect_damage(replaced(good, "\"schema_version\": 1", "\"schema_version\": 2"), "schema_version = 2");
  expect_damage(replaced(good, "\"crl_number\": 3", "\"crl_number\": -3"), "crl_number = -3");
  expect_damage(replaced(good, "\"crl_number\"", "\"other\""), "no key 'crl_number'");
  expect_damage(replaced(good, "\"kind\": \"site\"", "\"kind\": \"guest\""), "kind = guest");
  expect_damage(replaced(good, "\"north\"", "\"../north\""), "site = ../north");
  expect_damage(replaced(good, "\"::1\"", "\"a b\""), "site server");
  expect_damage(replaced(good, "2026-01-31T12:00:00Z", "2026-02-31T12:00:00Z"), "no time in UTC");
  expect_damage(replaced(good, "2026-02-01T12:00:00Z", "2025-02-01T12:00:00Z"), "ends before it begins");
  expect_damage(replaced(good, std::string(32, '2'), std::string(32, '1')), "occurs twice");
  expect_damage(replaced(good, std::string(32, '2'), "22"), "serial = 22");
}

TEST(IssueRecord, OfAnotherCaIsRejected) {
  const SmallAuthority ca;
  create_authority({.folder = ca.temporary / "other"});
  std::filesystem::copy_file(ca.temporary / "other/index.json", ca.folder / "index.json",
                             std::filesystem::copy_options::overwrite_existing);
  expect_error<DataError>([&] { read_authority(ca.folder); }, {"another certificate than ca.crt", "belong together"});
  expect_error<DataError>([&] { ca.issue("north"); }, {"another certificate than ca.crt"});
}

TEST(IssueRecord, TimesAreReadBackExactly) {
  for (const char* text : {"1970-01-01T00:00:00Z", "2026-02-28T23:59:59Z", "2126-12-31T00:00:01Z"})
    EXPECT_EQ(utc_text(*parse_utc(text)), text);
  for (const char* text : {"", "2026-01-31", "2026-01-31T12:00:00", " 2026-01-31T12:00:00Z", "2026-01-31T12:00:00Zz"})
    EXPECT_FALSE(parse_utc(text)) << text;
}

}  // namespace
}  // namespace driftless
