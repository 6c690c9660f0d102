// What a checkpoint holds of a federation.
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/federation/federation.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace driftless {
namespace {

// What objectives keep between rounds.
template <class Slots>
void visit_memories(Slots& slots, StateVisitor& visit) {
  PerClient<Vector> memories(slots.size(), Vector());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) memories.hosted()[slot] = slots[slot].objective->memory();
  visit.per_client("memory", memories);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) slots[slot].objective->remember(memories.hosted()[slot]);
}

}  // namespace

void Federation::visit_state(StateVisitor& visit) {
  visit_ledger(visit);
  visit_position(visit);
  visit_clients(visit);
}

// Called before every round, so all counts are one list: visiting each under its name costs more than a pass over small
// data.
void Federation::visit_work(StateVisitor& visit) {
  visit_ledger(visit);
  constexpr std::size_t width = 3 + std::tuple_size_v<decltype(Tally::ends)>;
  PerClient<std::uint64_t> counts(slots_.size() * width, 0);
  std::uint64_t* at = counts.hosted().data();
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    *at++ = slots_[slot].batches.cursor();
    *at++ = tallies_[slot].steps;
    *at++ = tallies_[slot].gradients;
    at = std::ranges::copy(tallies_[slot].ends, at).out;
  }
  visit.per_client("counts", counts);
  at = counts.hosted().data();
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    slots_[slot].batches.restore(*at++);
    tallies_[slot].steps = *at++;
    tallies_[slot].gradients = *at++;
    for (std::uint64_t& end : tallies_[slot].ends) end = *at++;
  }
  visit_memories(slots_, visit);
}

void Federation::visit_ledger(StateVisitor& visit) {
  visit.count("rounds", ledger_.rounds);
  visit.count("exchanges", ledger_.exchanges);
  visit.count("vectors_up", ledger_.vectors_up);
  visit.count("vectors_down", ledger_.vectors_down);
  visit.count("bytes_up", ledger_.bytes_up);
  visit.count("bytes_down", ledger_.bytes_down);
  visit.count("scalars_up", ledger_.scalars_up);
  visit.count("scalars_down", ledger_.scalars_down);
}

void Federation::visit_position(StateVisitor& visit) {
  Position position = transport_.position();
  visit.count("next_exchange", position.next);
  visit.count("history_high", position.history.high);
  visit.count("history_low", position.history.low);
  Vector absent(static_cast<Index>(position.absent.size()));
  for (std::size_t k = 0; k < position.absent.size(); ++k)
    absent[static_cast<Index>(k)] = static_cast<double>(position.absent[k]);
  visit.vector("absent", absent);
  position.absent.clear();
  for (const double id : absent) {
    if (!(id >= 0.0 && id < static_cast<double>(clients()) && id == std::floor(id)))
      throw DataError({.what = "the checkpoint names a client that does not exist",
                       .seen = "client " + number(id) + " of " + std::to_string(clients()),
                       .advice = "restore the checkpoint from a copy, or start a new run"});
    position.absent.push_back(static_cast<ClientId>(id));
  }
  transport_.continue_at(position);
}

void Federation::visit_clients(StateVisitor& visit) {
  // Shows one number of every client hosted here, which it(slot) refers to.
  const auto visit_counts = [&](const std::string& name, const auto& it) {
    PerClient<std::uint64_t> values(slots_.size(), 0);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) values.hosted()[slot] = it(slot);
    visit.per_client(name, values);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) it(slot) = values.hosted()[slot];
  };
  visit_counts("steps", [&](std::size_t slot) -> std::uint64_t& { return tallies_[slot].steps; });
  visit_counts("gradients", [&](std::size_t slot) -> std::uint64_t& { return tallies_[slot].gradients; });
  for (std::size_t end = 0; end < EnumNames<SolveEnd>::value.size(); ++end)
    visit_counts("ends_" + std::string(EnumNames<SolveEnd>::value[end]),
                 [&](std::size_t slot) -> std::uint64_t& { return tallies_[slot].ends[end]; });

  PerClient<std::uint64_t> cursors(slots_.size(), 0);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) cursors.hosted()[slot] = slots_[slot].batches.cursor();
  visit.per_client("batch_cursor", cursors);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) slots_[slot].batches.restore(cursors.hosted()[slot]);
  visit_memories(slots_, visit);
}

}  // namespace driftless
