// The transport contract for one process, and for a toy transport of threads and queues.
#include "tests/support/transport_contract.hpp"

#include "driftless/federation/in_process_transport.hpp"

#include "tests/federation/queue_transport.hpp"

namespace driftless::test {
namespace {

class InProcessGroup final : public TransportGroup {
 public:
  void run(std::size_t clients, const Peer& peer) override {
    InProcessTransport transport(clients);
    peer(transport);
  }
};

class QueueGroup final : public TransportGroup {
 public:
  explicit QueueGroup(std::size_t peers) : peers_(peers) {}

  void run(std::size_t clients, const Peer& peer) override {
    QueueNetwork network(peers_);
    run_in_threads(peers_, [&](std::size_t rank) {
      QueueTransport transport(network, clients, rank);
      peer(transport);
    });
  }

 private:
  std::size_t peers_;
};

const auto groups = testing::Values(GroupFactory{"InProcess", [] { return std::make_unique<InProcessGroup>(); }},
                                    GroupFactory{"TwoQueues", [] { return std::make_unique<QueueGroup>(2); }},
                                    GroupFactory{"FiveQueues", [] { return std::make_unique<QueueGroup>(5); }});

INSTANTIATE_TEST_SUITE_P(Threads, TransportContract, groups, group_name);
INSTANTIATE_TEST_SUITE_P(Threads, TransportAbortContract, groups, group_name);

}  // namespace
}  // namespace driftless::test
