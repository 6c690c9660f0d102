// The secrets of one site of a run with masks, and what it knows of the others. All of it is kept in a file, because a
// site that restarts must mask as it did before.
#pragma once

#include "driftless/secure_sum/announcement.hpp"

#include <cstddef>
#include <filesystem>

namespace driftless {

struct SecureSumOptions {
  std::string run;
  std::vector<std::string> sites;  // in an order that all sites agree on
  std::size_t own = 0;             // the place of this site among them
  std::size_t threshold = 0;       // sites that can unmask the row of a lost one; 0: no site may be lost
  std::filesystem::path folder = {};  // for the files of this site; empty: nothing is kept
  SignText sign = {};                 // null: without certificates, for sites that trust the server
  CheckSignature check = {};
};

class SiteKeys {
 public:
  explicit SiteKeys(SecureSumOptions options);  // reads the file, or draws new secrets and writes it

  const SecureSumOptions& options() const { return options_; }
  std::size_t sites() const { return options_.sites.size(); }
  const Announcement& own() const { return own_; }

  bool knows_sites() const { return !others_.empty(); }
  // All announcements, by site. TransportError where one is forged, or another than before.
  void learn(std::vector<Announcement> all);
  const std::vector<std::size_t>& neighbours() const { return neighbours_; }
  const Secret& pair_key(std::size_t site) const { return pair_keys_[site]; }  // with that neighbour

  // The shares of this site's secret, each sealed for its holder; empty for itself.
  std::vector<std::string> sealed_shares() const;
  bool has_shares() const { return options_.threshold == 0 || !held_.empty(); }
  // The shares that this site holds, by dealer. TransportError where one was changed or is not the one announced.
  void learn_shares(const std::vector<std::string>& sealed);
  const Secret& share_of(std::size_t dealer) const { return held_[dealer]; }

  const Secret& master() const { return master_; }          // of the masks that can be unmasked
  Secret flags_key() const { return derived(secret_, "flags"); }

 private:
  void make_new();
  bool read_file();
  void write_file() const;
  void announce();
  void require_genuine(const Announcement& announcement, std::size_t site) const;
  void agree_with_neighbours();
  Secret sealing_key(std::size_t other, std::size_t dealer, std::size_t holder) const;

  SecureSumOptions options_;
  Secret secret_{};                // X25519
  Secret master_{};
  std::vector<Secret> own_shares_;  // by holder
  Announcement own_;
  std::vector<Announcement> others_;  // by site, this one among them; empty until they are known
  std::vector<Secret> held_;          // by dealer
  std::vector<std::size_t> neighbours_;
  std::vector<Secret> pair_keys_;  // by site; of neighbours only
};

}  // namespace driftless
