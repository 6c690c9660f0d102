#include "driftless/bench/machine_speed.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/kernels/logistic.hpp"
#include "driftless/kernels/probe.hpp"
#include "driftless/kernels/simd.hpp"
#include "driftless/kernels/sliced_ell.hpp"

#include <atomic>
#include <unistd.h>

namespace driftless {
namespace {

std::atomic<double> sink = 0.0;  // what is computed must be used

std::size_t cache_bytes(int name, std::size_t usual) {
  const long bytes = sysconf(name);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : usual;
}

// Half of a private cache, so that nothing else pushes it out; of the shared one a part that all threads can have.
std::vector<MemoryLevel> levels_here(std::size_t threads) {
  const std::size_t l1 = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  const std::size_t l2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  const std::size_t l3 = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 16 << 20);
  return {{.name = "L1", .bytes = l1 / 2},
          {.name = "L2", .bytes = l2 / 2},
          {.name = "L3", .bytes = std::max(2 * l2, l3 / (4 * threads))},
          {.name = "memory", .bytes = std::max<std::size_t>(8 * l3 / threads, 128 << 20)}};
}

double reading_speed(std::size_t bytes, std::size_t threads, ThreadPool& pool, const Effort& effort) {
  std::vector<std::vector<double>> numbers(threads);
  for (auto& list : numbers) list.assign(bytes / sizeof(double), 1.0);
  const std::size_t again = std::max<std::size_t>(1, (std::size_t{4} << 20) / bytes);
  const double seconds = best_time(
      [&] {
        pool.for_each(threads, [&](std::size_t task, std::size_t) {
          double sum = 0.0;
          for (std::size_t k = 0; k < again; ++k) sum += probe_reading(numbers[task]);
          sink = sum;
        });
      },
      effort);
  return static_cast<double>(bytes * again * threads) / seconds;
}

double arithmetic_speed(std::size_t threads, ThreadPool& pool, const Effort& effort) {
  constexpr std::size_t steps = 200000;
  double result = 0.0;
  const std::size_t flops = probe_arithmetic(1, result) * steps;
  const double seconds = best_time(
      [&] {
        pool.for_each(threads, [&](std::size_t, std::size_t) {
          double sum = 0.0;
          probe_arithmetic(steps, sum);
          sink = sum;
        });
      },
      effort);
  return static_cast<double>(flops * threads) / seconds;
}

// Rows of sixteen entries in 250 columns: some kilobytes.
double entry_speed(const Effort& effort) {
  constexpr std::size_t rows = 128, length = 16, columns = 250, again = 200;
  CsrMatrix matrix;
  matrix.columns = columns;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t e = 0; e < length; ++e)
      matrix.column.push_back(static_cast<std::uint32_t>((r * 37 + e * 101) % columns));
    matrix.start.push_back(matrix.column.size());
  }
  const SlicedEll sliced(matrix, {});
  const std::vector<double> x(columns + 1, 0.0);
  std::vector<double> out(rows + 1, 0.0);
  const double seconds = best_time(
      [&] {
        for (std::size_t k = 0; k < again; ++k) sliced.add_product(x.data(), 1.0, out.data());
      },
      effort);
  return seconds / static_cast<double>(again * matrix.entries());
}

double row_speed(const Effort& effort) {
  constexpr std::size_t rows = 512, again = 50;
  const std::vector<double> predictions(rows, 0.5), labels(rows, 1.0);
  std::vector<double> slopes(rows);
  const double seconds = best_time(
      [&] {
        for (std::size_t k = 0; k < again; ++k) logistic_slopes(predictions, labels, 1.0, slopes);
      },
      effort);
  return seconds / static_cast<double>(again * rows);
}

}  // namespace

const MemoryLevel& MachineSpeed::level_of(std::size_t bytes_per_thread) const {
  for (const MemoryLevel& level : levels)
    if (bytes_per_thread <= 2 * level.bytes) return level;
  return levels.back();
}

MachineSpeed measure_machine(ThreadPool& pool, const Effort& effort) {
  MachineSpeed machine;
  machine.processor = cpu_name();
  machine.simd = simd_in_use();
  machine.threads = pool.size();
  machine.levels = levels_here(pool.size());
  for (MemoryLevel& level : machine.levels) {
    level.one = reading_speed(level.bytes, 1, pool, effort);
    level.all = reading_speed(level.bytes, pool.size(), pool, effort);
  }
  machine.flops_one = arithmetic_speed(1, pool, effort);
  machine.flops_all = arithmetic_speed(pool.size(), pool, effort);
  machine.entry_seconds = entry_speed(effort);
  machine.row_seconds = row_speed(effort);
  return machine;
}

}  // namespace driftless
