#include "driftless/network/mpi/mpi_transport.hpp"

#include "driftless/core/interruption.hpp"

#include <algorithm>
#include <numeric>

namespace driftless {
namespace {

constexpr auto stop_patience = std::chrono::milliseconds(500);
constexpr std::size_t longest_message = std::size_t{1} << 24;  // entries; MPI counts in int

template <class Row, class Act>
void for_each_message(Row row, const Act& act) {
  for (; row.size() > longest_message; row = row.subspan(longest_message)) act(row.first(longest_message));
  if (!row.empty()) act(row);
}

}  // namespace

MpiTransport::MpiTransport(MpiSession& mpi, std::size_t clients, StopToken stop_token)
    : mpi_(mpi),
      stop_token_(std::move(stop_token)),
      ranges_{.clients = clients, .ranks = mpi.ranks()},
      sum_(mpi, ranges_) {
  layout_ = {.clients = clients, .peers = mpi.ranks(), .rank = mpi.rank(), .hosted = ranges_.hosted(mpi.rank())};
}

// Only the thread of the collectives may call MPI, so the threads of clients ask the signal of their own rank. The
// others learn of the end when they wait for this rank. A round that is complete soon ends the run with a checkpoint.
void MpiTransport::throw_if_ended() {
  const auto failure = failure_of(stop_token_.signal());
  if (!failure) return;
  const auto now = std::chrono::steady_clock::now();
  if (!stop_seen_) stop_seen_ = now;
  if (now - *stop_seen_ >= stop_patience)
    throw Error(*failure, stopped_in_a_round("rank " + std::to_string(layout_.rank)));
}

void MpiTransport::sum_as(ExchangeId, std::span<const ClientId> from, std::span<const Node> mine,
                          std::span<double> total) {
  double signal = own_signal();
  sum_.add(from, mine, total, signal, in_round() ? MpiSum::SignalOf::any_rank : MpiSum::SignalOf::rank_0);
  agreement_.signal = static_cast<StopSignal>(signal);
}

// The nodes of this rank are where the plan of a sum expects numbers; the first one carries the whole row.
void MpiTransport::add_integers_as(ExchangeId, std::span<const double> mine, std::span<double> total, Integers) {
  everyone_.resize(layout_.clients);
  std::iota(everyone_.begin(), everyone_.end(), ClientId{0});
  zeros_.assign(total.size(), 0.0);
  std::vector<Node> nodes;
  for (const TreeRange& range : cover(layout_.clients, everyone_, layout_.hosted))
    nodes.push_back({range, nodes.empty() ? mine : std::span<const double>(zeros_)});
  double signal = own_signal();
  sum_.add(everyone_, nodes, total, signal, in_round() ? MpiSum::SignalOf::any_rank : MpiSum::SignalOf::rank_0,
           Addition::modular);
  agreement_.signal = static_cast<StopSignal>(signal);
}

// In each step a rank sends all blocks that it has to the rank at twice the distance of the step before, so that all
// ranks have all blocks after log₂ of the number of ranks steps.
void MpiTransport::share_as(ExchangeId, std::size_t width, std::span<const double> mine, std::span<double> all,
                            const RowCheck&) {
  std::ranges::copy(mine, all.subspan(ranges_.first(layout_.rank) * width).begin());
  double signal = own_signal();
  for (std::size_t step = 1; step < ranges_.ranks; step *= 2) exchange_blocks(step, width, all, signal);
  agreement_.signal = static_cast<StopSignal>(signal);
}

// This rank has the blocks of `have` ranks: its own and those before it, modulo the number of ranks.
void MpiTransport::exchange_blocks(std::size_t have, std::size_t width, std::span<double> all, double& signal) {
  const std::size_t ranks = ranges_.ranks, rank = layout_.rank;
  const std::size_t blocks = std::min(have, ranks - have);
  const std::size_t to = (rank + have) % ranks, from = (rank + ranks - have) % ranks;
  // The blocks of these ranks up to `last` are one contiguous range, or two where they wrap around.
  const auto for_each_range = [&](std::size_t last, const auto& act) {
    const auto range_of_blocks = [&](std::size_t begin, std::size_t end) {
      for_each_message(all.subspan(ranges_.first(begin) * width, (ranges_.first(end) - ranges_.first(begin)) * width),
                       act);
    };
    if (last + 1 >= blocks) return range_of_blocks(last + 1 - blocks, last + 1);
    range_of_blocks(0, last + 1);
    range_of_blocks(ranks + last + 1 - blocks, ranks);
  };
  const double signal_so_far = signal;
  double signal_from_there = 0.0;
  MpiRequests requests;
  mpi_.receive({&signal_from_there, 1}, from, MpiKind::signal, requests);
  for_each_range(from, [&](std::span<double> row) { mpi_.receive(row, from, MpiKind::part, requests); });
  mpi_.send({&signal_so_far, 1}, to, MpiKind::signal, requests);
  for_each_range(rank, [&](std::span<double> row) { mpi_.send(row, to, MpiKind::part, requests); });
  mpi_.wait(requests);
  signal = std::max(signal, signal_from_there);
}

}  // namespace driftless
