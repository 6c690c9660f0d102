// `driftless report` and `driftless run --live`: the real program, its files and its answers.
#include "driftless/report/figure.hpp"
#include "driftless/report/page.hpp"

#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <httplib.h>
#include <netinet/in.h>
#include <regex>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

ProgramResult call(const TempFolder& folder, std::vector<std::string> arguments) {
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

void make_run(const TempFolder& folder, const std::string& out) {
  folder.write("case.toml", quadratic);
  const ProgramResult result = call(folder, {"run", "case.toml", "--out", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
}

TEST(ReportCommand, WritesThePageIntoTheRunDirectoryAndReplacesItsOwn) {
  const TempFolder folder;
  make_run(folder, "out");
  for (int repeat = 0; repeat < 2; ++repeat) {
    const ProgramResult result = call(folder, {"report", "out"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("out/report.html"));
  }
  EXPECT_THAT(TempFolder::read(folder / "out/report.html"), StartsWith(std::string(page_mark)));
}

TEST(ReportCommand, FindsTheRunInTheFolderOfAServerOrSite) {
  const TempFolder folder;
  make_run(folder, "site/results");
  const ProgramResult result = call(folder, {"report", "site", "--out", "page.html"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(ReportCommand, TheSameDirectoryGivesTheSameBytes) {
  const TempFolder folder;
  make_run(folder, "out");
  call(folder, {"report", "out", "--out", "a.html", "--svg", "a"});
  call(folder, {"report", "out", "--out", "b.html", "--svg", "b"});
  EXPECT_EQ(TempFolder::read(folder / "a.html"), TempFolder::read(folder / "b.html"));
  EXPECT_EQ(TempFolder::read(folder / "a/f_gap.svg"), TempFolder::read(folder / "b/f_gap.svg"));
}

TEST(ReportCommand, ListsItsFilesAsJson) {
  const TempFolder folder;
  make_run(folder, "one");
  make_run(folder, "two");
  const ProgramResult result = call(folder, {"report", "one", "two", "--svg", "figures", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("page"), "report.html");
  EXPECT_EQ(answer.at("runs"), 2);
  for (const json& file : answer.at("figures"))
    EXPECT_THAT(TempFolder::read(folder / file.get<std::string>()), StartsWith(std::string(figure_mark)));
  EXPECT_TRUE(fs::exists(folder / "figures/f_gap.svg"));
}

TEST(ReportCommand, WritesChosenFiguresAsPdfBesideSvgInTheGivenSize) {
  const TempFolder folder;
  folder.write("two.toml", quadratic + "[[method]]\nname = \"gd\"\nstep = 0.01\n");
  ASSERT_EQ(call(folder, {"run", "two.toml", "--out", "out"}).exit_code, 0);
  call(folder, {"report", "out", "--pdf", "all", "--figure", "f_gap-round"});
  EXPECT_THAT(TempFolder::read(folder / "all/f_gap-round.pdf"), HasSubstr("(gd) Tj"));
  const ProgramResult result =
      call(folder, {"report", "out", "--svg", "paper", "--pdf", "paper", "--figure", "f_gap-round,f_gap", "--curves",
                    "fedred-gd", "--width", "85mm", "--height", "3in"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 figures in paper\n"));
  const std::string pdf = TempFolder::read(folder / "paper/f_gap-round.pdf");
  EXPECT_THAT(pdf, StartsWith(std::string(pdf_figure_mark)));
  EXPECT_THAT(pdf, HasSubstr("/MediaBox [0 0 240.945 216.000]"));
  EXPECT_THAT(pdf, HasSubstr("(fedred-gd) Tj"));
  EXPECT_THAT(pdf, testing::Not(HasSubstr("(gd) Tj")));
  EXPECT_THAT(TempFolder::read(folder / "paper/f_gap-round.svg"), HasSubstr("width=\"240.94pt\""));
}

TEST(ReportCommand, BadChoicesOfFiguresAreNamed) {
  const TempFolder folder;
  make_run(folder, "out");
  const auto rejected = [&](std::vector<std::string> flags, const std::string& message) {
    flags.insert(flags.begin(), {"report", "out"});
    const ProgramResult result = call(folder, std::move(flags));
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  rejected({"--width", "85mm"}, "no figures are written");
  rejected({"--pdf", "paper", "--width", "85"}, "--width 85");
  rejected({"--pdf", "paper", "--curves", "nobody"}, "--curves nobody");
  rejected({"--pdf", "paper", "--figure", "f_gpa"}, "did you mean f_gap?");
  rejected({"--pdf", "paper", "--height", "1cm"}, "too low");
}

TEST(ReportCommand, FilesOfOthersAreNotOverwritten) {
  const TempFolder folder;
  make_run(folder, "out");
  folder.write("mine.html", "<!doctype html>\nmine");
  folder.write("figures/f_gap.svg", "mine");
  const ProgramResult page = call(folder, {"report", "out", "--out", "mine.html"});
  EXPECT_EQ(page.exit_code, usage);
  expect_message(page.err, {"not overwritten", "--out mine.html"});
  EXPECT_EQ(TempFolder::read(folder / "mine.html"), "<!doctype html>\nmine");
  const ProgramResult figure = call(folder, {"report", "out", "--svg", "figures"});
  EXPECT_EQ(figure.exit_code, usage);
  EXPECT_EQ(TempFolder::read(folder / "figures/f_gap.svg"), "mine");
}

TEST(ReportCommand, APathThatCannotBeWrittenIsNamed) {
  const TempFolder folder;
  make_run(folder, "out");
  const ProgramResult result = call(folder, {"report", "out", "--out", "nowhere/page.html"});
  EXPECT_EQ(result.exit_code, usage);
  expect_message(result.err, {"cannot be written", "--out", "nowhere/page.html"});
}

TEST(ReportCommand, DamagedFilesOfAMethodAreNamed) {
  const TempFolder folder;
  make_run(folder, "out");
  const std::string metrics = TempFolder::read(folder / "out/fedred-gd/metrics.csv");
  const std::string summary = TempFolder::read(folder / "out/fedred-gd/summary.json");
  const auto expect_named = [&](const std::string& name, const std::string& bytes) {
    folder.write("out/fedred-gd/" + name, bytes);
    const ProgramResult result = call(folder, {"report", "out"});
    EXPECT_EQ(result.exit_code, data_fault) << result.err;
    expect_message(result.err, {"out/fedred-gd/" + name});
    EXPECT_FALSE(fs::exists(folder / "out/report.html"));
  };
  expect_named("summary.json", summary.substr(0, summary.size() / 2));
  expect_named("summary.json", "");
  folder.write("out/fedred-gd/summary.json", summary);
  expect_named("metrics.csv", metrics.substr(0, metrics.rfind('\n', metrics.size() - 2) + 1));  // without its last row
  expect_named("metrics.csv", metrics.substr(0, metrics.size() - 3));
  expect_named("metrics.csv", edit(metrics, "\n1,", "\n2,"));
  folder.write("out/fedred-gd/metrics.csv", metrics);
  EXPECT_EQ(call(folder, {"report", "out"}).exit_code, 0);
}

TEST(ReportCommand, MetricsOfARunThatHasNotEndedAreShownWithAWarning) {
  const TempFolder folder;
  make_run(folder, "out");
  const std::string metrics = TempFolder::read(folder / "out/fedred-gd/metrics.csv");
  folder.write("out/fedred-gd/metrics.csv", metrics.substr(0, metrics.rfind('\n', metrics.size() - 2) + 1));
  json record = json::parse(TempFolder::read(folder / "out/run.json"));
  record["exit_code"] = nullptr;
  folder.write("out/run.json", record.dump());
  const ProgramResult result = call(folder, {"report", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("out/fedred-gd/metrics.csv"));
  EXPECT_TRUE(fs::exists(folder / "out/report.html"));
}

// Waits until the program prints its port.
int live_port(const TempFolder& folder) {
  const std::regex address("http://127\\.0\\.0\\.1:([0-9]+)/");
  for (int attempt = 0; attempt < 1000; ++attempt) {
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (!entry.is_regular_file()) continue;
      const std::string text = TempFolder::read(entry.path());
      std::smatch found;
      if (std::regex_search(text, found, address)) return std::stoi(found[1]);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}

TEST(LiveRun, ServesThePageAndTheStateOfTheRunAndEndsWithIt) {
  const TempFolder folder;
  folder.write("case.toml", quadratic);
  Program program({.arguments = {"run", "case.toml", "--live", "--out", "out", "-c", "stop.rounds=100000000"},
                   .folder = folder.path()});
  const int port = live_port(folder);
  ASSERT_GT(port, 0);
  httplib::Client client("127.0.0.1", port);
  const httplib::Result page = client.Get("/");
  ASSERT_TRUE(page);
  EXPECT_THAT(page->body, StartsWith(std::string(page_mark)));
  std::size_t rows = 0;
  for (int attempt = 0; attempt < 1000 && rows < 2; ++attempt) {
    const httplib::Result data = client.Get("/data.json");
    ASSERT_TRUE(data);
    if (data->status != 200) continue;
    const json state = json::parse(data->body);
    EXPECT_EQ(state.at("live"), true);
    if (!state.at("curves").empty()) rows = state.at("curves")[0].at("rows").get<std::size_t>();
  }
  EXPECT_GE(rows, 2U);
  const httplib::Result foreign = client.Get("/data.json", httplib::Headers{{"Host", "elsewhere.example"}});
  ASSERT_TRUE(foreign);
  EXPECT_EQ(foreign->status, 403);
  folder.write("second/case.toml", quadratic);
  const ProgramResult taken =
      run_program({.arguments = {"run", "case.toml", "--live=" + std::to_string(port)}, .folder = folder / "second"});
  EXPECT_EQ(taken.exit_code, usage);
  expect_message(taken.err, {"cannot be served", "--live=" + std::to_string(port)});
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 130);
  EXPECT_FALSE(httplib::Client("127.0.0.1", port).Get("/"));
}

// Connections that begin a request and never end it.
class HalfRequests {
 public:
  HalfRequests(int port, std::size_t count) : sockets_(count) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    for (int& socket : sockets_) {
      socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
      send("GET / HTTP/1.1\r\nHost: local", socket);
    }
  }
  ~HalfRequests() {
    for (const int socket : sockets_) ::close(socket);
  }
  HalfRequests(const HalfRequests&) = delete;
  HalfRequests& operator=(const HalfRequests&) = delete;

  void send_one_byte_more() const {
    for (const int socket : sockets_) send("h", socket);
  }

  // How many of them the server has closed.
  std::size_t closed() const {
    return static_cast<std::size_t>(std::ranges::count_if(sockets_, [](int socket) {
      char byte = 0;
      const ssize_t size = ::recv(socket, &byte, 1, MSG_DONTWAIT);
      return size == 0 || (size < 0 && errno != EAGAIN);
    }));
  }

 private:
  static void send(std::string_view text, int socket) { ::send(socket, text.data(), text.size(), MSG_NOSIGNAL); }

  std::vector<int> sockets_;
};

TEST(LiveRun, AnswersWhileHalfRequestsHang) {
  const TempFolder folder;
  folder.write("case.toml", quadratic);
  const Program program({.arguments = {"run", "case.toml", "--live", "--out", "out", "-c", "stop.rounds=100000000"},
                         .folder = folder.path()});
  const int port = live_port(folder);
  ASSERT_GT(port, 0);
  constexpr std::size_t count = 200;
  const HalfRequests hanging(port, count);
  httplib::Client client("127.0.0.1", port);
  client.set_read_timeout(2);
  const httplib::Result page = client.Get("/");
  ASSERT_TRUE(page) << "no answer within two seconds";
  EXPECT_EQ(page->status, 200);
  EXPECT_GT(hanging.closed(), 0U);
  // Bytes that trickle in do not keep a request alive.
  for (int attempt = 0; attempt < 50 && hanging.closed() < count; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    hanging.send_one_byte_more();
  }
  EXPECT_EQ(hanging.closed(), count);
}

TEST(LiveRun, ServesItsTwoPagesOnly) {
  const TempFolder folder;
  folder.write("case.toml", quadratic);
  const Program program({.arguments = {"run", "case.toml", "--live", "--out", "out", "-c", "stop.rounds=100000000"},
                         .folder = folder.path()});
  const int port = live_port(folder);
  ASSERT_GT(port, 0);
  httplib::Client client("127.0.0.1", port);
  const auto status = [](const httplib::Result& result) { return result ? result->status : 0; };
  EXPECT_EQ(status(client.Get("/config.toml")), 404);
  EXPECT_EQ(status(client.Get("/../case.toml")), 404);
  EXPECT_EQ(status(client.Post("/data.json", "x", "text/plain")), 405);
  EXPECT_EQ(status(client.Get("/data.json?again=1")), 200);
  EXPECT_EQ(status(client.Get("/" + std::string(100000, 'x'))), 0) << "a request without bound was read";
}

}  // namespace
}  // namespace driftless
