// How fast a CSV table is read: every column as numbers, or as text where TEXT names it.
//
//   bench_parse_csv FILE [REPEATS [TEXT...]]
//
// The file is read once before, so that the system has it in memory. The least time counts, so that what else runs on
// the machine disturbs little. Seconds of the processor are those of all threads together.
#include "driftless/data/tables/csv_reader.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <set>

namespace driftless {
namespace {

void measure(const std::filesystem::path& path, int repeats, const std::set<std::string>& text) {
  std::vector<ColumnRequest> requests;
  for (const std::string& name : read_csv_header(path, {}))
    requests.push_back({.name = name, .type = text.contains(name) ? CellType::text : CellType::number});
  double least = 1e300;
  double least_of_processor = 1e300;
  std::size_t rows = 0;
  for (int k = 0; k <= repeats; ++k) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t processor_start = std::clock();
    rows = read_csv(path, requests, {}).rows;
    const auto ticks = static_cast<double>(std::clock() - processor_start);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (k == 0) continue;
    least = std::min(least, seconds);
    least_of_processor = std::min(least_of_processor, ticks / CLOCKS_PER_SEC);
  }
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  const double cells = static_cast<double>(rows) * static_cast<double>(requests.size());
  fmt::print("{}: {:.4g} MB, {} rows of {} cells: {:.3f} s, {:.3f} GB/s, {:.3f} s of processor, {:.1f} ns per cell\n",
             path.string(), 1e-6 * bytes, rows, requests.size(), least, 1e-9 * bytes / least, least_of_processor,
             1e9 * least_of_processor / cells);
}

}  // namespace
}  // namespace driftless

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_parse_csv FILE [REPEATS [TEXT...]]\n");
    return 2;
  }
  driftless::measure(arguments[1], count > 2 ? std::stoi(arguments[2]) : 3,
                     {arguments + std::min(count, 3), arguments + count});
  return 0;
}
