#include "tests/cli/program.hpp"

#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace driftless {
namespace {

constexpr const char* out_name = ".stdout";
constexpr const char* err_name = ".stderr";

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

void redirect(const std::filesystem::path& file, int descriptor) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(opened, descriptor);
}

}  // namespace

Program::Program(const Call& call) : folder_(call.folder) {
  std::vector<std::string> arguments{call.program};
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  std::map<std::string, std::string> variables{{"PATH", "/usr/bin:/bin"}, {"HOME", folder_.string()}};
  for (const auto& [key, value] : call.environment) variables[key] = value;
  std::vector<std::string> environment;
  for (const auto& [key, value] : variables) environment.push_back(key + "=" + value);
  const std::vector<char*> argument_list = pointers(arguments);
  const std::vector<char*> environment_list = pointers(environment);
  process_ = ::fork();
  if (process_ != 0) return;
  redirect(folder_ / out_name, STDOUT_FILENO);
  redirect(folder_ / err_name, STDERR_FILENO);
  if (::chdir(folder_.c_str()) == 0) ::execve(argument_list[0], argument_list.data(), environment_list.data());
  ::_exit(99);
}

Program::~Program() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Program::send(int signal) const { ::kill(process_, signal); }

bool Program::running() const {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

ProgramResult Program::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = TempFolder::read(folder_ / out_name),
          .err = TempFolder::read(folder_ / err_name),
          .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

std::optional<ProgramResult> Program::wait_for(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (running()) {
    if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds)) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return wait();
}

Cells read_csv(const std::filesystem::path& file) {
  Cells cells;
  std::istringstream text(TempFolder::read(file));
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string>& row = cells.emplace_back();
    std::istringstream rest(line + ",");
    for (std::string cell; std::getline(rest, cell, ',');) row.push_back(cell);
  }
  return cells;
}

std::string without_column(const Cells& cells, const std::string& name) {
  if (cells.empty()) return "";
  const auto column = std::ranges::find(cells.front(), name) - cells.front().begin();
  std::string text;
  for (std::vector<std::string> row : cells) {
    row.erase(row.begin() + column);
    for (const std::string& cell : row) text += cell + ",";
    text += "\n";
  }
  return text;
}

}  // namespace driftless
