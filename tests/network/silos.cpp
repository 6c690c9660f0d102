#include "tests/network/silos.hpp"

#include "tests/support/free_port.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace driftless {
namespace {

std::string quoted(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
  return list;
}

}  // namespace

bool serve_knows(const std::string& option) {
  std::FILE* help = ::popen(DRIFTLESS_PROGRAM_FILE " serve --help", "r");
  std::string text;
  for (int c = std::fgetc(help); c != EOF; c = std::fgetc(help)) text += static_cast<char>(c);
  ::pclose(help);
  return text.find(option) != std::string::npos;
}

Silos::Silos(const std::string& config, std::vector<std::string> sites, const std::string& network_keys)
    : sites_(std::move(sites)), network_keys_(network_keys) {
  set_config(config);
  EXPECT_EQ(pki({"pki", "init", "--ca", "ca"}).exit_code, 0);
  EXPECT_EQ(pki({"pki", "issue", "--ca", "ca", "--site", "server"}).exit_code, 0);
  for (const std::string& site : sites_) EXPECT_EQ(pki({"pki", "issue", "--ca", "ca", "--site", site}).exit_code, 0);
  std::filesystem::create_directory(home("server"));
  for (const std::string& site : sites_) std::filesystem::create_directory(home(site));
}

void Silos::set_config(const std::string& config) {
  folder_.write("case.toml", config + "\n[network]\nsites = [" + quoted(sites_) + "]\n" + network_keys_);
}

ProgramResult Silos::pki(const std::vector<std::string>& arguments) const {
  return run_program({.arguments = arguments, .folder = folder_.path()});
}

std::vector<std::string> Silos::serve_arguments(const std::string& listen, const std::filesystem::path& out) const {
  return {"serve", (folder_ / "case.toml").string(), "--listen", listen,
          "--tls", certificates("server").string(),  "--out",    out.string()};
}

void Silos::start(const std::string& who, std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), options_[who].begin(), options_[who].end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::filesystem::remove(home(who) / ".stderr");  // of an earlier start
  std::vector<std::pair<std::string, std::string>> variables{{"DRIFTLESS_THREADS", "1"}};
  variables.insert(variables.end(), environment_[who].begin(), environment_[who].end());
  Call call{.arguments = std::move(arguments), .folder = home(who), .environment = variables};
  if (limits_.contains(who)) {
    call.arguments.insert(call.arguments.begin(), {"-c", limits_[who] + R"( && exec "$0" "$@")", call.program});
    call.program = "/bin/sh";
  }
  processes_[who] = std::make_unique<Program>(call);
}

void Silos::start_server(const std::vector<std::string>& more) {
  start("server", serve_arguments(port_ == 0 ? "127.0.0.1:0" : address(), "run"), more);
  ASSERT_TRUE(prints("server", "listening at ")) << standard_error_of("server");
  const std::string text = standard_error_of("server");
  const std::size_t at = text.find("127.0.0.1:", text.find("listening at "));
  port_ = std::stoi(text.substr(at + 10));
}

void Silos::start_site(const std::string& site, const std::vector<std::string>& more) {
  start(site, {"join", address(), "--tls", certificates(site).string(), "--out", "run", "--threads", "1"}, more);
}

void Silos::launch(const std::string& who) {
  if (port_ == 0) port_ = free_port();
  if (who == "server") start(who, serve_arguments(address(), "run"), {});
  else start_site(who);
}

std::vector<std::string> Silos::peers() const {
  std::vector<std::string> all{"server"};
  all.insert(all.end(), sites_.begin(), sites_.end());
  return all;
}

void Silos::forget_run() {
  processes_.clear();
  for (const std::string& who : peers()) std::filesystem::remove_all(home(who) / "run");
}

void Silos::start_all() {
  start_server();
  for (const std::string& site : sites_) start_site(site);
}

bool Silos::kill(const std::string& who) {
  const bool in_time = processes_.at(who)->running();
  processes_.at(who)->send(SIGKILL);
  processes_.at(who)->wait();
  processes_.erase(who);
  return in_time;
}

void Silos::interrupt(const std::string& who) { processes_.at(who)->send(SIGINT); }

ProgramResult Silos::wait(const std::string& who) {
  const ProgramResult result = processes_.at(who)->wait();
  processes_.erase(who);
  return result;
}

std::optional<ProgramResult> Silos::wait_for(const std::string& who, double seconds) {
  std::optional<ProgramResult> result = processes_.at(who)->wait_for(seconds);
  if (result) processes_.erase(who);
  return result;
}

std::string Silos::finish_with_restarts() {
  constexpr double patience = 120;  // seconds in which no process ends
  std::map<std::string, int> starts;
  std::vector<std::string> left = peers();
  auto last_end = std::chrono::steady_clock::now();
  while (!left.empty()) {
    for (const std::string& who : peers()) {
      if (std::ranges::count(left, who) == 0 || (runs(who) && still_runs(who))) continue;
      const std::optional<ProgramResult> result = runs(who) ? std::optional(wait(who)) : std::nullopt;
      last_end = std::chrono::steady_clock::now();
      if (result && result->exit_code == 0) std::erase(left, who);
      else if (++starts[who] > 6) return who + " fails again and again\n" + (result ? result->err : "");
      else launch(who);
    }
    if (std::chrono::steady_clock::now() - last_end > std::chrono::duration<double>(patience))
      return left.front() + " hangs\n" + standard_error_of(left.front());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return "";
}

std::string Silos::standard_error_of(const std::string& who) const {
  return std::filesystem::exists(home(who) / ".stderr") ? TempFolder::read(home(who) / ".stderr") : "";
}

bool Silos::prints(const std::string& who, const std::string& text, double seconds) const {
  const auto start = std::chrono::steady_clock::now();
  while (standard_error_of(who).find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::filesystem::path Silos::alone() {
  const ProgramResult result =
      run_program({.arguments = {"run", "case.toml", "--out", "alone"}, .folder = folder_.path()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return folder_ / "alone";
}

}  // namespace driftless
