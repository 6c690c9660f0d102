// Random faults against whole federations. Without damage every run must end with exit code 0 and the bits of one
// undisturbed process at every peer, after restarts with the same commands; damaged files must be harmless or rejected.
#pragma once

#include "driftless/core/random.hpp"

#include "tests/network/faults/campaign_case.hpp"
#include "tests/network/faults/campaign_damage.hpp"
#include "tests/network/faults/supervisor.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class FaultKind {
  kill_one,
  kill_two,
  kill_all,
  kill_at_start,
  kill_in_save,
  kill_late,
  terminate_site,
  terminate_server,
  stop,
  second_server,
  disk_full,
  power_loss,
  flip,
  cut,
  swap
};
constexpr std::array<std::string_view, 15> fault_names{"kill -9 of one",   "kill -9 of two",     "kill -9 of all",
                                                       "kill at start-up", "kill during a save", "kill near the end",
                                                       "SIGTERM, site",    "SIGTERM, server",    "SIGSTOP and SIGCONT",
                                                       "second serve",     "disk full",          "power loss",
                                                       "one bit flipped",  "file cut",           "file of another run"};
constexpr std::size_t fault_kinds = fault_names.size();

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::size_t faults = 20;  // in total, at least
  double longest_stop = 3;  // seconds
  std::vector<CampaignCase> cases = {};
};

struct CampaignRecord {
  CampaignCase tested;
  CampaignVerdict verdict = CampaignVerdict::right;
  std::string reason;
  std::string history;  // the faults, in their order
  std::array<std::size_t, fault_kinds> faults{};
  std::size_t rejected = 0;  // damaged files that a peer named
  std::size_t harmless = 0;  // damaged files that changed nothing
  std::vector<std::string> surprises;
  std::size_t journal_files = 0;
  double seconds = 0;
};

class FaultCampaign {
 public:
  explicit FaultCampaign(CampaignOptions options);

  void run();  // prints one row for each run
  const std::vector<CampaignRecord>& records() const { return records_; }

 private:
  void prepare(const CampaignCase& tested);
  const std::map<std::string, std::string>& undisturbed(const CampaignCase& tested);
  const OtherRun& other_run(const CampaignCase& tested);
  void set_data(const CampaignCase& tested, const std::string& data);
  std::filesystem::path data_file(const CampaignCase& tested, const std::string& site, const std::string& data) const;
  CampaignRecord run_one(const CampaignCase& tested);
  // Faults with the rows of metrics at which they happen.
  std::vector<std::pair<std::size_t, FaultKind>> draw_faults(const CampaignCase& tested);
  void compare_bits(const CampaignCase& tested, Supervisor& supervisor);

  CampaignOptions options_;
  Stream chance_;
  Silos silos_;
  bool has_journal_bytes_;  // whether this program's `serve` lets the size of a journal file be set
  std::vector<FaultKind> deck_;
  std::map<std::string, std::map<std::string, std::string>> bits_;  // by case and label
  std::map<std::string, OtherRun> others_;                          // by case
  std::vector<CampaignRecord> records_;
};

std::string campaign_table(const std::vector<CampaignRecord>& records);

}  // namespace driftless
