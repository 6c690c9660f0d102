// What the sources of the hub share. Only they include it.
#pragma once

#include "driftless/network/hub/hub.hpp"

#include <map>

namespace driftless {

// A collective under way, or one whose total is being handed out.
struct Hub::Exchange {
  ExchangeId id = 0;
  bool is_sum = true;
  std::vector<double> values = {};                  // becomes the total
  std::vector<std::vector<TreeRange>> covers = {};  // nodes that each seat sends; for a sum
  std::vector<Pieces> given_in = {};                // how each seat's contribution is cut; width 0: it sends nothing
  std::vector<std::size_t> given = {};              // pieces that each seat has sent
  std::map<std::size_t, std::vector<std::pair<std::size_t, std::vector<double>>>> arrived = {};  // piece → seat, rows
  std::size_t ready = 0;  // pieces of the total that may be handed out
  std::uint32_t attempt = 0;
  bool done = false;
  RowCheck check = {};                              // of shared rows
  std::map<std::size_t, std::string> outside = {};  // seat → where its numbers are out of range
  Agreement agreement = {};
  History history = {};
  Clock::time_point opened = Clock::now();
  bool called_late = false;

  Pieces pieces() const { return {values.size()}; }
};

// What is known about a site.
struct Hub::Place {
  Line* line = nullptr;  // its connection
  bool came = false;
  bool finished = false;
  bool lost = false;
  std::optional<Trouble> misbehaved;
  ExchangeId saved = 0;
  std::optional<ExchangeId> suspicious;    // the first exchange with numbers beyond suspicious_entry
  Clock::time_point since = Clock::now();  // connected or away
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
};

namespace detail {

inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

inline constexpr auto look_around = std::chrono::milliseconds(100);

// A whole journal would grow without end, so it keeps what those need who have a checkpoint.
inline Refused forgotten(const std::string& who, ExchangeId id) {
  return {ExitCode::data,
          {.what = "a checkpoint is lost, and the totals that could replace it are no longer kept",
           .seen = who + " needs exchange " + std::to_string(id),
           .advice = "restore the folder that " + who + " used, or start a new run"}};
}

}  // namespace detail
}  // namespace driftless
