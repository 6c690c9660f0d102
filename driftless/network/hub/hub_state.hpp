// What the hub knows about the collective under way and about each site.
#pragma once

#include "driftless/network/hub/journal.hpp"
#include "driftless/network/hub/pieces.hpp"
#include "driftless/network/hub/rejection.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace driftless {

class HubConnection;

namespace detail {

// A collective under way, or one whose total is being handed out.
struct HubExchange {
  using Clock = std::chrono::steady_clock;

  ExchangeId id = 0;
  bool is_sum = true;
  std::vector<double> values = {};                  // becomes the total
  std::vector<std::vector<TreeRange>> covers = {};  // nodes that each site sends; for a sum
  std::vector<Pieces> given_in = {};                // how each site's contribution is cut; width 0: it sends nothing
  std::vector<std::size_t> given = {};              // pieces that each site has sent
  std::map<std::size_t, std::vector<std::pair<std::size_t, std::vector<double>>>> arrived = {};  // piece → site, rows
  std::size_t ready = 0;  // pieces of the total that may be handed out
  std::uint32_t attempt = 0;
  bool done = false;
  RowCheck check = {};                              // of shared rows
  std::map<std::size_t, std::string> outside = {};  // site → where its numbers are out of range
  Agreement agreement = {};
  History history = {};
  Clock::time_point opened = Clock::now();
  bool called_late = false;

  Pieces pieces() const { return {values.size()}; }
};

struct SiteState {
  using Clock = std::chrono::steady_clock;

  HubConnection* connection = nullptr;
  bool came = false;
  bool finished = false;
  bool lost = false;
  std::optional<ErrorInfo> misbehaved;
  ExchangeId saved = 0;
  std::optional<ExchangeId> suspicious;    // the first exchange with numbers beyond suspicious_entry
  Clock::time_point since = Clock::now();  // connected or away
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
};

inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

inline constexpr auto hub_poll_interval = std::chrono::milliseconds(100);

// A whole journal would grow without end, so it keeps what those need who have a checkpoint.
inline Rejection forgotten(const std::string& who, ExchangeId id) {
  return {ErrorKind::data,
          {.what = "a checkpoint is lost, and the totals that could replace it are no longer kept",
           .seen = who + " needs exchange " + std::to_string(id),
           .advice = "restore the folder that " + who + " used, or start a new run"}};
}

}  // namespace detail
}  // namespace driftless
