#include "tests/network/silos.hpp"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

namespace driftless {
namespace {

std::string quoted(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
  return list;
}

}  // namespace

Silos::Silos(const std::string& config, std::vector<std::string> sites, const std::string& network_keys)
    : sites_(std::move(sites)) {
  folder_.write("case.toml", config + "\n[network]\nsites = [" + quoted(sites_) + "]\n" + network_keys);
  EXPECT_EQ(pki({"pki", "init", "--ca", "ca"}).exit_code, 0);
  EXPECT_EQ(pki({"pki", "issue", "--ca", "ca", "--site", "server"}).exit_code, 0);
  for (const std::string& site : sites_) EXPECT_EQ(pki({"pki", "issue", "--ca", "ca", "--site", site}).exit_code, 0);
  std::filesystem::create_directory(home("server"));
  for (const std::string& site : sites_) std::filesystem::create_directory(home(site));
}

Said Silos::pki(const std::vector<std::string>& arguments) const {
  return run_program({.arguments = arguments, .folder = folder_.path()});
}

void Silos::start_server(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"serve",    "../case.toml",
                                     "--listen", port_ == 0 ? "127.0.0.1:0" : address(),
                                     "--tls",    certificates("server").string(),
                                     "--out",    "run"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::filesystem::remove(home("server") / ".stderr");  // of an earlier start
  processes_["server"] = std::make_unique<Program>(
      Call{.arguments = arguments, .folder = home("server"), .environment = {{"DRIFTLESS_THREADS", "1"}}});
  ASSERT_TRUE(says("server", "listening at ")) << said_so_far("server");
  const std::string text = said_so_far("server");
  const std::size_t at = text.find("127.0.0.1:", text.find("listening at "));
  port_ = std::stoi(text.substr(at + 10));
}

void Silos::start_site(const std::string& site, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"join",  address(), "--tls",     certificates(site).string(),
                                     "--out", "run",     "--threads", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::filesystem::remove(home(site) / ".stderr");
  processes_[site] = std::make_unique<Program>(Call{.arguments = arguments, .folder = home(site)});
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

Said Silos::wait(const std::string& who) {
  const Said said = processes_.at(who)->wait();
  processes_.erase(who);
  return said;
}

std::string Silos::said_so_far(const std::string& who) const {
  return std::filesystem::exists(home(who) / ".stderr") ? TempFolder::read(home(who) / ".stderr") : "";
}

bool Silos::says(const std::string& who, const std::string& text, double seconds) const {
  const auto start = std::chrono::steady_clock::now();
  while (said_so_far(who).find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(seconds)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

std::filesystem::path Silos::alone() {
  const Said said = run_program({.arguments = {"run", "case.toml", "--out", "alone"}, .folder = folder_.path()});
  EXPECT_EQ(said.exit_code, 0) << said.err;
  return folder_ / "alone";
}

}  // namespace driftless
