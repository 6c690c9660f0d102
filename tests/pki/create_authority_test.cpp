// A new CA: its files, and that it is created completely or not at all.
#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

#include <sys/stat.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(CreateAuthority, WritesFourFilesAndAKeyThatOnlyItsOwnerCanRead) {
  const mode_t old = ::umask(0);  // the modes must not depend on it
  const SmallAuthority ca;
  ::umask(old);
  EXPECT_EQ(entries_in(ca.folder), 4U);
  EXPECT_EQ(mode_of(ca.folder), 0700U);
  EXPECT_EQ(mode_of(ca.folder / "ca.key"), 0600U);
  for (const char* file : {"ca.crt", "crl.pem", "index.json"}) EXPECT_EQ(mode_of(ca.folder / file), 0644U) << file;
  EXPECT_EQ(entries_in(ca.temporary.path()), 1U) << "a draft was left";
}

TEST(CreateAuthority, ItsListIsEmptyNumberedAndLastsAsLongAsTheCa) {
  const SmallAuthority ca;
  const CrlHandle list = revocations_in(ca.text("crl.pem"));
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(sk_X509_REVOKED_num(X509_CRL_get_REVOKED(list.get())), -1);  // none at all
  const CertificateHandle authority = certificate_in(ca.text("ca.crt"));
  EXPECT_EQ(X509_CRL_verify(list.get(), X509_get0_pubkey(authority.get())), 1);
  EXPECT_EQ(ASN1_TIME_compare(X509_CRL_get0_nextUpdate(list.get()), X509_get0_notAfter(authority.get())), 0);
  EXPECT_GE(X509_CRL_get_ext_by_NID(list.get(), NID_crl_number, -1), 0);
}

TEST(CreateAuthority, AcceptsAnEmptyFolder) {
  const TempFolder folder;
  fs::create_directory(folder / "ca");
  create_authority({.folder = folder / "ca"});
  EXPECT_TRUE(fs::exists(folder / "ca/ca.key"));
}

TEST(CreateAuthority, NeverTouchesAFolderThatIsInUse) {
  const SmallAuthority ca;
  const std::string key = ca.text("ca.key");
  expect_error<ConfigError>([&] { create_authority({.folder = ca.folder}); }, {"a CA in this folder already"});
  EXPECT_EQ(ca.text("ca.key"), key);
  const fs::path file = ca.temporary.write("full/notes.txt", "mine");
  expect_error<ConfigError>([&] { create_authority({.folder = ca.temporary / "full"}); }, {"new or empty", "full"});
  expect_error<ConfigError>([&] { create_authority({.folder = file}); }, {"new or empty", "notes.txt"});
  EXPECT_EQ(entries_in(ca.temporary / "full"), 1U);
}

TEST(CreateAuthority, LeavesNoFilesWhereItCannotWrite) {
  const TempFolder folder;
  folder.write("file", "x");
  expect_error<ConfigError>([&] { create_authority({.folder = folder / "file/ca"}); }, {"file/ca"});
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(CreateAuthority, RejectsNamesAndDaysOutOfRange) {
  const TempFolder folder;
  const auto with = [&](const std::string& name, int days) {
    return [&folder, name, days] { create_authority({.folder = folder / "ca", .name = name, .days = days}); };
  };
  expect_error<ConfigError>(with("", 10), {"not a valid name for a CA"});
  expect_error<ConfigError>(with(std::string(65, 'x'), 10), {"1 to 64"});
  expect_error<ConfigError>(with("two\nlines", 10), {"not a valid name for a CA"});
  expect_error<ConfigError>(with("CA", 0), {"--days 0", "1 to 36500"});
  expect_error<ConfigError>(with("CA", 36501), {"--days 36501"});
  EXPECT_EQ(entries_in(folder.path()), 0U);
}

TEST(CreateAuthority, WorksBeyondTheYear2050) {
  const SmallAuthority ca("Test CA", longest_validity);
  EXPECT_EQ(facts_of(ca.text("ca.crt")).not_after, ca.now + std::chrono::days(longest_validity));
  ca.issue("north");
  EXPECT_EQ(verdict(ca.text("north/cert.pem"), ca.text("ca.crt"), ca.text("crl.pem"), X509_PURPOSE_SSL_CLIENT, ca.now),
            X509_V_OK);
}

}  // namespace
}  // namespace driftless
