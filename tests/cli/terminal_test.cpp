// What a person at a terminal sees: the program runs at the other end of a pseudo-terminal.
#include "tests/support/temp_folder.hpp"

#include <array>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Session {
  std::string screen;  // everything that was written to it
  int exit_code = -1;
};

// Sends Ctrl-C when the screen shows `interrupt_at`, if that is given.
Session at_terminal(const TempFolder& folder, const std::vector<std::string>& arguments, unsigned short columns,
                    const char* no_color = "", const std::string& interrupt_at = "") {
  winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("no process could be started");
  if (child == 0) {
    std::vector<const char*> words{DRIFTLESS_PROGRAM_FILE};
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    words.push_back(nullptr);
    ::setenv("TERM", "xterm", 1);
    ::setenv("NO_COLOR", no_color, 1);
    if (::chdir(folder.path().c_str()) == 0) ::execv(words[0], const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  Session session;
  bool waiting = !interrupt_at.empty();
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = ::read(terminal, piece.data(), piece.size())) > 0;) {
    session.screen.append(piece.data(), static_cast<std::size_t>(got));
    if (waiting && session.screen.find(interrupt_at) != std::string::npos) {
      waiting = false;
      ::kill(child, SIGINT);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  session.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return session;
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

void write_config(const TempFolder& folder, const std::string& stop) {
  folder.write("case.toml", "[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 20\n[federation]\n"
                            "clients = 2\n[[method]]\nname = \"gd\"\nlabel = \"gradient-descent-with-a-long-label\"\n"
                            "step = 1e-6\n[stop]\n" +
                                stop);
}

// Containers may have no pseudo-terminals.
class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    int terminal = -1;
    int program_end = -1;
    if (::openpty(&terminal, &program_end, nullptr, nullptr, nullptr) != 0)
      GTEST_SKIP() << "this machine gives no pseudo-terminal";
    ::close(terminal);
    ::close(program_end);
  }
};

constexpr const char* line_start = "\r\033[K";

TEST_F(Terminal, TheProgressLineFitsItsWidth) {
  const TempFolder folder;
  write_config(folder, "seconds = 0.7\n");
  const Session session = at_terminal(folder, {"run", "case.toml", "--out", "out"}, 40);
  EXPECT_EQ(session.exit_code, 0) << session.screen;
  std::size_t lines = 0;
  for (std::size_t at = session.screen.find(line_start); at != std::string::npos;
       at = session.screen.find(line_start, at + 1)) {
    const std::size_t begin = at + std::string(line_start).size();
    const std::string line = session.screen.substr(begin, session.screen.find_first_of("\r\n", begin) - begin);
    if (line.starts_with("gradient-descent") && line.find("stopped after") == std::string::npos) {
      ++lines;
      EXPECT_LT(characters(line), 40U) << line;
    }
  }
  EXPECT_GT(lines, 1U) << session.screen;
}

std::size_t widest_line(const std::string& screen) {
  std::size_t widest = 0;
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);) {
    line.erase(line.find_last_not_of("\r") + 1);
    const std::size_t shown = line.rfind(line_start);  // what a progress line wrote before is erased
    if (shown != std::string::npos) line.erase(0, shown + std::string(line_start).size());
    widest = std::max(widest, characters(line));
  }
  return widest;
}

TEST_F(Terminal, MethodsAndCompareFitItsWidth) {
  const TempFolder folder;
  folder.write("problem.toml",
               "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 3\n[stop]\nrounds = 20\n");
  for (const auto columns : std::to_array<unsigned short>({80, 100, 140})) {
    const Session methods = at_terminal(folder, {"methods"}, columns);
    EXPECT_LE(widest_line(methods.screen), columns) << methods.screen;
    const Session compared =
        at_terminal(folder, {"compare", "problem.toml", "--methods", "gd,fedavg,fedred-gd"}, columns);
    EXPECT_EQ(compared.exit_code, 0) << compared.screen;
    EXPECT_LE(widest_line(compared.screen), columns) << compared.screen;
  }
}

TEST_F(Terminal, ErrorsHaveAColourUnlessTheUserWantsNone) {
  const TempFolder folder;
  EXPECT_THAT(at_terminal(folder, {"run", "nowhere.toml"}, 80).screen, HasSubstr("\033[1;31merror:\033[0m"));
  const std::string plain = at_terminal(folder, {"run", "nowhere.toml"}, 80, "1").screen;
  EXPECT_THAT(plain, HasSubstr("error:"));
  EXPECT_THAT(plain, Not(HasSubstr("\033[1")));
}

TEST_F(Terminal, TheFirstCtrlCSaysWhatHappens) {
  const TempFolder folder;
  write_config(folder, "rounds = 1000000000\n");
  const Session session = at_terminal(folder, {"run", "case.toml", "--out", "out"}, 80, "", "round ");
  EXPECT_EQ(session.exit_code, 130) << session.screen;
  EXPECT_THAT(session.screen, HasSubstr("Ctrl-C again ends the program at once"));
}

}  // namespace
}  // namespace driftless
