// Everything that `driftless bench` measures, in one go.
#pragma once

#include "driftless/bench/solve_speed.hpp"

#include <optional>

namespace driftless {

struct BenchOptions {
  std::vector<std::string> data;  // names or paths; none: what the figures of docs/performance.md need, as far as found
  std::size_t clients = 142;
  std::size_t threads = 0;  // 0 = one per core
  bool growth = false;      // passes over generated data of 10⁵ to 10⁸ nonzeros, and of 10 to 10 000 clients
  double largest = 1e8;     // nonzeros of the largest
  Effort effort;
  bool progress = false;
  StopToken stop_token = {};
};

struct BenchResult {
  MachineSpeed machine;
  std::vector<PassSpeed> passes;
  std::vector<SolveSpeed> solves;
  std::vector<RoundSpeed> rounds;
  std::vector<ExchangeSpeed> exchanges;
  std::vector<PassSpeed> growth;  // in data
  std::vector<PassSpeed> spread;  // in clients, at the same data
  bool interrupted = false;
};

// DataError if a set that was named is not found.
BenchResult run_bench(const BenchOptions& options);

std::string bench_text(const BenchResult& result);
std::string bench_json(const BenchResult& result);

}  // namespace driftless
