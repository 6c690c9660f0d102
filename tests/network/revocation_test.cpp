// Certificates that are revoked while peers run, and revocation lists that are missing or damaged.
#include "driftless/pki/certificate_authority.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr double patience = 60;

// Long enough to be still under way when a certificate is revoked.
std::string config(std::size_t rounds) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 20\nsamples = 1\n"
         "[federation]\nclients = 2\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 1e-9\n[stop]\nrounds = " +
         std::to_string(rounds) + "\n[output]\nsave_seconds = 0.5\nevery = 100\n";
}
constexpr std::size_t endless = 100'000'000;

void revoke(const Silos& silos, const std::string& who) {
  revoke_certificates({.folder = silos.folder() / "ca", .site = who, .serial = ""});
}

ProgramResult serve_once(const Silos& silos) {
  Program server({.arguments = silos.serve_arguments("127.0.0.1:0", "run"), .folder = silos.home("server")});
  return server.wait_for(patience).value_or(ProgramResult{});
}

TEST(Revocation, CutsOffASiteThatIsConnected) {
  Silos silos(config(endless), {"north", "south"}, "on_loss = \"drop\"\n");
  silos.start_all();
  for (const char* site : {"north", "south"})
    ASSERT_TRUE(silos.prints("server", std::string("'") + site + "' joined")) << silos.standard_error_of("server");
  revoke(silos, "south");
  EXPECT_TRUE(silos.prints("server", "site 'south' is cut off: the certificate of the site is not accepted"))
      << silos.standard_error_of("server");
  EXPECT_THAT(silos.standard_error_of("server"), HasSubstr("read the revocation list"));
  const std::optional<ProgramResult> south = silos.wait_for("south", patience);
  ASSERT_TRUE(south.has_value()) << silos.standard_error_of("south");
  EXPECT_EQ(south->exit_code, 3) << south->err;
  EXPECT_THAT(south->err, HasSubstr("revoked"));
  ASSERT_TRUE(silos.prints("server", "the run continues without it"));
  silos.start_site("south", {"--wait", "3"});
  const std::optional<ProgramResult> again = silos.wait_for("south", patience);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->exit_code, 3) << again->err;
  EXPECT_THAT(again->err, HasSubstr("revoked"));
  EXPECT_TRUE(silos.still_runs("server"));
  EXPECT_TRUE(silos.still_runs("north"));
  silos.interrupt("server");
  for (const char* who : {"server", "north"}) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who;
    EXPECT_EQ(result->exit_code, 130) << who << "\n" << result->err;
  }
}

TEST(Revocation, ARemovedOrDamagedListDoesNotRestoreRevokedCertificates) {
  Silos silos(config(3), {"north", "south"});
  const std::string bytes = fingerprint(silos.alone(), "gd");
  const Issue old = issue_certificate({.folder = silos.folder() / "ca",
                                       .subject = {.name = "north"},
                                       .out = silos.folder() / "old-north",
                                       .renew = true});
  revoke_certificates({.folder = silos.folder() / "ca", .site = "", .serial = old.certificate.serial});
  silos.start_server();
  const auto rejected = [&] {
    fs::create_directories(silos.home("stranger"));
    const ProgramResult result = run_program(
        {.arguments = {"join", silos.address(), "--tls", (silos.folder() / "old-north").string(), "--wait", "5"},
         .folder = silos.home("stranger")});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("revoked"));
  };
  rejected();
  const fs::path list = silos.certificates("server") / "crl.pem";
  std::ofstream(list) << "garbage";
  rejected();
  EXPECT_TRUE(silos.prints("server", "cannot be used; the one read before stays in force"));
  fs::remove(list);
  rejected();
  EXPECT_TRUE(silos.prints("server", "is gone; the one read before stays in force"));
  for (const char* site : {"north", "south"}) silos.start_site(site);
  for (const std::string& who : silos.peers()) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who;
    EXPECT_EQ(result->exit_code, 0) << who << "\n" << result->err;
    EXPECT_EQ(bytes, fingerprint(silos.results(who), "gd")) << who;
  }
}

TEST(Revocation, AServerWithoutAListWarns) {
  Silos silos(config(3), {"north", "south"});
  silos.start_server();
  EXPECT_THAT(silos.standard_error_of("server"), Not(HasSubstr("no revocation list")));
  silos.kill("server");
  fs::remove(silos.certificates("server") / "crl.pem");
  silos.start_server();
  EXPECT_TRUE(silos.prints("server", "there is no revocation list in " + silos.certificates("server").string()));
  silos.kill("server");
}

TEST(Revocation, AnEmptyOrDamagedListIsRejectedAtTheStart) {
  const Silos silos(config(3), {"north", "south"});
  for (const std::string text : {"", "garbage"}) {
    silos.folder().write("ca/server/crl.pem", text);
    const ProgramResult result = serve_once(silos);
    EXPECT_EQ(result.exit_code, 5) << result.err;
    EXPECT_THAT(result.err, HasSubstr("crl.pem"));
  }
}

TEST(Revocation, ASiteWithAListDoesNotJoinARevokedServer) {
  Silos silos(config(3), {"north", "south"});
  silos.start_server();
  revoke(silos, "server");
  fs::copy_file(silos.folder() / "ca/crl.pem", silos.certificates("north") / "crl.pem");
  silos.start_site("north", {"--wait", "5"});
  const std::optional<ProgramResult> north = silos.wait_for("north", patience);
  ASSERT_TRUE(north.has_value());
  EXPECT_EQ(north->exit_code, 3) << north->err;
  EXPECT_THAT(north->err, HasSubstr("the certificate of the server is not accepted"));
  EXPECT_THAT(north->err, HasSubstr("revoked"));
  EXPECT_FALSE(fs::exists(silos.home("north") / "run")) << "nothing is written for it";
  silos.kill("server");
}

}  // namespace
}  // namespace driftless
