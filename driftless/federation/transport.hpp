// What every network does: it sums rows over all peers in the order of the tree, with the same bits for all, or adds
// integers, whose sums are the same in any order; it shares
// the rows of every client with every peer, for methods without a server; and all peers learn the same agreement with
// the same collective. tests/support/transport_contract.hpp checks it.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/stop_token.hpp"
#include "driftless/federation/checkpointing.hpp"
#include "driftless/federation/tree_sum.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

struct Layout {
  std::size_t clients = 0;  // n, over all peers
  std::size_t peers = 1;
  std::size_t rank = 0;          // of this peer; rank 0 decides for all when to stop
  std::vector<ClientId> hosted;  // the clients hosted here, ascending
};

// What peers agree on besides sums, as of the last collective that was completed.
struct Agreement {
  // Of rank 0: all peers stop at the next round border. Or of any peer: all abandon the round under way.
  StopSignal signal = StopSignal::none;
  std::vector<ClientId> absent;  // dropped clients, ascending
};

// Why this row of one client cannot be what an honest peer would send, or nothing.
using RowCheck = std::function<std::optional<std::string>(std::span<const double> row)>;

// How the rows of clients are added: as real numbers in the order of the tree; or as integers (fixed_point.hpp), whose
// sums no order changes, so that they can be masked.
enum class Summation { tree, fixed };
template <>
struct EnumNames<Summation> {
  static constexpr std::array<std::string_view, 2> value{"tree", "fixed"};
};

// What integers mean to those who mask them.
enum class Integers {
  terms,  // of a sum
  flags   // only whether a sum is zero matters
};

// What rank 0 is asked while it waits in the collectives of a round.
struct RoundLimits {
  std::function<bool()> time_is_over = {};
  bool limits_work = false;  // whether other peers may abandon a round for too much work
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual const Layout& layout() const = 0;

  // Collective: total ← the sum over the clients `from` that are not absent. `mine` are the nodes that
  // cover(n, from, hosted) names, in that order.
  void sum(std::span<const ClientId> from, std::span<const Node> mine, std::span<double> total) {
    sum_as(next_++, from, mine, total);
    leave_if_abandoned();
  }
  // Collective: total ← the sum modulo 2^64 of the rows of all peers, `mine` among them, whose numbers carry integers
  // in their bits. Peers without clients add zeros.
  void add_integers(std::span<const double> mine, std::span<double> total, Integers meaning = Integers::terms) {
    add_integers_as(next_++, mine, total, meaning);
    leave_if_abandoned();
  }
  // Collective: all ← the rows of `width` of all clients in the order of their ids, zeros for the absent; `mine` are
  // those of the clients hosted here. TransportError where a row does not pass the check, which every peer makes: also
  // rows that a journal repeats are never used unchecked.
  void share(std::size_t width, std::span<const double> mine, std::span<double> all, const RowCheck& check = {});

  Summation summation() const { return summation_; }
  void set_summation(Summation summation) { summation_ = summation; }  // before the first collective, at every peer

  virtual const Agreement& agreement() const = 0;
  virtual void broadcast(StopSignal signal) = 0;  // by rank 0; all others learn it with a later collective
  // By any thread, but one at a time, in long local work: Error where the run has ended while this peer was not in a
  // collective.
  virtual void throw_if_ended() {}

  // The collectives between these two calls, which every peer makes, belong to one round. All peers may abandon it
  // together: then a collective throws RoundAbandoned at every peer, and the agreement holds the reason.
  virtual void open_round(RoundLimits limits);
  virtual void close_round();
  // This peer has no rows for the rest of the round, so the next collective that needs some abandons it.
  virtual void abandon_round(StopSignal reason) { abandoned_here_ = reason; }
  // By any thread, but one at a time, in long local work: whether the next collective will throw RoundAbandoned.
  virtual bool round_is_abandoned() { return false; }
  // Whether the clock of this peer may abandon the next collective.
  virtual bool clock_decides() const { return layout().rank == 0; }

  // Error where the sum over these clients would show what a peer does not show.
  virtual void require_hidden(std::span<const ClientId>) const {}

  // Ends the run for all: every other peer gets an Error that quotes the reason.
  virtual void abort(std::string_view reason) noexcept = 0;

  ExchangeId next_exchange() const { return next_; }  // the number of the next collective
  // Null where a peer restarts from its own files alone.
  virtual Checkpointing* checkpointing() { return nullptr; }
  Position position();
  void continue_at(const Position& position);  // of a checkpoint

 protected:
  virtual void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
                      std::span<double> total) = 0;
  virtual void add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total,
                               Integers meaning) = 0;
  virtual void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all,
                        const RowCheck& check) = 0;
  bool in_round() const { return in_round_; }
  StopSignal abandoned_here() const { return abandoned_here_; }  // none where this peer has not abandoned the round

 private:
  void leave_if_abandoned() const;

  ExchangeId next_ = 0;
  Summation summation_ = Summation::tree;
  bool in_round_ = false;
  StopSignal abandoned_here_ = StopSignal::none;
};

}  // namespace driftless
