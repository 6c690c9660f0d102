// Peers that must not take part, or that misbehave: each receives a reason, and the run of the others continues or ends
// as configured.
#include "driftless/console/machine.hpp"
#include "driftless/pki/certificate_authority.hpp"
#include "driftless/solvers/stop_rule.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/hostile/raw_site.hpp"
#include "tests/network/silos.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <limits>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace driftless {
namespace {

// Rows of 20 000 numbers: three chunks.
std::string config(const std::string& more = "") {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 20000\nsamples = 1\n"
         "[federation]\nclients = 3\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 0.01\n[stop]\nrounds = 3\n" +
         more;
}

const std::vector<std::string> three{"north", "south", "west"};

ProgramResult joined(const Silos& silos, const std::filesystem::path& certificates,
                     const std::vector<std::string>& more = {}, const std::string& seconds = "20") {
  std::vector<std::string> arguments{"join", silos.address(), "--tls", certificates.string(), "--wait", seconds};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::filesystem::create_directories(silos.home("stranger"));
  return run_program({.arguments = arguments, .folder = silos.home("stranger")});
}

void expect_rejected(const ProgramResult& result, int code, const std::string& text) {
  EXPECT_EQ(result.exit_code, code) << result.err;
  EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
}

// The others complete the run with the right bits.
void expect_rest_is_well(Silos& silos) {
  for (const std::string& site : silos.sites())
    if (!silos.runs(site)) silos.start_site(site);
  const std::string bytes = fingerprint(silos.alone(), "gd");
  std::vector<std::string> peers = silos.sites();
  peers.emplace_back("server");
  for (const std::string& who : peers) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
    EXPECT_EQ(bytes, fingerprint(silos.results(who), "gd")) << who;
  }
}

TEST(Peers, StrangersAreRejectedAndTheRunIsUnaffected) {
  Silos silos(config(), three);
  silos.start_server();

  create_authority({.folder = silos.folder() / "other"});
  issue_certificate({.folder = silos.folder() / "other", .subject = {.name = "north"}});
  expect_rejected(joined(silos, silos.folder() / "other/north", {}, "3"), 3, "the server cannot be reached");

  const Instant long_ago = current_instant() - std::chrono::hours(24 * 30);
  issue_certificate({.folder = silos.folder() / "ca",
                     .subject = {.name = "north"},
                     .out = silos.folder() / "expired",
                     .days = 1,
                     .renew = true,
                     .now = long_ago});
  expect_rejected(joined(silos, silos.folder() / "expired"), 3, "expired");

  issue_certificate({.folder = silos.folder() / "ca", .subject = {.name = "east"}});
  expect_rejected(joined(silos, silos.folder() / "ca/east"), 3, "this site is not expected here");

  EXPECT_EQ(RawSite(silos.address(), silos.certificates("north")).look("0.0.0-other").rejection().what(),
            "the site runs another version of the program");

  silos.start_site("north");
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  expect_rejected(joined(silos, silos.certificates("north"), {}, "3"), 3, "this site is connected already");
  expect_rest_is_well(silos);
}

TEST(Peers, ARevokedCertificateIsRejected) {
  Silos silos(config(), three);
  revoke_certificates({.folder = silos.folder() / "ca", .site = "south"});
  silos.start_server();
  expect_rejected(joined(silos, silos.certificates("south")), 3, "revoked");
  silos.kill("server");
}

TEST(Peers, ASiteMayRejectTheOffer) {
  Silos silos(config(), three);
  silos.start_server();
  const auto north = silos.certificates("north");
  expect_rejected(joined(silos, north, {"--allow-methods", "fedavg,dane+"}), 2, "does not allow");
  expect_rejected(joined(silos, north, {"--max-rounds", "2"}), 2, "more rounds than this site allows");
  const ProgramResult plan = joined(silos, north, {"--dry-run"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_NE(plan.out.find("name = \"gd\""), std::string::npos) << plan.out;
  expect_rejected(joined(silos, north, {"--data", "x.svm"}), 2, "leaves no data to the sites");
  silos.kill("server");
}

TEST(Preflight, ChecksWhetherASiteCouldJoin) {
  Silos silos("[problem]\nkind = \"logistic\"\ndata = \"sites\"\n[federation]\nclients = 2\n[[method]]\nname = \"gd\"\n"
              "step = 0.1\n[stop]\nrounds = 1\n",
              {"north", "south"});
  silos.start_server();
  silos.folder().write("north/a.svm", "1 1:1\n0 2:1\n");
  silos.folder().write("south/b.svm", "1 1:1 3:1\n-1 2:1\n");
  const auto preflight = [&](const std::string& site, const std::string& data, const std::string& address) {
    return run_program({.arguments = {"preflight", address, "--tls", silos.certificates(site).string(), "--data", data,
                                      "--format", "json"},
                        .folder = silos.home(site)});
  };
  const ProgramResult good = preflight("north", "a.svm", silos.address());
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("\"good\": true"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("not reported yet: south"), std::string::npos) << good.out;
  const ProgramResult labels = preflight("south", "b.svm", silos.address());
  EXPECT_EQ(labels.exit_code, 5) << labels.out;
  EXPECT_NE(labels.out.find("the labels are not those of two classes"), std::string::npos) << labels.out;
  const ProgramResult missing = preflight("south", "none.svm", silos.address());
  EXPECT_EQ(missing.exit_code, 5) << missing.out;
  const ProgramResult nobody = preflight("north", "a.svm", "127.0.0.1:1");
  EXPECT_EQ(nobody.exit_code, 3) << nobody.out;
  EXPECT_NE(nobody.out.find("nothing answers at this address"), std::string::npos) << nobody.out;
  silos.kill("server");
}

TEST(Preflight, TellsWhichCertificateIsWrong) {
  Silos silos(config(), three);
  create_authority({.folder = silos.folder() / "other"});
  issue_certificate({.folder = silos.folder() / "other", .subject = {.name = "north"}});
  silos.start_server();
  const auto preflight = [&](const std::filesystem::path& certificates, const std::string& address) {
    return run_program(
        {.arguments = {"preflight", address, "--tls", certificates.string()}, .folder = silos.folder().path()});
  };
  const ProgramResult stranger = preflight(silos.folder() / "other/north", silos.address());
  EXPECT_EQ(stranger.exit_code, 3) << stranger.out;
  EXPECT_NE(stranger.out.find("the certificate of the server is not accepted"), std::string::npos) << stranger.out;
  EXPECT_NE(stranger.out.find("not issued by the CA here"), std::string::npos) << stranger.out;
  const ProgramResult server = preflight(silos.certificates("server"), silos.address());
  EXPECT_EQ(server.exit_code, 2) << server.out;
  EXPECT_NE(server.out.find("this is the certificate of a server"), std::string::npos) << server.out;
  const ProgramResult no_port = preflight(silos.certificates("north"), "localhost");
  EXPECT_EQ(no_port.exit_code, 2) << no_port.out;
  EXPECT_NE(no_port.out.find("the address has no port"), std::string::npos) << no_port.out;
  silos.kill("server");
}

TEST(Peers, ACertificateOfTheOtherKindIsRejectedAtOnce) {
  Silos silos(config(), three);
  const auto call = [&](std::vector<std::string> arguments) {
    return run_program({.arguments = std::move(arguments), .folder = silos.folder().path()});
  };
  std::vector<std::string> serve = silos.serve_arguments("127.0.0.1:0", silos.folder() / "out");
  *(std::ranges::find(serve, "--tls") + 1) = silos.certificates("north").string();
  expect_rejected(call(serve), 2, "this is the certificate of a site, not of a server");
  expect_rejected(call({"join", "127.0.0.1:1", "--tls", silos.certificates("server").string()}), 2,
                  "this is the certificate of a server, not of a site");
  expect_rejected(call({"join", "localhost", "--tls", silos.certificates("north").string()}), 2,
                  "the address has no port");
}

TEST(Peers, ProtectionIsCompleteOrExplicitlyNone) {
  Silos silos(config(), three);
  const auto serve = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"serve", "../case.toml"});
    return run_program({.arguments = more, .folder = silos.home("server")});
  };
  expect_rejected(serve({}), 2, "no certificates are given");
  expect_rejected(serve({"--plain", "--listen", "0.0.0.0:0"}), 2, "plain text stays on this machine");
  std::filesystem::remove(silos.certificates("server") / "key.pem");
  expect_rejected(serve({"--tls", silos.certificates("server").string()}), 2, "key.pem");
}

// What a site sends, and how the run of that site ends.
void expect_cut_off(std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values,
                    const std::string& why) {
  Silos silos(config("[output]\nsave_seconds = 0\n"), three, "on_loss = \"drop\"\n");
  silos.start_server();
  silos.start_site("north");
  silos.start_site("west");
  RawSite south(silos.address(), silos.certificates("south"));
  south.greet(program_version());
  south.send_chunk(exchange, index, values);
  EXPECT_EQ(south.rejection(), why);
  for (const char* who : {"north", "west", "server"}) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
  }
  EXPECT_NE(silos.standard_error_of("server").find("site 'south' was cut off: " + why), std::string::npos);
  EXPECT_EQ(fingerprint(silos.results("north"), "gd"), fingerprint(silos.results("server"), "gd"));
  expect_rejected(joined(silos, silos.certificates("south"), {}, "3"), 3, "");
}

constexpr std::size_t chunk = 8192;

// The first exchange of this configuration shares the work of each client: two counts, and one for each way in which a
// local solve ends.
constexpr std::size_t first_row = 2 + EnumNames<SolveEnd>::value.size();

TEST(Peers, NumbersThatAreNotFiniteAreRejected) {
  std::vector<double> values(first_row, 1.0);
  values[3] = std::numeric_limits<double>::quiet_NaN();
  expect_cut_off(0, 0, values, "the site sent a number that is not finite or too large");
}

TEST(Peers, RowsOfAnotherSizeAreRejected) {
  expect_cut_off(0, 0, std::vector<double>(first_row + 1, 1.0), "the site sent rows of another size");
}

TEST(Peers, ChunksOutOfTurnAreRejected) {
  expect_cut_off(0, 2, std::vector<double>(chunk, 1.0), "the site sent a chunk out of turn");
}

TEST(Peers, RowsOfAnExchangeThatIsNotUnderWayAreRejected) {
  expect_cut_off(7, 0, std::vector<double>(chunk, 1.0), "the site sent rows of an exchange that is not under way");
}

TEST(Peers, AMessageThatIsTooLargeEndsTheConnectionAndNothingElse) {
  Silos silos(config(), three);
  silos.start_server();
  {
    RawSite south(silos.address(), silos.certificates("south"));
    south.greet(program_version());
    EXPECT_TRUE(south.read().has_welcome());
    south.send_chunk(0, 0, std::vector<double>(1 << 20, 1.0));
    EXPECT_EQ(south.rejection(), "");
  }
  expect_rest_is_well(silos);
}

TEST(Peers, ADisconnectInTheMiddleOfARowIsRepaired) {
  Silos silos(config(), three);
  silos.start_server();
  silos.start_site("north");
  silos.start_site("west");
  {
    RawSite south(silos.address(), silos.certificates("south"));
    south.greet(program_version());
    EXPECT_TRUE(south.read().has_welcome());
    south.send_chunk(0, 0, std::vector<double>(first_row, 0.0));
    for (wire::FromServer message = south.read(); !message.has_done();) message = south.read();
    south.send_chunk(1, 0, std::vector<double>(chunk, 0.0));  // of three
    ASSERT_TRUE(silos.prints("server", "'south' joined"));
  }
  ASSERT_TRUE(silos.prints("server", "'south' left"));
  silos.start_site("south");
  for (const char* who : {"north", "west", "south", "server"}) {
    const ProgramResult result = silos.wait(who);
    EXPECT_EQ(result.exit_code, 0) << who << "\n" << result.err;
  }
}

int connected_to(const Silos& silos) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(silos.address().substr(10))));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return socket;
}

TEST(Peers, GarbageAndSilenceOnThePortAreIgnored) {
  Silos silos(config(), three);
  silos.start_server();
  const int garbage = connected_to(silos);
  const std::string bytes = "GET / HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(100'000, '\xff');
  EXPECT_GT(::send(garbage, bytes.data(), bytes.size(), MSG_NOSIGNAL), 0);
  const int silent = connected_to(silos);
  RawSite mute(silos.address(), silos.certificates("south"));
  mute.open();
  EXPECT_EQ(mute.rejection(), "") << "a silent connection is closed, within its own deadline of a minute";
  expect_rest_is_well(silos);
  ::close(garbage);
  ::close(silent);
}

TEST(Peers, AServerWhoseSitesDoNotJoinEndsAtItsDeadline) {
  Silos silos(config(), three);
  silos.start_server({"--wait", "1"});
  const ProgramResult server = silos.wait("server");
  expect_rejected(server, 4, "did not join within 1 s");
}

}  // namespace
}  // namespace driftless
