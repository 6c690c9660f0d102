// What an exchange over MPI ranks costs, beside MPI's own reduction, whose order of additions MPI leaves open.
//
//   mpirun -n 4 bench_mpi_exchange [CLIENTS]
//
// Rows of d entries, one per rank, or nodes of so many clients where CLIENTS is given. Both sums take turns; the median
// of their times on rank 0 counts.
#include "driftless/transports/mpi_transport.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <mpi.h>
#include <numeric>

namespace driftless {
namespace {

double seconds(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

void compare(MpiTransport& transport, std::size_t d) {
  std::vector<ClientId> everyone(transport.layout().clients);
  std::iota(everyone.begin(), everyone.end(), ClientId{0});
  const std::vector<TreeRange> ranges = cover(everyone.size(), everyone, transport.layout().hosted);
  std::vector<std::vector<double>> rows(ranges.size(), std::vector<double>(d, 1.0));
  std::vector<Node> mine;
  for (std::size_t k = 0; k < ranges.size(); ++k) mine.push_back({ranges[k], rows[k]});
  const std::vector<double> row(d, 1.0);
  std::vector<double> total(d);
  std::vector<double> ours, theirs;
  const std::size_t repeats = std::clamp<std::size_t>(20'000'000 / d, 9, 2001);
  for (std::size_t k = 0; k < repeats; ++k) {
    ours.push_back(seconds([&] { transport.sum(everyone, mine, total); }));
    theirs.push_back(seconds([&] {
      MPI_Allreduce(row.data(), total.data(), static_cast<int>(d), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }));
  }
  if (transport.layout().rank == 0)
    fmt::print("| {} | {} | {} | {:.4g} | {:.4g} | {:.2f} |\n", transport.layout().peers, everyone.size(), d,
               1e3 * median(ours), 1e3 * median(theirs), median(ours) / median(theirs));
}

}  // namespace
}  // namespace driftless

int main(int count, char** arguments) {
  driftless::MpiSession mpi;
  driftless::MpiTransport transport(mpi, count > 1 ? std::stoul(arguments[1]) : mpi.ranks());
  if (mpi.rank() == 0)
    fmt::print("| ranks | clients | d | sum, ms | MPI_Allreduce, ms | ratio |\n|---|---|---|---|---|---|\n");
  for (const std::size_t d : {1'000U, 100'000U, 1'000'000U, 10'000'000U}) driftless::compare(transport, d);
  return 0;
}
