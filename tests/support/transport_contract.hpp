// The contract of a transport, the same for all of them. A test program states how the peers of its transport are made
// and instantiates the suite with it:
//
//   INSTANTIATE_TEST_SUITE_P(Mine, TransportContract, testing::Values(GroupFactory{"ThreePeers", make_group}),
//   group_name);
//
// and TransportAbortContract likewise, in a program of its own where an aborted run ends the whole process, as with
// MPI.
#pragma once

#include "driftless/federation/transport.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace driftless::test {

// The peers of a federation, which only differ in their transports.
class TransportGroup {
 public:
  using Peer = std::function<void(Transport&)>;

  virtual ~TransportGroup() = default;
  // Runs the function once for each peer that lives in this process, all at the same time, each with a new transport
  // for so many clients; returns when all have ended. Under mpirun each process has one peer.
  virtual void run(std::size_t clients, const Peer& peer) = 0;

  // Transports that can lose a peer: the same, but one of them leaves at once and is dropped. Returns its clients.
  virtual bool can_drop() const { return false; }
  virtual std::vector<ClientId> run_without_one(std::size_t clients, const Peer& peer);

  // Whether a peer hears in its local work that the round is abandoned.
  virtual bool hears_in_local_work() const { return false; }

  // Whether there can be another run after one that was aborted.
  virtual bool survives_abort() const { return true; }
};

struct GroupFactory {
  std::string name;
  std::function<std::unique_ptr<TransportGroup>()> make;
};
std::string group_name(const testing::TestParamInfo<GroupFactory>& info);

class TransportContract : public testing::TestWithParam<GroupFactory> {};
class TransportAbortContract : public testing::TestWithParam<GroupFactory> {};

// Runs the function for each of several peers in a thread of its own.
void run_in_threads(std::size_t peers, const std::function<void(std::size_t rank)>& peer);

// Entries whose sizes differ so much that another order of additions would show; the same on every peer.
double contract_entry(ClientId id, std::size_t index);

// One sum over `from` of rows of such entries, as Federation makes it.
std::vector<double> contract_sum(Transport& transport, const std::vector<ClientId>& from, std::size_t width,
                                 double (*entry)(ClientId, std::size_t) = contract_entry);
// Compares with what one process gets, bit for bit; not-a-number equals not-a-number.
void expect_in_process_bits(std::size_t clients, const std::vector<ClientId>& from, std::span<const double> total,
                            double (*entry)(ClientId, std::size_t) = contract_entry);

std::vector<ClientId> all_clients(std::size_t clients);

}  // namespace driftless::test
