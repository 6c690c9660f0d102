// What an exchange over MPI ranks costs, beside MPI's own reduction, whose order of additions MPI leaves open.
//
//   mpirun -n 4 bench_mpi_exchange [CLIENTS]
//
// Rows of d entries, one per rank, or nodes of so many clients where CLIENTS is given. Both sums take turns; the least
// time on rank 0 counts, so that what else runs on the machine disturbs little.
#include "driftless/network/mpi/mpi_transport.hpp"

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

void compare(MpiTransport& transport, std::size_t d) {
  std::vector<ClientId> everyone(transport.layout().clients);
  std::iota(everyone.begin(), everyone.end(), ClientId{0});
  const std::vector<TreeRange> ranges = cover(everyone.size(), everyone, transport.layout().hosted);
  std::vector<std::vector<double>> rows(ranges.size(), std::vector<double>(d, 1.0));
  std::vector<Node> mine;
  for (std::size_t k = 0; k < ranges.size(); ++k) mine.push_back({ranges[k], rows[k]});
  const std::vector<double> row(d, 1.0);
  std::vector<double> total(d);
  double ours = 1e300, theirs = 1e300;
  const std::size_t repeats = std::clamp<std::size_t>(100'000'000 / d, 15, 500);
  for (std::size_t k = 0; k < repeats; ++k) {
    ours = std::min(ours, seconds([&] { transport.sum(everyone, mine, total); }));
    theirs =
        std::min(theirs, seconds([&] {
                   MPI_Allreduce(row.data(), total.data(), static_cast<int>(d), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                 }));
  }
  if (transport.layout().rank == 0)
    fmt::print("| {} | {} | {} | {:.4g} | {:.4g} | {:.2f} |\n", transport.layout().peers, everyone.size(), d,
               1e3 * ours, 1e3 * theirs, ours / theirs);
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
