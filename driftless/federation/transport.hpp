// Everything a network must do: sum rows over all peers in the order of the tree, with the same bits for all; and, for
// methods without a server, show every peer everybody's rows.
#pragma once

#include "driftless/federation/tree_sum.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace driftless {

struct Layout {
  std::size_t clients = 0;  // n, over all peers
  std::size_t peers = 1;
  std::size_t rank = 0;          // this peer
  std::vector<ClientId> hosted;  // the clients hosted here, rising
};

using ExchangeId = std::uint64_t;  // counts all collectives, so that a repeat is recognised

class Transport {
 public:
  virtual ~Transport() = default;
  virtual const Layout& layout() const = 0;
  // Collective: total ← sum of everybody's nodes.
  virtual void sum(ExchangeId id, std::span<const Node> mine, std::span<double> total) = 0;
  // Collective: all ← everybody's rows in the order of client ids; `mine` are those of the clients hosted here.
  virtual void share(ExchangeId id, std::span<const double> mine, std::span<double> all) = 0;
  // Every peer gets a TransportError with this reason.
  virtual void abort(std::string_view reason) noexcept = 0;
};

}  // namespace driftless
