// What the hub knows about the collective under way and about each site.
#pragma once

#include "driftless/network/hub/chunks.hpp"
#include "driftless/network/hub/journal.hpp"
#include "driftless/network/hub/rejection.hpp"
#include "driftless/secure_sum/secret.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace driftless {

class HubConnection;

namespace detail {

// The removal of masks from a sum, once all rows have arrived.
struct Unmasking {
  std::vector<bool> members;                                  // by slot: whose rows are in the sum
  std::vector<ClientId> absent;                               // whose rows are not
  std::map<std::size_t, Secret> seeds = {};                   // of the rows' own masks, by slot
  std::vector<std::size_t> lost = {};                         // members that left without giving theirs
  std::map<std::size_t, std::map<std::size_t, Secret>> shares = {};  // of the secrets of these, by holder
  std::uint32_t question = 1;                                 // another one after each loss
  std::map<std::size_t, std::uint32_t> answered = {};         // the last question that each site has answered
};

// A collective that is under way, or whose total is being sent to the sites.
struct HubExchange {
  using Clock = std::chrono::steady_clock;

  ExchangeId id = 0;
  bool is_sum = true;
  Addition addition = Addition::real;               // of a sum
  std::vector<double> values = {};                  // becomes the total
  std::vector<std::vector<TreeRange>> covers = {};  // of a sum: the nodes that the site of each slot sends
  std::vector<Chunks> contributions = {};           // what each site sends; width 0: nothing
  std::vector<std::size_t> received = {};           // chunks from each site
  std::map<std::size_t, std::vector<std::pair<std::size_t, std::vector<double>>>> arrived = {};  // chunk → slot, rows
  std::size_t ready = 0;  // chunks of the total that may be sent
  std::optional<Unmasking> unmasking = {};
  std::uint32_t attempt = 0;
  bool done = false;
  std::shared_ptr<HubExchange> successor = {};           // replaces this one, which is never done
  RowCheck check = {};                                   // of shared rows
  std::map<std::size_t, std::string> out_of_range = {};  // slot → which of its numbers
  Agreement agreement = {};
  History history = {};
  Clock::time_point opened = Clock::now();
  bool reported_late = false;

  Chunks chunks() const { return {values.size()}; }
};

struct SiteState {
  using Clock = std::chrono::steady_clock;

  HubConnection* connection = nullptr;
  bool has_joined = false;
  bool finished = false;
  bool lost = false;
  std::optional<ErrorInfo> misbehaviour;
  std::string declined;  // why it does not take part; empty: it has not said so since it joined last
  ExchangeId checkpoint = 0;
  std::optional<ExchangeId> suspicious;    // the first exchange with numbers beyond suspicious_entry
  Clock::time_point since = Clock::now();  // of the last connect or disconnect
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
};

inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

inline constexpr auto hub_poll_interval = std::chrono::milliseconds(100);

// The journal keeps only the totals that follow the oldest checkpoint of a peer.
inline Rejection totals_are_removed(const std::string& who, ExchangeId id) {
  return {ErrorKind::data,
          {.what = "a checkpoint is lost, and the totals that could replace it are no longer kept",
           .seen = who + " needs exchange " + std::to_string(id),
           .advice = "restore the folder that " + who + " used, or start a new run"}};
}

}  // namespace detail
}  // namespace driftless
