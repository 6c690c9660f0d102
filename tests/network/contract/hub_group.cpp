#include "tests/network/contract/hub_group.hpp"

namespace driftless::test {

void HubGroup::run_peers(Hub& hub, const std::function<Peer(std::size_t rank)>& peer_of) {
  open(hub);
  run_in_threads(hub.slots().size() + 1, [&](std::size_t rank) {
    if (rank > 0) return run_site(hub, rank - 1, peer_of(rank));
    HubTransport transport(hub);
    peer_of(rank)(transport);
  });
  close();
}

void HubGroup::run(std::size_t clients, const Peer& peer) {
  const TempFolder folder;
  Journal journal(folder.path(), {});
  Hub hub(clients, placed(clients, placement_), journal, {});
  run_peers(hub, [&](std::size_t) { return peer; });
}

std::vector<ClientId> HubGroup::run_without_one(std::size_t clients, const Peer& peer) {
  const TempFolder folder;
  Journal journal(folder.path(), {});
  Hub hub(clients, placed(clients, placement_), journal, {.on_loss = OnLoss::drop});
  const std::size_t last = hub.slots().size();
  const Peer leaving = [](Transport& transport) { transport.abort("it leaves"); };
  run_peers(hub, [&](std::size_t rank) { return rank == last ? leaving : peer; });
  return hub.slots().back().hosted;
}

}  // namespace driftless::test
