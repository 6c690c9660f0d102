#include "driftless/federation/transport.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/work_guard.hpp"

#include <algorithm>

namespace driftless {

void Transport::open_round(RoundLimits) {
  in_round_ = true;
  abandoned_here_ = StopSignal::none;
}

void Transport::close_round() {
  in_round_ = false;
  abandoned_here_ = StopSignal::none;
}

void Transport::leave_if_abandoned() const {
  if (!abandons_round(agreement().signal)) return;
  if (in_round_) throw RoundAbandoned();
  throw TransportError({.what = "a collective was abandoned that belongs to no round",
                        .seen = "collective " + std::to_string(next_ - 1),
                        .advice = "use the same program at all peers"});
}

void Transport::share(std::size_t width, std::span<const double> mine, std::span<double> all, const RowCheck& check) {
  share_as(next_++, width, mine, all, check);
  leave_if_abandoned();
  // No peer answers for the rows of absent clients: a server could put values there that no check has seen.
  for (const ClientId id : agreement().absent)
    if (id < layout().clients) std::ranges::fill(all.subspan(id * width, width), 0.0);
  if (!check) return;
  for (ClientId id = 0; id < layout().clients; ++id) {
    if (std::ranges::binary_search(agreement().absent, id)) continue;
    if (const auto fault = check(all.subspan(id * width, width)))
      throw TransportError({.what = "a peer shared invalid numbers",
                            .seen = "client " + std::to_string(id) + ": " + *fault,
                            .advice = "find out who hosts this client, and use the same program at all peers"});
  }
}

Position Transport::position() {
  const Checkpointing* checkpoints = checkpointing();
  return {.next = next_,
          .history = checkpoints != nullptr ? checkpoints->history() : History{},
          .absent = agreement().absent};
}

void Transport::continue_at(const Position& position) {
  if (position.next == next_) return;
  if (Checkpointing* checkpoints = checkpointing()) checkpoints->resume_at(position);
  next_ = position.next;
}

}  // namespace driftless
