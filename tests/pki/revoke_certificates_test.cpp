// Revoking: which certificates are rejected afterwards, and which lists are updated.
#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

int as_site(const SmallAuthority& ca, const std::string& pem) {
  return verdict(pem, ca.text("ca.crt"), ca.text("crl.pem"), X509_PURPOSE_SSL_CLIENT, ca.now);
}

RevokeRequest site(const SmallAuthority& ca, const std::string& name) {
  return {.folder = ca.folder, .site = name, .serial = "", .now = ca.now};
}

RevokeRequest serial(const SmallAuthority& ca, const std::string& number) {
  return {.folder = ca.folder, .site = "", .serial = number, .now = ca.now};
}

TEST(RevokeCertificates, OfASiteAreAllRejectedAndOthersAreNot) {
  const SmallAuthority ca;
  ca.issue("north");
  const std::string first = ca.text("north/cert.pem");
  ca.renew("north");
  ca.issue("south");
  const Revoked revoked = revoke_certificates(site(ca, "north"));
  EXPECT_EQ(revoked.certificates.size(), 2U);
  EXPECT_EQ(as_site(ca, first), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(as_site(ca, ca.text("north/cert.pem")), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(as_site(ca, ca.text("south/cert.pem")), X509_V_OK);
}

TEST(RevokeCertificates, BySerialNumberLeavesTheRenewedOneValid) {
  const SmallAuthority ca;
  std::string number = ca.issue("north").certificate.serial;
  const std::string first = ca.text("north/cert.pem");
  ca.renew("north");
  for (std::size_t at = 2; at < number.size(); at += 3) number.insert(at, ":");  // as other programs print it
  for (char& c : number) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(revoke_certificates(serial(ca, number)).certificates.size(), 1U);
  EXPECT_EQ(as_site(ca, first), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(as_site(ca, ca.text("north/cert.pem")), X509_V_OK);
}

TEST(RevokeCertificates, EarlierRevocationsStayInTheList) {
  const SmallAuthority ca;
  ca.issue("north");
  ca.issue("south");
  revoke_certificates(site(ca, "north"));
  revoke_certificates(site(ca, "south"));
  EXPECT_EQ(as_site(ca, ca.text("north/cert.pem")), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(as_site(ca, ca.text("south/cert.pem")), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(read_authority(ca.folder).record.crl_number, 3U);
}

TEST(RevokeCertificates, RenewsTheListsOfServersBesideTheCa) {
  const SmallAuthority ca;
  ca.issue("server");
  ca.issue("north");
  const Revoked revoked = revoke_certificates(site(ca, "north"));
  EXPECT_EQ(revoked.lists, (std::vector{ca.folder / "crl.pem", ca.folder / "server/crl.pem"}));
  EXPECT_EQ(ca.text("server/crl.pem"), ca.text("crl.pem"));
  EXPECT_FALSE(std::filesystem::exists(ca.folder / "north/crl.pem"));
  EXPECT_NE(check_peer(ca.text("north/cert.pem"), ca.tls("server"), ca.now), std::nullopt);
}

TEST(RevokeCertificates, AgainRepairsAnOutdatedList) {
  const SmallAuthority ca;
  ca.issue("north");
  const std::string before = ca.text("crl.pem");
  revoke_certificates(site(ca, "north"));
  EXPECT_TRUE(read_authority(ca.folder).crl_is_current);
  ca.temporary.write("ca/crl.pem", before);
  EXPECT_FALSE(read_authority(ca.folder).crl_is_current);
  EXPECT_TRUE(revoke_certificates(site(ca, "north")).certificates.empty());
  EXPECT_TRUE(read_authority(ca.folder).crl_is_current);
}

TEST(RevokeCertificates, UnknownCertificatesAreNamed) {
  const SmallAuthority ca;
  ca.issue("north");
  expect_error<ConfigError>([&] { revoke_certificates(site(ca, "nroth")); }, {"--site nroth", "did you mean 'north'"});
  expect_error<ConfigError>([&] { revoke_certificates(serial(ca, "12")); }, {"--serial 12", "driftless pki list"});
  EXPECT_EQ(read_authority(ca.folder).record.crl_number, 1U);
}

}  // namespace
}  // namespace driftless
