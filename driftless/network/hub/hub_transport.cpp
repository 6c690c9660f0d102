#include "driftless/network/hub/hub_transport.hpp"

namespace driftless {

HubTransport::HubTransport(Hub& hub) : hub_(hub) {
  layout_.clients = hub.clients();
  layout_.peers = hub.slots().size() + 1;
}

// The checkpoint of the server must belong to the totals in its journal.
void HubTransport::resume_at(const Position& position) {
  const std::optional<Position> here = hub_.position_before(position.next);
  const bool beyond = position.next > hub_.next_exchange();
  if (beyond || (here && here->history != position.history))
    throw DataError({.what = beyond ? "the journal lacks totals that the checkpoint of the server relies on"
                                    : "the journal does not belong to the checkpoint of the server",
                     .seen = "the checkpoint is at exchange " + std::to_string(position.next) +
                             ", the journal ends at " + std::to_string(hub_.next_exchange()),
                     .advice = "restore the journal and the results of one and the same run, or start a new run in "
                               "another folder"});
  agreement_ = {.signal = StopSignal::none, .absent = position.absent};
}

bool HubTransport::secure_past(bool) { return hub_.make_durable(next_exchange()) >= next_exchange(); }

History HubTransport::history() const {
  const std::optional<Position> here = hub_.position_before(next_exchange());
  return here ? here->history : History{};
}

void HubTransport::open_round(RoundLimits limits) {
  Transport::open_round(limits);
  hub_.open_round(std::move(limits));
}

void HubTransport::close_round() {
  Transport::close_round();
  hub_.close_round();
}

void HubTransport::abandon_round(StopSignal reason) {
  Transport::abandon_round(reason);
  hub_.abandon_round(reason);
}

bool HubTransport::round_is_abandoned() {
  if (hub_.site_abandons(next_exchange())) abandon_round(StopSignal::work_over_in_round);
  return abandoned_here() != StopSignal::none || hub_.is_abandoned(next_exchange());
}

void HubTransport::abort(std::string_view reason) noexcept {
  hub_.end(ErrorKind::run_failed,
           {.what = "the server ended the run", .seen = std::string(reason), .advice = "see the error of the server"});
}

void HubTransport::sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node>,
                          std::span<double> total) {
  agreement_ = hub_.sum(id, from, total);
}

// The server hosts no client and adds nothing.
void HubTransport::add_integers_as(ExchangeId id, std::span<const double>, std::span<double> total, Integers) {
  agreement_ = hub_.add_integers(id, total);
}

void HubTransport::share_as(ExchangeId id, std::size_t width, std::span<const double>, std::span<double> all,
                            const RowCheck& check) {
  agreement_ = hub_.share(id, width, all, check);
}

}  // namespace driftless
