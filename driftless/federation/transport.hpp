// Everything a network must do: sum rows over all peers in the order of the tree, with the same bits for all; show
// every peer everybody's rows, for methods without a server; and let all peers learn the same news after the same
// collective.
#pragma once

#include "driftless/federation/tree_sum.hpp"

#include <cstdint>
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

// What peers must agree on besides sums, as of the last collective that was completed.
struct News {
  std::uint32_t word = 0;        // what rank 0 said to all; 0 is nothing
  std::vector<ClientId> absent;  // clients that were given up, rising
};

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
  // the clients hosted here.
  void share(std::size_t width, std::span<const double> mine, std::span<double> all) {
    share_as(next_++, width, mine, all);
  }

  // The number of the next collective. A peer that starts again from its saved state continues at the one it saved.
  ExchangeId next_exchange() const { return next_; }
  virtual void continue_at(ExchangeId next) { next_ = next; }
  // Told that the collectives so far made the problem: a peer that starts again makes them all again.
  virtual void set_up() {}
  // Told once this peer can start again from here: whoever keeps the past for it need not keep more.
  virtual void saved() {}
  // Told that the run is interrupted here: what follows only ends this process, and a run that goes on does without.
  virtual void leaving() {}

  virtual const News& news() const = 0;
  virtual void say(std::uint32_t word) = 0;  // by rank 0; all others learn it with a collective to come

  // Every peer gets a TransportError with this reason.
  virtual void abort(std::string_view reason) noexcept = 0;

 protected:
  virtual void sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node> mine,
                      std::span<double> total) = 0;
  virtual void share_as(ExchangeId id, std::size_t width, std::span<const double> mine, std::span<double> all) = 0;

 private:
  ExchangeId next_ = 0;
};

}  // namespace driftless
