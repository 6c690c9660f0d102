// The faults of a campaign, and how each of its runs ended.
#pragma once

#include "tests/network/faults/campaign_case.hpp"
#include "tests/network/faults/supervisor.hpp"

#include <array>
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

std::string campaign_table(const std::vector<CampaignRecord>& records);

}  // namespace driftless
