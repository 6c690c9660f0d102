// What a part of a method costs, as it states beforehand; the ledger has what it came to.
#pragma once

#include <cstdint>

namespace driftless {

// In vectors over all n clients; scalars and shared chance are free.
struct Traffic {
  std::uint64_t exchanges = 0;
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  bool at_least = false;  // the data decide how many exchanges; these are the fewest

  bool operator==(const Traffic&) const = default;
};

}  // namespace driftless
