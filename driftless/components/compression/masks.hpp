// Which coordinates each client of a cohort sends: every coordinate is owned by exactly s of the c clients, and every
// client owns s d/c coordinates, up to one. Coordinate k belongs to the positions sk, sk + 1, …, sk + s − 1 (mod c) of
// a cycle, and the clients occupy its positions in random order, so the owners of a coordinate are a uniform draw of s
// out of c.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/federation/cohort.hpp"

#include <algorithm>
#include <vector>

namespace driftless {

class CoordinateMasks {
 public:
  // `positions` are 0 … c − 1 in random order; 1 ≤ s ≤ c.
  CoordinateMasks(const Cohort& cohort, std::vector<std::size_t> positions, std::size_t s)
      : cohort_(cohort), positions_(std::move(positions)), s_(s) {
    DRIFTLESS_ASSERT(positions_.size() == cohort_.size(), "masks need one position for each client of the cohort");
    DRIFTLESS_ASSERT(1 <= s && s <= cohort_.size(), "a coordinate needs between one owner and the whole cohort");
  }

  bool owns(ClientId client, Index coordinate) const {
    const std::size_t c = positions_.size();
    const std::size_t first = s_ * (static_cast<std::size_t>(coordinate) % c) % c;
    return (position_of(client) + c - first) % c < s_;
  }
  // v where the client owns the coordinate, else 0
  void keep_owned(ClientId client, VecOut v) const {
    for (Index k = 0; k < v.size(); ++k)
      if (!owns(client, k)) v[k] = 0.0;
  }
  std::uint64_t bytes(Index dim) const { return sizeof(double) * s_ * static_cast<std::uint64_t>(dim); }  // of all rows

 private:
  std::size_t position_of(ClientId client) const {
    const auto ids = cohort_.ids();
    return positions_[static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), client) - ids.begin())];
  }

  const Cohort& cohort_;
  std::vector<std::size_t> positions_;
  std::size_t s_;
};

}  // namespace driftless
