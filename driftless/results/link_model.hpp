// How long a run would have taken over a network, from the counts of its ledger. Between two measured rows there are E
// exchanges with M vectors, U bytes up and D down, in which c clients take part:
//
//   c        = M/(2E), at least 1, at most n        one vector per client each way; docs/links.md has the exceptions
//   u, d     = U/(E c), D/(E c)                     bytes of one client and exchange
//   client   = 2 latency + d/down + u/up
//   all      = 2 latency + max(d/down, c d/server) + max(u/up, c u/server)
//   exchange = max(F client, all)                   F: factor of a straggler, 1 where no client is slow
//   work     = compute · wall_s · min(T, c)/c       on T threads; of one client, where all compute at the same time
#pragma once

#include "driftless/core/link.hpp"
#include "driftless/optimize/trace.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace driftless {

// What the rows of a run do not contain.
struct Simulation {
  std::size_t clients = 1;
  std::size_t threads = 1;
  std::uint64_t seed = 0;  // of the method; it determines which client is slow when
};

// Seconds on this link from the start to every row.
std::vector<double> link_seconds(const Link& link, const Simulation& simulation, std::span<const TraceRow> rows);

// Sets link_s of every row.
void replay(std::span<const Link> links, const Simulation& simulation, std::span<TraceRow> rows);

}  // namespace driftless
