// Issuing certificates: their files, renewals, and several at the same time.
#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

#include <set>
#include <sys/stat.h>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using std::chrono::days;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

TEST(IssueCertificate, WritesAKeyThatOnlyItsOwnerCanRead) {
  const SmallAuthority ca;
  const mode_t old = ::umask(0);
  const Issue issue = ca.issue("north");
  ::umask(old);
  EXPECT_EQ(issue.out, ca.folder / "north");
  EXPECT_EQ(names_in(issue.out), (std::set<std::string>{"key.pem", "cert.pem", "ca.pem"}));
  EXPECT_EQ(mode_of(issue.out), 0700U);
  EXPECT_EQ(mode_of(issue.out / "key.pem"), 0600U);
  EXPECT_EQ(ca.text("north/ca.pem"), ca.text("ca.crt"));
}

TEST(IssueCertificate, WritesTheRevocationListForAServer) {
  const SmallAuthority ca;
  ca.issue("server");
  EXPECT_EQ(ca.text("server/crl.pem"), ca.text("crl.pem"));
}

TEST(IssueCertificate, WritesToTheGivenFolder) {
  const SmallAuthority ca;
  IssueRequest request = ca.request("north");
  request.out = ca.temporary / "for/north";
  issue_certificate(request);
  EXPECT_EQ(facts_of(TempFolder::read(request.out / "cert.pem")).name, "north");
  EXPECT_EQ(mode_of(request.out), 0700U);
  EXPECT_FALSE(fs::exists(ca.folder / "north"));
}

TEST(IssueCertificate, RecordsWhatWasIssued) {
  const SmallAuthority ca;
  const Issue issue = ca.issue("north");
  const AuthorityFacts facts = read_authority(ca.folder);
  ASSERT_EQ(facts.record.certificates.size(), 1U);
  const IssuedCertificate& recorded = facts.record.certificates.front();
  EXPECT_EQ(recorded.serial, issue.certificate.serial);
  EXPECT_EQ(recorded.subject.name, "north");
  EXPECT_EQ(recorded.not_after, ca.now + days(365));
  EXPECT_TRUE(recorded.valid_at(ca.now));
  EXPECT_FALSE(recorded.valid_at(ca.now + days(366)));
}

TEST(IssueCertificate, ASecondOneNeedsTheRenewFlagAndTheFirstStaysValid) {
  const SmallAuthority ca;
  const Issue first = ca.issue("north");
  const std::string old_pem = ca.text("north/cert.pem");
  const std::string old_key = ca.text("north/key.pem");
  expect_error<ConfigError>([&] { ca.issue("north"); }, {"'north' has a valid certificate", first.certificate.serial,
                                                         "--renew", "until you revoke it"});
  EXPECT_EQ(ca.text("north/cert.pem"), old_pem);
  const Issue second = ca.renew("north");
  ASSERT_EQ(second.still_valid.size(), 1U);
  EXPECT_EQ(second.still_valid.front().serial, first.certificate.serial);
  EXPECT_NE(ca.text("north/key.pem"), old_key) << "a new certificate has a new key";
  EXPECT_EQ(ca.tls("north").certificate, ca.text("north/cert.pem"));
  EXPECT_EQ(mode_of(ca.folder / "north/key.pem"), 0600U);
  EXPECT_EQ(verdict(old_pem, ca.text("ca.crt"), ca.text("crl.pem"), X509_PURPOSE_SSL_CLIENT, ca.now), X509_V_OK);
}

TEST(IssueCertificate, AfterExpiryOrRevocationNoFlagIsNeeded) {
  const SmallAuthority ca;
  ca.issue("north");
  IssueRequest later = ca.request("north");
  later.now = ca.now + days(400);
  EXPECT_TRUE(issue_certificate(later).still_valid.empty());
  ca.issue("south");
  revoke_certificates({.folder = ca.folder, .site = "south", .serial = ""});
  EXPECT_TRUE(ca.issue("south").still_valid.empty());
}

TEST(IssueCertificate, ARenewedServerKeepsItsHosts) {
  const SmallAuthority ca;
  IssueRequest request = ca.request("server");
  request.subject.hosts = {"fed.example.org"};
  issue_certificate(request);
  EXPECT_EQ(ca.renew("server").certificate.subject.hosts, request.subject.hosts);
}

TEST(IssueCertificate, NeverOverwritesTheKeyOfAnotherSubject) {
  const SmallAuthority ca;
  ca.issue("north");
  const std::string key = ca.text("north/key.pem");
  IssueRequest request = ca.request("south");
  request.out = ca.folder / "north";
  expect_error<ConfigError>([&] { issue_certificate(request); }, {"the key of another subject", "north"});
  EXPECT_EQ(ca.text("north/key.pem"), key);
  fs::remove(ca.folder / "north/cert.pem");
  expect_error<ConfigError>([&] { ca.renew("north"); }, {"the key of another subject", "north"});
  EXPECT_EQ(read_authority(ca.folder).record.certificates.size(), 1U) << "what was not issued was recorded";
}

TEST(IssueCertificate, ANameIsASiteOrAServerNotBoth) {
  const SmallAuthority ca;
  ca.issue("north");
  IssueRequest request = ca.request("north");
  request.subject.kind = SubjectKind::server;
  expect_error<ConfigError>([&] { issue_certificate(request); }, {"belongs to a site"});
}

TEST(IssueCertificate, NeverOutlivesTheCa) {
  const SmallAuthority ca("Test CA", 100);
  const Issue issue = ca.issue("north");
  EXPECT_TRUE(issue.ends_with_authority);
  EXPECT_EQ(issue.certificate.not_after, ca.now + days(100));
  IssueRequest late = ca.request("south");
  late.now = ca.now + days(101);
  expect_error<DataError>([&] { issue_certificate(late); }, {"the CA has expired", "pki init"});
}

TEST(IssueCertificate, WhereItCannotWriteNothingIsRecorded) {
  const SmallAuthority ca;
  ca.temporary.write("file", "x");
  IssueRequest request = ca.request("north");
  request.out = ca.temporary / "file/north";
  expect_error<ConfigError>([&] { issue_certificate(request); }, {"cannot be written", "file/north"});
  EXPECT_TRUE(read_authority(ca.folder).record.certificates.empty());
}

TEST(IssueCertificate, ManyAtTheSameTimeAreAllRecorded) {
  const SmallAuthority ca;
  constexpr int each = 6;
  std::vector<std::thread> threads;
  for (const char* prefix : {"a", "b", "c", "d"})
    threads.emplace_back([&ca, prefix] {
      for (int i = 0; i < each; ++i) ca.issue(prefix + std::to_string(i));
    });
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> names;
  for (const IssuedCertificate& issued : read_authority(ca.folder).record.certificates)
    names.insert(issued.subject.name);
  EXPECT_EQ(names.size(), 4U * each);
}

TEST(IssueCertificate, NeedsAWholeCa) {
  const SmallAuthority ca;
  IssueRequest elsewhere = ca.request("north");
  elsewhere.folder = ca.temporary / "nowhere";
  expect_error<ConfigError>([&] { issue_certificate(elsewhere); }, {"no CA in this folder", "pki init --ca"});
  for (const char* file : {"ca.key", "ca.crt", "crl.pem", "index.json"}) {
    const std::string bytes = ca.text(file);
    fs::remove(ca.folder / file);
    expect_error<DataError>([&] { ca.issue("north"); }, {"incomplete", std::string("no file ") + file});
    ca.temporary.write(std::string("ca/") + file, bytes);
    fs::permissions(ca.folder / file, fs::perms::owner_read | fs::perms::owner_write);
  }
  EXPECT_NO_THROW(ca.issue("north"));
}

TEST(IssueCertificate, TheKeyOfTheCaMustBeItsOwnAndPrivate) {
  const SmallAuthority ca;
  fs::permissions(ca.folder / "ca.key", fs::perms::group_read, fs::perm_options::add);
  expect_error<ConfigError>([&] { ca.issue("north"); }, {"can be read", "chmod 600", "ca.key"});
  fs::permissions(ca.folder / "ca.key", fs::perms::group_read, fs::perm_options::remove);
  create_authority({.folder = ca.temporary / "other"});
  fs::copy_file(ca.temporary / "other/ca.key", ca.folder / "ca.key", fs::copy_options::overwrite_existing);
  expect_error<DataError>([&] { ca.issue("north"); }, {"does not belong to its certificate", "ca.key"});
}

}  // namespace
}  // namespace driftless
