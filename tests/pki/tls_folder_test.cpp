// Reading the certificate folder of a peer, and which peers it rejects.
#include "driftless/pki/tls_folder.hpp"

#include "tests/pki/small_authority.hpp"
#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using std::chrono::days;
using testing::HasSubstr;
using testing::Optional;

TEST(TlsFolder, ReturnsTheTextsOfItsFiles) {
  const SmallAuthority ca;
  ca.issue("north");
  ca.issue("server");
  const TlsFiles site = ca.tls("north");
  EXPECT_EQ(site.certificate, ca.text("north/cert.pem"));
  EXPECT_EQ(site.key, ca.text("north/key.pem"));
  EXPECT_EQ(site.authority, ca.text("ca.crt"));
  EXPECT_EQ(site.revocations, "");
  EXPECT_EQ(ca.tls("server").revocations, ca.text("crl.pem"));
}

TEST(TlsFolder, AMissingFileIsNamed) {
  const SmallAuthority ca;
  ca.issue("server");
  for (const char* file : {"key.pem", "cert.pem", "ca.pem"}) {
    fs::rename(ca.folder / "server" / file, ca.temporary / "away");
    expect_error<ConfigError>([&] { ca.tls("server"); }, {"incomplete", std::string("no file ") + file});
    fs::rename(ca.temporary / "away", ca.folder / "server" / file);
  }
  fs::remove(ca.folder / "server/crl.pem");
  EXPECT_NO_THROW(ca.tls("server"));
  expect_error<ConfigError>([&] { ca.tls("nowhere"); }, {"nowhere", "no file key.pem"});
}

TEST(TlsFolder, AKeyThatOthersCanReadIsRejected) {
  const SmallAuthority ca;
  ca.issue("north");
  fs::permissions(ca.folder / "north/key.pem", fs::perms::others_read, fs::perm_options::add);
  expect_error<ConfigError>([&] { ca.tls("north"); }, {"chmod 600 " + (ca.folder / "north/key.pem").string()});
}

TEST(TlsFolder, FilesThatDoNotBelongTogetherAreRejected) {
  const SmallAuthority ca;
  ca.issue("north");
  ca.issue("south");
  const auto overwrite = fs::copy_options::overwrite_existing;
  fs::copy_file(ca.folder / "south/key.pem", ca.folder / "north/key.pem", overwrite);
  expect_error<TransportError>([&] { ca.tls("north"); },
                               {"the key does not belong to the certificate", "north/key.pem"});
  create_authority({.folder = ca.temporary / "other", .name = "Other CA"});
  fs::copy_file(ca.temporary / "other/ca.crt", ca.folder / "south/ca.pem", overwrite);
  expect_error<TransportError>([&] { ca.tls("south"); }, {"do not fit together", "'Other CA', but by 'Test CA'"});
}

TEST(TlsFolder, DamagedFilesAreNamed) {
  const SmallAuthority ca;
  ca.issue("server");
  for (const char* file : {"crl.pem", "ca.pem", "key.pem", "cert.pem"}) {
    const std::string path = std::string("ca/server/") + file;
    const std::string bytes = TempFolder::read(ca.temporary / path);
    ca.temporary.write(path, "garbage");
    expect_error<DataError>([&] { ca.tls("server"); }, {"in PEM form", path});
    ca.temporary.write(path, bytes);
  }
}

TEST(TlsFolder, ErrorsOfDatesNameTheClock) {
  const SmallAuthority ca;
  ca.issue("north");
  const Instant late = ca.now + days(366);
  expect_error<TransportError>([&] { read_tls_folder(ca.folder / "north", late); },
                               {"has expired", utc_text(ca.now + days(365)), utc_text(late), "--site north --renew"});
  const Instant early = ca.now - days(1);
  expect_error<TransportError>([&] { read_tls_folder(ca.folder / "north", early); },
                               {"not valid yet", utc_text(early), "set the clock"});
}

TEST(TlsFolder, ARevokedServerFindsOut) {
  const SmallAuthority ca;
  ca.issue("server");
  revoke_certificates({.folder = ca.folder, .site = "server", .serial = "", .now = ca.now});
  expect_error<TransportError>([&] { ca.tls("server"); }, {"it was revoked"});
}

TEST(CheckPeer, AcceptsTheOtherKindOfTheSameCa) {
  const SmallAuthority ca;
  ca.issue("north");
  ca.issue("south");
  ca.issue("server");
  EXPECT_EQ(check_peer(ca.text("north/cert.pem"), ca.tls("server"), ca.now), std::nullopt);
  EXPECT_EQ(check_peer(ca.text("server/cert.pem"), ca.tls("north"), ca.now), std::nullopt);
  EXPECT_THAT(check_peer(ca.text("south/cert.pem"), ca.tls("north"), ca.now), Optional(HasSubstr("not of a server")));
  EXPECT_THAT(check_peer(ca.text("server/cert.pem"), ca.tls("server"), ca.now), Optional(HasSubstr("not of a site")));
}

TEST(CheckPeer, ExplainsWhyOthersAreRejected) {
  const SmallAuthority ca;
  ca.issue("server");
  ca.issue("north");
  create_authority({.folder = ca.temporary / "other", .name = "Other CA"});
  issue_certificate({.folder = ca.temporary / "other", .subject = {.name = "north"}, .out = {}});
  const TlsFiles server = ca.tls("server");
  const std::string north = ca.text("north/cert.pem");
  const auto expect_rejected = [&](const std::string& pem, Instant now, const std::string& fragment) {
    EXPECT_THAT(check_peer(pem, server, now), Optional(HasSubstr(fragment)));
  };
  expect_rejected(TempFolder::read(ca.temporary / "other/north/cert.pem"), ca.now,
                  "not issued by the CA here, 'Test CA', but by 'Other CA'");
  expect_rejected(north, ca.now + days(366), "'north'");
  expect_rejected(north, ca.now + days(366), "valid until " + utc_text(ca.now + days(365)));
  expect_rejected(north, ca.now - days(1),
                  "list here is not valid yet, and the clock here says " + utc_text(ca.now - days(1)));
  EXPECT_THAT(check_peer(ca.text("server/cert.pem"), ca.tls("north"), ca.now - days(1)),
              Optional(HasSubstr("it is valid from " + utc_text(ca.now - clock_skew))));
  expect_rejected("", ca.now, "no certificate");
  expect_rejected("garbage", ca.now, "no certificate");
}

TEST(CheckPeer, RejectsRevokedCertificatesOnlyWithTheList) {
  const SmallAuthority ca;
  ca.issue("server");
  const std::string serial = ca.issue("north").certificate.serial;
  const TlsFiles before = ca.tls("server");
  revoke_certificates({.folder = ca.folder, .site = "north", .serial = "", .now = ca.now});
  const std::string north = ca.text("north/cert.pem");
  EXPECT_EQ(check_peer(north, before, ca.now), std::nullopt);
  EXPECT_THAT(check_peer(north, ca.tls("server"), ca.now), Optional(HasSubstr("revoked")));
  EXPECT_THAT(check_peer(north, ca.tls("server"), ca.now), Optional(HasSubstr(serial)));
}

TEST(CheckPeer, WithAListOfAnotherCaEveryPeerIsRejectedWithAReason) {
  const SmallAuthority ca;
  ca.issue("server");
  ca.issue("north");
  create_authority({.folder = ca.temporary / "other", .name = "Other CA"});
  TlsFiles server = ca.tls("server");
  server.revocations = TempFolder::read(ca.temporary / "other/crl.pem");
  EXPECT_THAT(check_peer(ca.text("north/cert.pem"), server, ca.now),
              Optional(HasSubstr("list here is one of another CA")));
}

}  // namespace
}  // namespace driftless
