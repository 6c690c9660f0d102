// The [network] table: the sites of a federation on several machines, and what happens when one is missing. A run in
// one process ignores it.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/network/hub/site_slot.hpp"

#include <string>
#include <vector>

namespace driftless {

struct NetworkConfig {
  std::vector<std::string> sites;
  std::vector<double> hosts;
  double grace = 60.0;
  double deadline = 600.0;
  OnLoss on_loss = OnLoss::abort;
  std::size_t quorum = 1;
  bool secure_sum = false;
  std::size_t least_sites = 3;
  std::string location;  // of the table, for messages

  static Fields fields() {
    using S = NetworkConfig;
    return {
        field("sites", &S::sites, anything, "the names of the sites, as in their certificates"),
        field("hosts", &S::hosts, anything, "how many clients each site hosts; as evenly as possible if not given"),
        field("grace", &S::grace, nonnegative, "seconds that a site may be disconnected before it is lost"),
        field("deadline", &S::deadline, positive, "seconds that a connected site may keep the others waiting"),
        field("on_loss", &S::on_loss, anything, "whether the run ends when a site is lost, or continues without it"),
        field("quorum", &S::quorum, at_least_one, "with fewer sites a run that drops lost ones fails"),
        field("secure_sum", &S::secure_sum, anything,
              "whether sites mask their rows, so that the server learns sums alone; federation.sum is \"fixed\" then"),
        field("least_sites", &S::least_sites, at_least_one,
              "with secure_sum a sum over fewer sites is rejected, because it would show their rows")};
  }
};

// ConfigError where sites and clients do not fit each other.
NetworkConfig read_network(const ConfigTable& table, std::size_t clients);
std::string network_text(const NetworkConfig& network);  // "" where there are no sites

// The sites that are needed to unmask the row of a lost one; 0 where rows are not masked, or no site may be lost.
std::size_t unmask_threshold(const NetworkConfig& network);

// The clients of each site: contiguous ids.
std::vector<SiteSlot> site_slots(const NetworkConfig& network, std::size_t clients);

}  // namespace driftless
