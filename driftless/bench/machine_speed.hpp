// What this machine reaches at best: reading from each level of its memory, arithmetic, and the two small loops of
// which passes over sparse data consist. From these follows the least time that a pass could take.
#pragma once

#include "driftless/bench/best_time.hpp"
#include "driftless/federation/thread_pool.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

struct MemoryLevel {
  std::string name;       // L1, L2, L3, memory
  std::size_t bytes = 0;  // that one thread read over and over
  double one = 0.0;       // bytes per second, one thread
  double all = 0.0;       // all threads, each with its own bytes
};

struct MachineSpeed {
  std::string processor;
  std::string simd;
  std::size_t threads = 1;
  std::vector<MemoryLevel> levels;  // the nearest first
  double flops_one = 0.0;           // per second
  double flops_all = 0.0;
  double entry_seconds = 0.0;  // one entry of a list added up, everything in the first cache, one thread
  double row_seconds = 0.0;    // one row's slope of the logistic loss, likewise

  // The level that holds so many bytes of each thread.
  const MemoryLevel& level_of(std::size_t bytes_per_thread) const;
};

MachineSpeed measure_machine(ThreadPool& pool, const Effort& effort);

}  // namespace driftless
