// The communication cost that a method declares; the ledger counts the actual one.
#pragma once

#include <cstdint>

namespace driftless {

// In vectors over all n clients; scalars and shared chance are free.
struct Traffic {
  std::uint64_t exchanges = 0;
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  bool at_least = false;  // the number of exchanges depends on the data; these are the fewest

  bool operator==(const Traffic&) const = default;
};

}  // namespace driftless
