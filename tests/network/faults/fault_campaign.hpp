// Random faults against whole federations. Without damage every run must end with exit code 0 and the bits of one
// undisturbed process at every peer, after restarts with the same commands; damaged files must be harmless or rejected.
#pragma once

#include "driftless/core/random.hpp"

#include "tests/network/faults/campaign_damage.hpp"
#include "tests/network/faults/campaign_record.hpp"
#include "tests/network/faults/supervisor.hpp"

#include <map>

namespace driftless {

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::size_t faults = 20;  // in total, at least
  double longest_stop = 3;  // seconds
  std::vector<CampaignCase> cases = {};
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

}  // namespace driftless
