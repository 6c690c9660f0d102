#include "driftless/federation/tree_sum.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace driftless {
namespace {

std::span<const ClientId> inside(TreeRange range, std::span<const ClientId> ids) {
  const auto first = std::lower_bound(ids.begin(), ids.end(), range.first);
  const auto last = std::lower_bound(first, ids.end(), range.last);
  return {first, last};
}

void cover_range(TreeRange range, std::span<const ClientId> from, std::span<const ClientId> hosted,
                 std::vector<TreeRange>& nodes) {
  from = inside(range, from);
  hosted = inside(range, hosted);
  if (from.empty() || hosted.empty()) return;
  if (std::includes(hosted.begin(), hosted.end(), from.begin(), from.end())) {
    nodes.push_back(range);
    return;
  }
  if (range.size() == 1) return;
  const auto [left, right] = halves(range);
  cover_range(left, from, hosted, nodes);
  cover_range(right, from, hosted, nodes);
}

void subdivide_range(TreeRange range, std::span<const ClientId> from, std::size_t grain,
                     std::vector<TreeRange>& nodes) {
  from = inside(range, from);
  if (from.empty()) return;
  if (from.size() <= grain || range.size() == 1) {
    nodes.push_back(range);
    return;
  }
  const auto [left, right] = halves(range);
  subdivide_range(left, from, grain, nodes);
  subdivide_range(right, from, grain, nodes);
}

}  // namespace

std::pair<TreeRange, TreeRange> halves(TreeRange range) {
  DRIFTLESS_ASSERT(range.size() >= 2, "a leaf of the tree has no halves");
  const ClientId middle = range.first + std::bit_floor(range.size() - 1);
  return {{range.first, middle}, {middle, range.last}};
}

std::vector<TreeRange> cover(std::size_t clients, std::span<const ClientId> from, std::span<const ClientId> hosted) {
  std::vector<TreeRange> nodes;
  cover_range({0, clients}, from, hosted, nodes);
  return nodes;
}

std::vector<TreeRange> subdivide(std::span<const TreeRange> ranges, std::span<const ClientId> from, std::size_t grain) {
  std::vector<TreeRange> nodes;
  for (const TreeRange range : ranges) subdivide_range(range, from, grain, nodes);
  return nodes;
}

void add_row(std::span<const double> row, std::span<double> sum, Addition addition) {
  if (addition == Addition::real) {
    const auto size = static_cast<Index>(sum.size());
    Eigen::Map<Vector>(sum.data(), size) += Eigen::Map<const Vector>(row.data(), size);
    return;
  }
  for (std::size_t k = 0; k < sum.size(); ++k)
    sum[k] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum[k]) + std::bit_cast<std::uint64_t>(row[k]));
}

std::span<double> TreeAdder::scratch(std::size_t level, std::size_t width) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  if (levels_[level].size() < width) levels_[level].resize(width);
  return std::span(levels_[level]).first(width);
}

// A single item is the sum of every node above it up to the next addition, since absent clients add nothing.
template <class Item, class First, class Write>
bool TreeAdder::add(TreeRange range, std::span<const Item> items, const First& first, const Write& write,
                    std::span<double> out, std::size_t level, Addition addition) {
  if (items.empty()) return false;
  if (items.size() == 1) {
    write(items.front(), out);
    return true;
  }
  const auto [left, right] = halves(range);
  const auto split =
      std::partition_point(items.begin(), items.end(), [&](const Item& i) { return first(i) < right.first; });
  const std::span<const Item> left_items(items.begin(), split);
  const std::span<const Item> right_items(split, items.end());
  if (left_items.empty()) return add(right, right_items, first, write, out, level, addition);
  add(left, left_items, first, write, out, level, addition);
  if (right_items.empty()) return true;
  if constexpr (std::is_same_v<Item, Node>)
    if (right_items.size() == 1) {  // no copy is needed
      add_row(right_items.front().sum, out, addition);
      return true;
    }
  // Deeper levels may grow the list of scratch rows, but the memory of a row does not move.
  const std::span<double> right_sum = scratch(level, out.size());
  add(right, right_items, first, write, right_sum, level + 1, addition);
  add_row(right_sum, out, addition);
  return true;
}

bool TreeAdder::add_rows(TreeRange range, std::span<const ClientId> from, const Leaf& leaf, std::span<double> out) {
  return add(
      range, inside(range, from), [](ClientId id) { return id; },
      [&](ClientId id, std::span<double> row) { leaf(id, row); }, out, 0);
}

bool TreeAdder::add_nodes(TreeRange range, std::span<const Node> nodes, std::span<double> out, Addition addition) {
  return add(
      range, nodes, [](const Node& node) { return node.clients.first; },
      [](const Node& node, std::span<double> row) {
        if (node.sum.data() != row.data()) std::copy(node.sum.begin(), node.sum.end(), row.begin());
      },
      out, 0, addition);
}

}  // namespace driftless
