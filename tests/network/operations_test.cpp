// What operators of a federation can see: the audit log of each peer, and the status of the server.
#include "driftless/console/machine.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/pki/certificate.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/audit_lines.hpp"
#include "tests/network/hostile/raw_site.hpp"
#include "tests/network/silos.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr double patience = 60;

std::string config(std::size_t rounds) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 50\nsamples = 1\n"
         "[federation]\nclients = 2\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 1e-6\n[stop]\nrounds = " +
         std::to_string(rounds) + "\n[output]\nsave_seconds = 0.1\n";
}

fs::path audit_of(const Silos& silos, const std::string& who) { return silos.home(who) / "run/audit.jsonl"; }

void expect_end(Silos& silos, const std::vector<std::string>& peers, int code = 0) {
  for (const std::string& who : peers) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos.standard_error_of(who);
    EXPECT_EQ(result->exit_code, code) << who << "\n" << result->err;
  }
}

std::string serial(const Silos& silos, const std::string& who) {
  return facts_of(TempFolder::read(silos.certificates(who) / "cert.pem")).serial;
}

TEST(Audit, NamesTheSitesAndTheResults) {
  Silos silos(config(20), {"north", "south"});
  silos.start_all();
  expect_end(silos, silos.peers());
  const fs::path server = audit_of(silos, "server");
  const std::vector<AuditLine> started = audit_lines(server, "started");
  ASSERT_EQ(started.size(), 1U);
  for (const char* key : {"version", "run", "configuration_sha256", "listen"}) EXPECT_TRUE(started[0].contains(key));
  EXPECT_EQ(started[0].at("protection"), "TLS");
  EXPECT_EQ(audit_lines(server, "joined").size(), 2U);
  EXPECT_EQ(audit_lines(server, "finished").size(), 2U);
  std::size_t joins = 0;
  for (const AuditLine& call : audit_lines(server, "called")) {
    EXPECT_EQ(call.at("certificate"), serial(silos, call.at("site")));
    EXPECT_THAT(call.at("address").get<std::string>(), HasSubstr("127.0.0.1"));
    joins += static_cast<std::size_t>(call.at("call") == "Join");
  }
  EXPECT_EQ(joins, 2U);
  for (const std::string& who : silos.peers()) {
    const std::vector<AuditLine> results = audit_lines(audit_of(silos, who), "result");
    ASSERT_EQ(results.size(), 1U) << who;
    EXPECT_EQ(results[0].at("method"), "gd");
    EXPECT_EQ(results[0].at("rounds"), "20");
    EXPECT_EQ(results[0].at("model_sha256"), sha256(TempFolder::read(silos.results(who) / "gd/model.npy"))) << who;
    struct stat about{};
    ASSERT_EQ(::stat(audit_of(silos, who).c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777U, 0600U);
  }
  const std::vector<AuditLine> north = audit_lines(audit_of(silos, "north"), "started");
  ASSERT_EQ(north.size(), 1U);
  EXPECT_EQ(north[0].at("configuration_sha256"), started[0].at("configuration_sha256"));
  EXPECT_EQ(north[0].at("run"), started[0].at("run"));
  EXPECT_EQ(north[0].at("methods"), "gd");
  EXPECT_EQ(audit_lines(audit_of(silos, "north"), "finished").size(), 1U);
}

// Waits until so many rows were measured, the start among them; false after a timeout.
bool has_rows(const fs::path& metrics, std::ptrdiff_t rows = 2) {
  for (int attempt = 0; attempt < 3000; ++attempt) {
    const std::string text = TempFolder::read(metrics);
    if (std::ranges::count(text, '\n') > rows) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(Audit, RestartsAndRejectedSitesAreAppended) {
  Silos silos(config(100'000'000), {"north", "south"}, "on_loss = \"drop\"\n");
  silos.start_server();
  silos.start_site("north");
  {
    RawSite south(silos.address(), silos.certificates("south"));
    EXPECT_TRUE(south.look("0.0.0-\x1b[31mred").has_rejection());
    south.greet(program_version());
    ASSERT_TRUE(south.read().has_welcome());
    wire::FromSite message;
    message.mutable_abort()->set_what("\x1b]0;title\x07 forged\n{\"event\": \"finished\"}");
    south.send(message);
    ASSERT_TRUE(silos.prints("server", "the run continues without it")) << silos.standard_error_of("server");
  }
  ASSERT_TRUE(has_rows(silos.results("server") / "gd/metrics.csv"));
  silos.kill("server");
  silos.start_server();
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  silos.interrupt("server");
  expect_end(silos, {"server", "north"}, 130);
  const fs::path file = audit_of(silos, "server");
  EXPECT_EQ(audit_lines(file, "started").size(), 2U);
  EXPECT_THAT(audit_lines(file, "started")[1].value("next_exchange", "0"), testing::Ne("0"));
  const std::vector<AuditLine> rejected = audit_lines(file, "call-rejected");
  ASSERT_FALSE(rejected.empty());
  EXPECT_EQ(rejected[0].at("reason"), "the site runs another version of the program");
  EXPECT_EQ(rejected[0].at("site"), "south");
  ASSERT_EQ(audit_lines(file, "dropped").size(), 1U);
  EXPECT_EQ(audit_lines(file, "dropped")[0].at("site"), "south");
  EXPECT_TRUE(audit_lines(file, "finished").empty()) << "a site cannot forge a line";
  for (const std::string who : {"server", "north"})
    for (const std::string& text : {TempFolder::read(audit_of(silos, who)), silos.standard_error_of(who)})
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << who;
  EXPECT_FALSE(audit_lines(audit_of(silos, "north"), "connection").empty()) << "the lost connection";
}

struct Status {
  ProgramResult result;
  nlohmann::json json;

  nlohmann::json site(const std::string& name) const {
    for (const nlohmann::json& site : json.value("sites", nlohmann::json::array()))
      if (site.at("site") == name) return site;
    return {};
  }
  std::string state(const std::string& name) const { return site(name).value("state", ""); }
};

ProgramResult status_text(const Silos& silos, const std::string& out = "run",
                          const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"serve", (silos.folder() / "case.toml").string(), "--status", "--out",
                                     (silos.home("server") / out).string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  fs::create_directories(silos.folder() / "asking");
  return run_program({.arguments = arguments, .folder = silos.folder() / "asking"});
}

Status status_of(const Silos& silos) {
  Status status{.result = status_text(silos, "run", {"--format", "json"}), .json = {}};
  EXPECT_EQ(status.result.exit_code, 0) << status.result.err;
  status.json = nlohmann::json::parse(status.result.out, nullptr, false);
  EXPECT_TRUE(status.json.is_object()) << status.result.out;
  return status;
}

// The first status with this property; the file is written once a second.
template <class Condition>
Status status_when(const Silos& silos, const Condition& condition) {
  const auto start = std::chrono::steady_clock::now();
  Status status = status_of(silos);
  while (!condition(status) && std::chrono::steady_clock::now() - start < std::chrono::seconds(40)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    status = status_of(silos);
  }
  EXPECT_TRUE(condition(status)) << status.result.out;
  return status;
}

TEST(ServerStatus, ShowsTheConnectedSitesAndTheProgress) {
  Silos silos(config(100'000'000), {"north", "south"});
  EXPECT_EQ(status_text(silos).exit_code, 2);
  EXPECT_FALSE(fs::exists(silos.home("server") / "run")) << "the query creates no folder";
  silos.start_server();
  silos.start_site("north");
  const Status waiting = status_when(silos, [](const Status& s) { return s.state("north") == "connected"; });
  EXPECT_EQ(waiting.state("south"), "expected");
  EXPECT_EQ(waiting.json.at("running"), true);
  silos.start_site("south");
  const Status early = status_when(silos, [](const Status& s) { return s.json.value("round", 0) > 0; });
  const auto bytes = [](const Status& s) { return s.site("north").value("bytes_received", std::uint64_t{0}); };
  status_when(silos, [&](const Status& s) {
    return s.json.at("round") > early.json.at("round") && s.json.at("exchange") > early.json.at("exchange") &&
           bytes(s) > bytes(early) && s.site("north").at("checkpoint") > 0;
  });
  silos.kill("south");
  const Status away = status_when(silos, [](const Status& s) { return s.state("south") == "away"; });
  EXPECT_EQ(away.state("north"), "connected");
  EXPECT_EQ(away.json.at("method"), "gd");
  EXPECT_THAT(status_text(silos).out, AllOf(HasSubstr("running, round"), HasSubstr("south"), HasSubstr("away")));
  silos.kill("server");
  EXPECT_EQ(status_of(silos).json.at("running"), false) << "a killed server cannot report it itself";
  EXPECT_THAT(status_text(silos).out, HasSubstr("not running, round"));
  EXPECT_EQ(status_text(silos, "nowhere").exit_code, 2);
}

TEST(ServerStatus, ReportsASiteAsLateThatKeepsTheOthersWaiting) {
  Silos silos(config(100'000'000), {"north", "south"});
  silos.start_server();
  silos.start_site("north");
  RawSite south(silos.address(), silos.certificates("south"));
  south.greet(program_version());
  ASSERT_TRUE(south.read().has_welcome());
  const Status status = status_when(silos, [](const Status& s) { return s.state("south") == "late"; });
  EXPECT_EQ(status.state("north"), "connected");
  EXPECT_GT(status.json.at("waiting_s"), 4.0);
  EXPECT_TRUE(silos.prints("server", "south"));
  silos.kill("server");
}

// A site that waits with the server for others receives the reason and does not try to reconnect.
TEST(ServerStop, BeforeAllSitesHaveJoinedEndsTheOthersToo) {
  Silos silos(config(100'000'000), {"north", "south"});
  silos.start_server();
  silos.start_site("north");
  ASSERT_TRUE(silos.prints("server", "'north' joined"));
  silos.interrupt("server");
  expect_end(silos, {"server", "north"}, 130);
  EXPECT_THAT(silos.standard_error_of("north"), HasSubstr("the server was stopped before the run began"));
}

// Each client takes `steps` local steps in each of three rounds.
std::string config_of_long_rounds(std::size_t steps) {
  return "seed = 5\n[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 50\nsamples = 1\n"
         "[federation]\nclients = 2\nthreads = 1\n[[method]]\nname = \"fedavg\"\nstep = 1e-6\nlocal_steps = " +
         std::to_string(steps) + "\n[stop]\nrounds = 3\n[output]\nsave_seconds = 0.1\n";
}

TEST(ServerStop, EndsARoundThatDoesNotEnd) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Silos silos(config_of_long_rounds(1'000'000'000'000), {"north", "south"});
    silos.start_all();
    ASSERT_TRUE(has_rows(silos.results("server") / "fedavg/metrics.csv", 1));
    silos.send("server", signal);
    expect_end(silos, silos.peers(), signal == SIGINT ? 130 : 143);
    for (const char* who : {"server", "north"})
      EXPECT_THAT(silos.standard_error_of(who), HasSubstr("the server was stopped in the middle of a round"));
  }
}

TEST(ServerStop, InsideARoundLeavesARunThatResumesWithTheSameBits) {
  Silos silos(config_of_long_rounds(6'000'000), {"north", "south"});
  silos.start_all();
  ASSERT_TRUE(has_rows(silos.results("server") / "fedavg/metrics.csv"));
  silos.interrupt("server");
  expect_end(silos, silos.peers(), 130);
  silos.start_all();
  expect_end(silos, silos.peers());
  const std::string bits = fingerprint(silos.alone(), "fedavg");
  for (const std::string& who : silos.peers()) EXPECT_EQ(fingerprint(silos.results(who), "fedavg"), bits) << who;
}

TEST(NetworkStop, TheTimeLimitIsThatOfEachMethod) {
  Silos silos("[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 50\nsamples = 1\n[federation]\n"
              "clients = 2\nthreads = 1\n[[method]]\nname = \"gd\"\nstep = 1e-6\n[[method]]\nname = \"fedavg\"\n"
              "step = 1e-6\n[stop]\nseconds = 0.3\n",
              {"north", "south"});
  silos.start_all();
  expect_end(silos, silos.peers());
  for (const std::string& who : silos.peers())
    for (const char* method : {"gd", "fedavg"})
      EXPECT_TRUE(has_rows(silos.results(who) / method / "metrics.csv", 4)) << who << ": " << method;
}

TEST(PeerResults, NameTheModelAndWhatItCost) {
  Silos silos(config(5), {"north", "south"});
  silos.start_all();
  for (const std::string& who : silos.peers()) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who << " hangs";
    EXPECT_THAT(result->out, HasSubstr("gd: stopped after 5 rounds (limit of rounds), 5 exchanges, "));
    const std::size_t at = result->out.find("model: ") + 7;
    const fs::path model = result->out.substr(at, result->out.find('\n', at) - at);
    EXPECT_TRUE(fs::exists(silos.home(who) / model)) << result->out;
  }
}

TEST(ServerStatus, ReportsThatTheRunHasEnded) {
  Silos silos(config(5), {"north", "south"});
  silos.start_all();
  expect_end(silos, silos.peers());
  const Status status = status_of(silos);
  EXPECT_EQ(status.json.at("running"), false);
  EXPECT_EQ(status.json.at("round"), 5);
  EXPECT_EQ(status.state("north"), "finished");
  EXPECT_THAT(status_text(silos).out, HasSubstr("not running"));
}

}  // namespace
}  // namespace driftless
