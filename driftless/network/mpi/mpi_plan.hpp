// Which rank sends which nodes to which rank in one sum. Ranks host contiguous ranges of clients and merge their sums
// along a binomial tree of ranks. Every rank knows which clients the others host, so a plan needs no message.
#pragma once

#include "driftless/federation/tree_sum.hpp"

#include <optional>
#include <span>
#include <vector>

namespace driftless {

// Clients 0 … clients − 1 in contiguous ranges, one for each rank, whose sizes differ by at most one. With more ranks
// than clients the last ranks host none.
struct ClientRanges {
  std::size_t clients = 0;
  std::size_t ranks = 1;

  ClientId first(std::size_t rank) const;
  std::size_t size(std::size_t rank) const { return first(rank + 1) - first(rank); }
  // The clients of `count` ranks from `rank` on, modulo the number of ranks; ascending.
  std::vector<ClientId> hosted(std::size_t rank, std::size_t count = 1) const;
};

// What one rank does. The tree may have its root at any rank, so that the ranks divide the work on a long row among
// them. With a root other than 0 a rank may represent clients at both ends of the range.
struct MpiPlan {
  struct Child {
    std::size_t rank;
    std::size_t rows;  // nodes that it sends, possibly none
  };
  // A known node: row `row` of child `child`, or of this rank itself.
  struct Source {
    TreeRange clients;
    std::optional<std::size_t> child;
    std::size_t row;
  };
  // A node that is sent to the parent: the sum of the next `sources` known nodes.
  struct Fold {
    TreeRange clients;
    std::size_t sources;
  };

  std::optional<std::size_t> parent;  // none: the root, whose only fold is the total
  std::vector<Child> children;        // the nearest first
  std::vector<Source> sources;        // in the order of client ids
  std::vector<Fold> folds;

  std::size_t received_rows() const;
};

MpiPlan plan_sum(const ClientRanges& ranges, std::size_t rank, std::size_t root, std::span<const ClientId> from);

}  // namespace driftless
