// How long a run would have taken over a network, from what its ledger counted. Between two measured rows there are E
// exchanges with M vectors, U bytes up and D down, in which c clients take part:
//
//   c        = M/(2E), at least 1, at most n        one vector each way and client; docs/links.md tells where it is not
//   u, d     = U/(E c), D/(E c)                     bytes of one client and exchange
//   client   = 2 latency + d/down + u/up
//   all      = 2 latency + max(d/down, c d/server) + max(u/up, c u/server)
//   exchange = max(F client, all)                   F: factor of a straggler, 1 where nobody is slow
//   work     = compute · wall_s · min(T, c)/c       on T threads; of one client, when all work at the same time
#pragma once

#include "driftless/optimize/trace.hpp"
#include "driftless/results/link.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace driftless {

// What the rows of a run do not say about it.
struct Simulation {
  std::size_t clients = 1;
  std::size_t threads = 1;
  std::uint64_t seed = 0;  // of the method; who is slow and when follows from it
};

// Seconds on this link from the start to every row.
std::vector<double> link_seconds(const Link& link, const Simulation& simulation, std::span<const TraceRow> rows);

// Gives every row its link_s.
void replay(std::span<const Link> links, const Simulation& simulation, std::span<TraceRow> rows);

}  // namespace driftless
