// A federation of processes on this machine: a server, its sites, and new certificates.
#pragma once

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

bool serve_knows(const std::string& option);  // whether `serve` of this program has it

class Silos {
 public:
  // `config` without its [network] table.
  Silos(const std::string& config, std::vector<std::string> sites, const std::string& network_keys = "");

  void set_network_keys(const std::string& keys) { network_keys_ = keys; }  // of the next set_config
  void set_config(const std::string& config);  // of the next run, without its [network] table

  const TempFolder& folder() const { return folder_; }
  const std::vector<std::string>& sites() const { return sites_; }

  void start_server(const std::vector<std::string>& more = {});  // returns when it listens
  void start_site(const std::string& site, const std::vector<std::string>& more = {});
  void start_all();
  // Does not wait until the server listens, and uses a port that was free before; `who` is "server" or a site.
  void launch(const std::string& who);
  // For every start from now on.
  void set_options(const std::string& who, std::vector<std::string> options) { options_[who] = std::move(options); }
  void set_environment(const std::string& who, std::vector<std::pair<std::string, std::string>> variables) {
    environment_[who] = std::move(variables);
  }
  // A shell command that limits the process, such as "ulimit -n 96".
  void set_limit(const std::string& who, std::string command) { limits_[who] = std::move(command); }
  std::vector<std::string> peers() const;  // the server and the sites
  void forget_run();  // ends all processes and removes the folders of the run, so that another one can start

  bool kill(const std::string& who);       // "server" or a site, with SIGKILL; false if it had ended before
  void interrupt(const std::string& who);  // as Ctrl-C does
  void send(const std::string& who, int signal) const { processes_.at(who)->send(signal); }
  int process_id(const std::string& who) const { return processes_.at(who)->id(); }
  bool runs(const std::string& who) const { return processes_.contains(who); }  // started, and not yet waited for
  bool still_runs(const std::string& who) const { return processes_.at(who)->running(); }
  ProgramResult wait(const std::string& who);
  std::optional<ProgramResult> wait_for(const std::string& who, double seconds);  // none after a timeout
  // Restarts every peer that ends with an error, until all have ended without one. Returns what is wrong where that
  // does not happen.
  std::string finish_with_restarts();
  std::string standard_error_of(const std::string& who) const;  // so far
  // Waits until standard error contains the text; false after so many seconds.
  bool prints(const std::string& who, const std::string& text, double seconds = 30.0) const;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> serve_arguments(const std::string& listen, const std::filesystem::path& out) const;
  std::filesystem::path home(const std::string& who) const { return folder_ / who; }
  std::filesystem::path results(const std::string& who) const { return home(who) / "run" / "results"; }
  std::filesystem::path certificates(const std::string& who) const { return folder_ / "ca" / who; }
  // Runs the same configuration in one process; returns its run directory.
  std::filesystem::path alone();

 private:
  ProgramResult pki(const std::vector<std::string>& arguments) const;
  void start(const std::string& who, std::vector<std::string> arguments, const std::vector<std::string>& more);

  TempFolder folder_;
  std::vector<std::string> sites_;
  std::string network_keys_;
  std::map<std::string, std::unique_ptr<Program>> processes_;
  std::map<std::string, std::vector<std::string>> options_;
  std::map<std::string, std::string> limits_;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> environment_;
  int port_ = 0;
};

}  // namespace driftless
