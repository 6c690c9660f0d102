// What a hub reports about its sites: events as they happen, and its present status.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/transport.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

struct HubEvent {
  enum class Kind { joined, declined, returned, left, late, rejected, dropped, finished, ended };
  Kind kind = Kind::joined;
  std::string site;  // empty where the event concerns all sites
  std::string text;  // a sentence for people
};
template <>
struct EnumNames<HubEvent::Kind> {
  static constexpr std::array<std::string_view, 9> value{"joined",   "declined", "returned", "left", "late",
                                                         "rejected", "dropped",  "finished", "ended"};
};

struct SiteStatus {
  enum class State { expected, connected, late, away, dropped, finished };
  std::string site;
  State state = State::expected;
  double seconds = 0.0;  // since it connected or disconnected
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
  ExchangeId checkpoint = 0;  // from which the site can restart
};
template <>
struct EnumNames<SiteStatus::State> {
  static constexpr std::array<std::string_view, 6> value{"expected", "connected", "late",
                                                         "away",     "dropped",   "finished"};
};

struct HubStatus {
  ExchangeId exchange = 0;  // the next one
  ExchangeId durable = 0;   // totals before this one are on the disk
  double waiting = 0.0;     // seconds since the exchange under way started; 0 where there is none
  std::string ended;        // why the run has ended for all sites; empty while it has not
  std::vector<SiteStatus> sites;
};

}  // namespace driftless
