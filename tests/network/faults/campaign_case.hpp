// The federations against which a fault campaign is run: three sites, each with its own data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

struct CampaignCase {
  std::size_t dim = 120;
  bool several = false;  // methods; otherwise one
  bool masked = false;   // sites mask their rows

  std::string name() const;  // "d = 120, several methods"
  std::vector<std::string> labels() const;
  std::size_t rounds() const;                                            // of each method
  std::size_t rows() const { return labels().size() * (rounds() + 1); }  // of all files metrics.csv of a peer
  std::uint64_t journal_bytes() const;                                   // small, so that files are often closed
  std::string network_keys() const;
  std::string config() const;  // without [network]; data is left to the sites
  // The same for one process that reads all files.
  std::string config_of_one_process(const std::vector<std::filesystem::path>& files) const;
};

std::vector<CampaignCase> all_campaign_cases();

// LIBSVM files with both classes, alike in rows, columns and labels for every seed.
void write_site_data(const std::filesystem::path& file, std::size_t dim, std::uint64_t seed);

}  // namespace driftless
