// Who sends what to whom in one sum over MPI ranks. Ranks host contiguous shares of the clients and merge them along a
// binomial tree of ranks; since everyone knows who hosts whom, a plan needs no message.
#pragma once

#include "driftless/federation/tree_sum.hpp"

#include <optional>
#include <span>
#include <vector>

namespace driftless {

// Clients 0 … clients − 1 in contiguous shares whose sizes differ by at most one; with more ranks than clients the last
// ranks host none.
struct Shares {
  std::size_t clients = 0;
  std::size_t ranks = 1;

  ClientId first(std::size_t rank) const;
  std::size_t size(std::size_t rank) const { return first(rank + 1) - first(rank); }
  // The clients of `count` ranks from `rank` on, round the circle; rising.
  std::vector<ClientId> hosted(std::size_t rank, std::size_t count = 1) const;
};

// What one rank does. The tree may have its root at any rank, so that ranks can share the work on a long row: below a
// root other than 0 a rank may stand for clients at both ends.
struct MpiPlan {
  struct Child {
    std::size_t rank;
    std::size_t rows;  // nodes that it sends; maybe none
  };
  // A known node: row `row` of child `child`, or of this rank itself.
  struct Source {
    TreeRange clients;
    std::optional<std::size_t> child;
    std::size_t row;
  };
  // A node that goes up: the sum of the next `sources` of them.
  struct Fold {
    TreeRange clients;
    std::size_t sources;
  };

  std::optional<std::size_t> parent;  // none: the root, whose only fold is the total
  std::vector<Child> children;        // near ones first
  std::vector<Source> sources;        // in the order of client ids
  std::vector<Fold> folds;

  std::size_t received_rows() const;
};

MpiPlan plan_sum(const Shares& shares, std::size_t rank, std::size_t root, std::span<const ClientId> from);

}  // namespace driftless
