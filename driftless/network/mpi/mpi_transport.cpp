#include "driftless/network/mpi/mpi_transport.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr std::size_t longest_message = std::size_t{1} << 24;  // entries; MPI counts in int

template <class Row, class Act>
void for_each_message(Row row, const Act& act) {
  for (; row.size() > longest_message; row = row.subspan(longest_message)) act(row.first(longest_message));
  if (!row.empty()) act(row);
}

}  // namespace

MpiTransport::MpiTransport(MpiSession& mpi, std::size_t clients)
    : mpi_(mpi), shares_{.clients = clients, .ranks = mpi.ranks()}, sum_(mpi, shares_) {
  layout_ = {.clients = clients, .peers = mpi.ranks(), .rank = mpi.rank(), .hosted = shares_.hosted(mpi.rank())};
}

void MpiTransport::sum_as(ExchangeId, std::span<const ClientId> from, std::span<const Node> mine,
                          std::span<double> total) {
  double signal = signal_;
  sum_.add(from, mine, total, signal);
  agreement_.signal = static_cast<StopSignal>(signal);
}

// In each step a rank passes on what it has to the rank twice as far away, so that all have everything after log₂ of
// the number of ranks.
void MpiTransport::share_as(ExchangeId, std::size_t width, std::span<const double> mine, std::span<double> all,
                            const RowCheck&) {
  std::ranges::copy(mine, all.subspan(shares_.first(layout_.rank) * width).begin());
  double signal = signal_;  // zero at the other ranks
  for (std::size_t step = 1; step < shares_.ranks; step *= 2) exchange_blocks(step, width, all, signal);
  agreement_.signal = static_cast<StopSignal>(signal);
}

// This rank has the blocks of `have` ranks, its own and those before it round the circle.
void MpiTransport::exchange_blocks(std::size_t have, std::size_t width, std::span<double> all, double& signal) {
  const std::size_t ranks = shares_.ranks, rank = layout_.rank;
  const std::size_t blocks = std::min(have, ranks - have);
  const std::size_t to = (rank + have) % ranks, from = (rank + ranks - have) % ranks;
  // The blocks of so many ranks up to `last` are one stretch, or two where they go round the end.
  const auto for_each_stretch = [&](std::size_t last, const auto& act) {
    const auto stretch = [&](std::size_t begin, std::size_t end) {
      for_each_message(all.subspan(shares_.first(begin) * width, (shares_.first(end) - shares_.first(begin)) * width),
                       act);
    };
    if (last + 1 >= blocks) return stretch(last + 1 - blocks, last + 1);
    stretch(0, last + 1);
    stretch(ranks + last + 1 - blocks, ranks);
  };
  const double signal_so_far = signal;
  double signal_from_there = 0.0;
  MpiRequests requests;
  mpi_.receive({&signal_from_there, 1}, from, MpiKind::signal, requests);
  for_each_stretch(from, [&](std::span<double> row) { mpi_.receive(row, from, MpiKind::part, requests); });
  mpi_.send({&signal_so_far, 1}, to, MpiKind::signal, requests);
  for_each_stretch(rank, [&](std::span<double> row) { mpi_.send(row, to, MpiKind::part, requests); });
  mpi_.wait(requests);
  signal = std::max(signal, signal_from_there);
}

}  // namespace driftless
