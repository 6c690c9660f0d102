#include "driftless/network/mpi/mpi_plan.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {

ClientId ClientRanges::first(std::size_t rank) const {
  return rank * (clients / ranks) + std::min(rank, clients % ranks);
}

std::vector<ClientId> ClientRanges::hosted(std::size_t rank, std::size_t count) const {
  std::vector<ClientId> ids;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (ClientId id = first(begin); id < first(end); ++id) ids.push_back(id);
  };
  if (rank + count > ranks) add(0, rank + count - ranks);
  add(rank, std::min(rank + count, ranks));
  return ids;
}

std::size_t MpiPlan::received_rows() const {
  return std::accumulate(children.begin(), children.end(), std::size_t{0},
                         [](std::size_t sum, const Child& child) { return sum + child.rows; });
}

MpiPlan plan_sum(const ClientRanges& ranges, std::size_t rank, std::size_t root, std::span<const ClientId> from) {
  const std::size_t n = ranges.clients, ranks = ranges.ranks;
  const std::size_t position = (rank + ranks - root) % ranks;  // counted from the root
  const auto rank_at = [&](std::size_t p) { return (p + root) % ranks; };
  MpiPlan plan;
  const auto add_sources = [&](const std::vector<TreeRange>& nodes, std::optional<std::size_t> child) {
    for (std::size_t row = 0; row < nodes.size(); ++row) plan.sources.push_back({nodes[row], child, row});
  };
  add_sources(cover(n, from, ranges.hosted(rank)), std::nullopt);

  // Position p represents itself and those after it, as many as its lowest bit; each step adds the next `bit` of them.
  std::size_t reach = 1;
  for (std::size_t bit = 1; bit < ranks && !plan.parent; bit *= 2) {
    if ((position & bit) != 0) plan.parent = rank_at(position - bit);
    else if (position + bit < ranks) {
      const std::size_t below = std::min(bit, ranks - position - bit);
      const std::vector<TreeRange> nodes = cover(n, from, ranges.hosted(rank_at(position + bit), below));
      add_sources(nodes, plan.children.size());
      plan.children.push_back({rank_at(position + bit), nodes.size()});
      reach += below;
    }
  }
  std::ranges::sort(plan.sources, {}, [](const MpiPlan::Source& s) { return s.clients.first; });

  std::size_t used = 0;
  for (const TreeRange range : cover(n, from, ranges.hosted(rank, reach))) {
    const std::size_t begin = used;
    while (used < plan.sources.size() && plan.sources[used].clients.last <= range.last) ++used;
    plan.folds.push_back({range, used - begin});
  }
  DRIFTLESS_ASSERT(used == plan.sources.size(), "a node of a sum belongs to no fold");
  return plan;
}

}  // namespace driftless
