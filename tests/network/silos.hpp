// A federation of real processes on this machine: a server, its sites, certificates made on the spot.
#pragma once

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

bool serve_knows(const std::string& option);  // whether this program's `serve` has it

class Silos {
 public:
  // `config` without its [network] table.
  Silos(const std::string& config, std::vector<std::string> sites, const std::string& network_keys = "");

  void set_config(const std::string& config);  // of the next run, without its [network] table

  const TempFolder& folder() const { return folder_; }
  const std::vector<std::string>& sites() const { return sites_; }

  void start_server(const std::vector<std::string>& more = {});  // returns when it listens
  void start_site(const std::string& site, const std::vector<std::string>& more = {});
  void start_all();
  // Without waiting until the server listens, and so at a port that was free before; `who` is "server" or a site.
  void launch(const std::string& who);
  // For every start from now on.
  void set_options(const std::string& who, std::vector<std::string> options) { options_[who] = std::move(options); }
  void set_environment(const std::string& who, std::vector<std::pair<std::string, std::string>> variables) {
    environment_[who] = std::move(variables);
  }
  // A command of the shell that sets what the process may use, such as "ulimit -n 96".
  void set_limit(const std::string& who, std::string command) { limits_[who] = std::move(command); }
  std::vector<std::string> peers() const;  // the server and the sites
  void forget_run();  // ends what runs and removes the folders of the run, so that another can begin

  bool kill(const std::string& who);       // "server" or a site, with SIGKILL; false if it had ended before
  void interrupt(const std::string& who);  // as Ctrl-C does
  void send(const std::string& who, int signal) const { processes_.at(who)->send(signal); }
  bool runs(const std::string& who) const { return processes_.contains(who); }  // was started, and not waited for
  bool still_runs(const std::string& who) const { return processes_.at(who)->running(); }
  Said wait(const std::string& who);
  std::optional<Said> wait_for(const std::string& who, double seconds);  // none where it still runs then
  // Starts every peer again that has ended, or ends, with an error, until all have ended without; says what is wrong where that
  // does not come about.
  std::string finish_with_restarts();
  std::string said_so_far(const std::string& who) const;  // on standard error
  // Until standard error holds the text; false after so many seconds.
  bool says(const std::string& who, const std::string& text, double seconds = 30.0) const;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> serve_arguments(const std::string& listen, const std::filesystem::path& out) const;
  std::filesystem::path home(const std::string& who) const { return folder_ / who; }
  std::filesystem::path results(const std::string& who) const { return home(who) / "run" / "results"; }
  std::filesystem::path certificates(const std::string& who) const { return folder_ / "ca" / who; }
  // One process alone, with the same configuration; its run directory.
  std::filesystem::path alone();

 private:
  Said pki(const std::vector<std::string>& arguments) const;
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
