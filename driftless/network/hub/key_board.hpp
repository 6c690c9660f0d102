// What the sites of a run with masks tell each other through the server: their announcements, and sealed shares of their
// secrets. All of it is kept in a file, because a site that returns to a restarted server may need it.
#pragma once

#include "driftless/network/hub/rejection.hpp"
#include "driftless/secure_sum/announcement.hpp"

#include <filesystem>
#include <map>
#include <mutex>

namespace driftless {

class KeyBoard {
 public:
  // By slot; an empty path keeps nothing.
  KeyBoard(std::vector<std::string> sites, std::filesystem::path file);

  // Throws Rejection where the site announced another key before.
  void announce(std::size_t slot, Announcement announcement);
  void deposit(std::size_t slot, std::vector<std::string> sealed_shares);  // by holder

  std::vector<Announcement> announcements() const;                 // of all sites; none while one is missing
  std::vector<std::string> shares_for(std::size_t holder) const;  // by dealer; none while one is missing
  std::vector<std::string> missing() const;                        // sites that have not announced yet
  // Whether this is the share that the dealer announced.
  bool is_share(std::size_t dealer, std::size_t holder, const Secret& share) const;

 private:
  void read();
  void write() const;
  bool complete() const { return announced_.size() == sites_.size(); }

  const std::vector<std::string> sites_;
  const std::filesystem::path file_;
  mutable std::mutex mutex_;
  std::map<std::size_t, Announcement> announced_;
  std::map<std::size_t, std::vector<std::string>> shares_;  // by dealer
};

}  // namespace driftless
