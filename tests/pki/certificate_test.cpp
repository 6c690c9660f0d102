// What is in the certificates, and that OpenSSL accepts those and no others.
#include "driftless/pki/certificate.hpp"

#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

using std::chrono::days;
using std::chrono::minutes;

constexpr int as_site = X509_PURPOSE_SSL_CLIENT;
constexpr int as_server = X509_PURPOSE_SSL_SERVER;

TEST(Certificate, HasNameDatesSerialAndIssuer) {
  const SmallAuthority ca("Hospital trial 7");
  const Issue issue = ca.issue("north");
  const CertificateFacts facts = facts_of(ca.text("north/cert.pem"));
  EXPECT_EQ(facts.name, "north");
  EXPECT_EQ(facts.issuer, "Hospital trial 7");
  EXPECT_EQ(facts.serial, issue.certificate.serial);
  EXPECT_EQ(facts.not_before, ca.now - minutes(5));
  EXPECT_EQ(facts.not_after, ca.now + days(365));
  EXPECT_FALSE(facts.is_server);
  EXPECT_TRUE(facts.hosts.empty());
}

TEST(Certificate, OfAServerHasItsHostsInOrder) {
  const SmallAuthority ca;
  IssueRequest request = ca.request("server");
  request.subject.hosts = {"fed.example.org", "10.0.0.7", "2001:db8::7"};
  issue_certificate(request);
  const CertificateFacts facts = facts_of(ca.text("server/cert.pem"));
  EXPECT_TRUE(facts.is_server);
  EXPECT_EQ(facts.hosts, request.subject.hosts);
}

TEST(Certificate, OfAServerIsForThisMachineByDefault) {
  const SmallAuthority ca;
  ca.issue("server");
  EXPECT_EQ(facts_of(ca.text("server/cert.pem")).hosts, hosts_of_this_machine());
  EXPECT_THAT(hosts_of_this_machine(), testing::IsSupersetOf({"localhost", "127.0.0.1", "::1"}));
}

TEST(Certificate, IsAcceptedByOpensslForItsOwnUseOnly) {
  const SmallAuthority ca;
  ca.issue("north");
  ca.issue("server");
  const auto ask = [&](const std::string& name, int purpose) {
    return verdict(ca.text(name + "/cert.pem"), ca.text("ca.crt"), ca.text("crl.pem"), purpose, ca.now);
  };
  EXPECT_EQ(ask("north", as_site), X509_V_OK);
  EXPECT_EQ(ask("server", as_server), X509_V_OK);
  EXPECT_EQ(ask("north", as_server), X509_V_ERR_INVALID_PURPOSE);
  EXPECT_EQ(ask("server", as_site), X509_V_ERR_INVALID_PURPOSE);
}

TEST(Certificate, OfAnotherCaOfTheSameNameIsNotAccepted) {
  const SmallAuthority ca;
  ca.issue("north");
  create_authority({.folder = ca.temporary / "other", .name = "Test CA"});
  const std::string other = TempFolder::read(ca.temporary / "other/ca.crt");
  const std::string list = TempFolder::read(ca.temporary / "other/crl.pem");
  EXPECT_NE(verdict(ca.text("north/cert.pem"), other, list, as_site, ca.now), X509_V_OK);
}

TEST(Certificate, IsAcceptedBetweenItsDatesOnly) {
  const SmallAuthority ca;
  ca.issue("north");
  const auto at = [&](Instant now) {
    return verdict(ca.text("north/cert.pem"), ca.text("ca.crt"), ca.text("crl.pem"), as_site, now);
  };
  EXPECT_EQ(at(ca.now - minutes(4)), X509_V_OK);
  EXPECT_EQ(at(ca.now + days(364)), X509_V_OK);
  EXPECT_EQ(at(ca.now + days(366)), X509_V_ERR_CERT_HAS_EXPIRED);
  EXPECT_NE(at(ca.now - minutes(6)), X509_V_OK);
}

TEST(Certificate, CannotIssueOthers) {
  const SmallAuthority ca;
  ca.issue("north");
  const CertificateHandle site = certificate_in(ca.text("north/cert.pem"));
  const CertificateHandle authority = certificate_in(ca.text("ca.crt"));
  EXPECT_EQ(X509_check_ca(site.get()), 0);
  EXPECT_EQ(X509_check_ca(authority.get()), 1);
  EXPECT_EQ(X509_get_pathlen(authority.get()), 0);
  EXPECT_EQ(X509_get_key_usage(authority.get()), static_cast<std::uint32_t>(KU_KEY_CERT_SIGN | KU_CRL_SIGN));
  EXPECT_EQ(X509_get_key_usage(site.get()), static_cast<std::uint32_t>(KU_DIGITAL_SIGNATURE));
  EXPECT_EQ(X509_get_signature_nid(site.get()), NID_ecdsa_with_SHA256);
}

TEST(Certificate, SerialsAreLongAndDiffer) {
  const SmallAuthority ca;
  const std::string first = ca.issue("north").certificate.serial;
  const std::string second = ca.issue("south").certificate.serial;
  EXPECT_EQ(first.size(), 32U);
  EXPECT_NE(first, second);
}

TEST(Certificate, OtherTextIsRejectedWithItsLocation) {
  expect_error<DataError>([] { facts_of("no certificate", "here.pem"); }, {"a certificate in PEM form", "here.pem"});
}

}  // namespace
}  // namespace driftless
