// Everything a network must do: sum rows over all peers in the order of the tree, with the same bits for all; show
// every peer everybody's rows, for methods without a server; and let all peers learn the same agreement after the same
// collective.
#pragma once

#include "driftless/federation/tree_sum.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

struct Layout {
  std::size_t clients = 0;  // n, over all peers
  std::size_t peers = 1;
  std::size_t rank = 0;          // this peer; 0 is the one that speaks for all
  std::vector<ClientId> hosted;  // the clients hosted here, rising
};

using ExchangeId = std::uint64_t;  // counts all collectives of a run, so that a repeat is recognised

// Why rank 0 ends the run for all peers at the next round border.
enum class StopSignal : std::uint32_t { none = 0, time_over = 1, interrupted = 2, terminated = 3 };
inline constexpr StopSignal last_stop_signal = StopSignal::terminated;

// What peers must agree on besides sums, as of the last collective that was completed.
struct Agreement {
  StopSignal signal = StopSignal::none;
  std::vector<ClientId> absent;  // clients that were dropped, rising
};

// A digest of all totals up to some collective, each with its agreement. Two peers with the same history have seen the
// same run. Zero where a transport keeps none.
struct History {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const History&) const = default;
};

// Where a peer is in the sequence of collectives: what it must know to continue there after a restart.
struct Position {
  ExchangeId next = 0;
  History history = {};
  std::vector<ClientId> absent = {};
};

// Why this row of one client cannot be what an honest peer would send, or nothing.
using RowCheck = std::function<std::optional<std::string>(std::span<const double> row)>;

class Transport {
 public:
  virtual ~Transport() = default;
  virtual const Layout& layout() const = 0;

  // Collective: total ← the sum over the clients `from` that are not absent. `mine` are the nodes that
  // cover(n, from, hosted) names, in that order.
  void sum(std::span<const ClientId> from, std::span<const Node> mine, std::span<double> total) {
    sum_as(next_++, from, mine, total);
  }
  // Collective: all ← everybody's rows of `width` in the order of client ids, zeros for the absent; `mine` are those of
  // the clients hosted here. TransportError where a row does not pass the check, which every peer makes: also what a
  // journal hands out again is never used unchecked.
  void share(std::size_t width, std::span<const double> mine, std::span<double> all, const RowCheck& check = {});

  // The number of the next collective. A peer that starts again continues at the position of its checkpoint.
  ExchangeId next_exchange() const { return next_; }
  Position position() const { return {.next = next_, .history = history(), .absent = agreement().absent}; }
  virtual void continue_at(const Position& position) { next_ = position.next; }
  // Told that the collectives so far made the problem: a peer that starts again makes them all again.
  virtual void set_up() {}
  // Before a checkpoint is written: makes sure that the totals of all collectives so far survive a crash of whoever
  // keeps them, for a peer must never be further than they are. False where that cannot be had now; then nothing may be
  // written. `insist` waits as long as a lost connection is waited for, and throws where that is not enough.
  virtual bool secure_past(bool insist) {
    static_cast<void>(insist);
    return true;
  }
  // Told once this peer can start again from here: whoever keeps the past for it need not keep more.
  virtual void saved() {}
  // Told that the run is interrupted here: what follows only ends this process, and a resumed run does without.
  virtual void leaving() {}

  virtual const Agreement& agreement() const = 0;
  virtual void broadcast(StopSignal signal) = 0;  // by rank 0; all others learn it with a collective to come

  // Every peer gets a TransportError with this reason.
  virtual void abort(std::string_view reason) noexcept = 0;

 protected:
  virtual void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
                      std::span<double> total) = 0;
  virtual void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                        const RowCheck& check) = 0;
  virtual History history() const { return {}; }

 private:
  ExchangeId next_ = 0;
};

}  // namespace driftless
