// A hub with a server and sites that are threads of this process.
#pragma once

#include "driftless/network/hub/hub_transport.hpp"

#include "tests/network/contract/placement.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/transport_contract.hpp"

namespace driftless::test {

// What carries the messages between the hub and its sites is left to the classes below it.
class HubGroup : public TransportGroup {
 public:
  explicit HubGroup(Placement placement) : placement_(placement) {}

  void run(std::size_t clients, const Peer& peer) override;
  bool can_drop() const override { return placement_ == Placement::three_sites; }
  std::vector<ClientId> run_without_one(std::size_t clients, const Peer& peer) override;
  bool hears_in_local_work() const override { return true; }

 protected:
  // Called once for a run, before its sites.
  virtual void open(Hub& hub) = 0;
  // Runs one site until its peer has ended.
  virtual void run_site(Hub& hub, std::size_t site, const Peer& peer) = 0;
  virtual void close() = 0;

 private:
  void run_peers(Hub& hub, const std::function<Peer(std::size_t rank)>& peer_of);

  Placement placement_;
};

}  // namespace driftless::test
