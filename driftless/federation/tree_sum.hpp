// One fixed binary tree over client ids 0 … n − 1 in which every sum is formed. The order of additions depends on n and
// on the clients that take part, never on threads, processes or arrival, so every layout gives the same bits. An absent
// client adds nothing, not a zero.
#pragma once

#include "driftless/federation/client.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace driftless {

struct TreeRange {
  ClientId first = 0;
  ClientId last = 0;  // one past the end

  std::size_t size() const { return last - first; }
  bool operator==(const TreeRange&) const = default;
};

// The two children: the left one is the largest power of two below the size.
std::pair<TreeRange, TreeRange> halves(TreeRange range);

// How the numbers of two rows are added: as real numbers; or modulo 2^64, where every number carries an integer in its
// bits. Sums of integers are the same in any order.
enum class Addition { real, modular };

// A node of the tree whose sum is known.
struct Node {
  TreeRange clients;
  std::span<const double> sum;
};

// Rows that clients write. Eigen groups the terms of a scalar product by the alignment of its vectors, so every row
// begins at the same alignment.
using Rows = std::vector<double, Eigen::aligned_allocator<double>>;
constexpr std::size_t row_stride(std::size_t width) {
  constexpr std::size_t entries = 8;  // a multiple of every vector register
  return (width + entries - 1) / entries * entries;
}

// The fewest nodes that together hold exactly the members of `from` that are hosted here. Both lists are sorted.
std::vector<TreeRange> cover(std::size_t clients, std::span<const ClientId> from, std::span<const ClientId> hosted);

// Splits each range into nodes of at most `grain` members of `from`; nodes without a member are omitted.
std::vector<TreeRange> subdivide(std::span<const TreeRange> ranges, std::span<const ClientId> from, std::size_t grain);

// sum ← sum + row, number by number.
void add_row(std::span<const double> row, std::span<double> sum, Addition addition);

// Adds rows and nodes along the tree. Keeps its scratch rows, one per level.
class TreeAdder {
 public:
  using Leaf = std::function<void(ClientId, std::span<double>)>;  // writes the row of one client

  // out ← sum over the members of `from` inside `range`, whose rows `leaf` writes. False, and out unchanged, if there
  // are none.
  bool add_rows(TreeRange range, std::span<const ClientId> from, const Leaf& leaf, std::span<double> out);

  // out ← sum of the given nodes (sorted, disjoint, inside `range`). A single node may be in out already.
  bool add_nodes(TreeRange range, std::span<const Node> nodes, std::span<double> out,
                 Addition addition = Addition::real);

 private:
  template <class Item, class First, class Write>
  bool add(TreeRange range, std::span<const Item> items, const First& first, const Write& write, std::span<double> out,
           std::size_t level, Addition addition = Addition::real);
  std::span<double> scratch(std::size_t level, std::size_t width);

  std::vector<Rows> levels_;
};

}  // namespace driftless
