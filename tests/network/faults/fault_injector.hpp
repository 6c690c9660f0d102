// Injects one fault of a campaign, and waits until the run is ready for the next.
#pragma once

#include "driftless/core/random.hpp"

#include "tests/network/faults/campaign_damage.hpp"
#include "tests/network/faults/campaign_record.hpp"

namespace driftless {

class FaultInjector {
 public:
  FaultInjector(Silos& silos, Supervisor& supervisor, const OtherRun& other, Stream& chance, double longest_stop)
      : silos_(silos), supervisor_(supervisor), other_(other), chance_(chance), longest_stop_(longest_stop) {}

  // Returns false where there was nothing left to disturb. Reports failures to the supervisor.
  bool inject(FaultKind kind, CampaignRecord& record);

 private:
  bool kill_some(std::size_t count);
  bool kill_at_start();
  bool kill_in_save();
  bool terminate_site();
  bool terminate_server();
  bool stop();
  bool start_second_server();
  bool fill_disk();
  bool lose_power_of_some();
  bool damage(DamageKind kind, CampaignRecord& record);
  void await_rejection(const Damage& damage, const std::string& who, CampaignRecord& record);

  std::vector<std::string> victims(std::size_t count);  // of those that run
  void pause(std::size_t most_milliseconds);
  void start_again_in_any_order(std::vector<std::string> peers);

  Silos& silos_;
  Supervisor& supervisor_;
  const OtherRun& other_;
  Stream& chance_;
  double longest_stop_;
};

}  // namespace driftless
