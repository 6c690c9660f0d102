#include "tests/support/transport_contract.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/random.hpp"
#include "driftless/core/work_guard.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace driftless::test {

// With MPI each of them is in a program of its own.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TransportContract);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TransportAbortContract);

namespace {

std::vector<ClientId> drawn(std::size_t clients, std::uint64_t draw) {
  std::vector<ClientId> ids;
  for (ClientId id = 0; id < clients; ++id)
    if (Stream(draw, Purpose::cohort, id).uniform() < 0.4) ids.push_back(id);
  return ids;
}

void check_sum(Transport& transport, const std::vector<ClientId>& from, std::size_t width) {
  expect_in_process_bits(transport.layout().clients, from, contract_sum(transport, from, width));
}

std::vector<double> share_rows(Transport& transport, std::size_t width, const RowCheck& check = {}) {
  std::vector<double> mine;
  for (const ClientId id : transport.layout().hosted)
    for (std::size_t k = 0; k < width; ++k) mine.push_back(contract_entry(id, k));
  std::vector<double> all(transport.layout().clients * width, -1.0);
  transport.share(width, mine, all, check);
  return all;
}

void check_share(Transport& transport, std::size_t width) {
  const std::vector<double> all = share_rows(transport, width);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] != contract_entry(k / width, k % width)) {
      ADD_FAILURE() << "entry " << k % width << " of client " << k / width;
      return;
    }
}

TEST_P(TransportContract, EveryClientIsHostedByOnePeer) {
  const auto group = GetParam().make();
  for (const std::size_t clients : {std::size_t{1}, std::size_t{2}, std::size_t{9}})
    group->run(clients, [&](Transport& transport) {
      const Layout& layout = transport.layout();
      EXPECT_EQ(layout.clients, clients);
      EXPECT_LT(layout.rank, layout.peers);
      EXPECT_TRUE(std::ranges::is_sorted(layout.hosted));
      const std::vector<double> mine(layout.hosted.size(), static_cast<double>(layout.rank));
      std::vector<double> hosts(clients, -1.0);
      transport.share(1, mine, hosts);
      for (ClientId id = 0; id < clients; ++id) {
        EXPECT_TRUE(hosts[id] >= 0.0 && hosts[id] < static_cast<double>(layout.peers)) << "client " << id;
        EXPECT_EQ(hosts[id] == static_cast<double>(layout.rank), std::ranges::binary_search(layout.hosted, id));
      }
    });
}

TEST_P(TransportContract, SumsHaveTheBitsOfOneProcessForAllClientsAndForCohorts) {
  const auto group = GetParam().make();
  for (const std::size_t clients : {1U, 2U, 3U, 7U, 16U, 33U})
    group->run(clients, [&](Transport& transport) {
      for (const std::size_t width : {1U, 5U, 1000U}) {
        check_sum(transport, all_clients(clients), width);
        for (std::uint64_t draw = 1; draw < 5; ++draw)
          if (const std::vector<ClientId> from = drawn(clients, draw); !from.empty()) check_sum(transport, from, width);
      }
    });
}

TEST_P(TransportContract, TheSumOfOneClientIsItsRowAlsoForPeersThatHostNone) {
  GetParam().make()->run(9, [](Transport& transport) {
    for (ClientId id = 0; id < 9; ++id) check_sum(transport, {id}, 10);
  });
}

TEST_P(TransportContract, LongRowsHaveTheSameBits) {
  GetParam().make()->run(11, [](Transport& transport) {
    for (const std::size_t width : {8192U, 8193U, 100'000U, 400'003U}) check_sum(transport, all_clients(11), width);
    check_sum(transport, drawn(11, 3), 300'000);
  });
}

TEST_P(TransportContract, SharesTheRowsOfAllClientsInTheOrderOfIds) {
  const auto group = GetParam().make();
  for (const std::size_t clients : {1U, 2U, 7U, 20U})
    group->run(clients, [](Transport& transport) {
      for (const std::size_t width : {1U, 13U, 30'000U}) check_share(transport, width);
    });
}

TEST_P(TransportContract, CollectivesKeepTheirOrderWherePeersAreOfDifferentSpeed) {
  GetParam().make()->run(12, [](Transport& transport) {
    Stream chance(5, Purpose::order);  // the same on all peers
    Stream delay(6, Purpose::order, transport.layout().rank);
    std::uint64_t collectives = 0;
    for (std::uint64_t k = 0; k < 60; ++k) {
      if (delay.index(4) == 0) std::this_thread::sleep_for(std::chrono::microseconds(delay.index(2000)));
      const std::size_t width = 1 + chance.index(chance.index(4) == 0 ? 60'000 : 20);
      const bool shares = chance.index(3) == 0;
      const std::vector<ClientId> from = drawn(12, k + 1);
      if (shares) check_share(transport, width);
      else if (!from.empty()) check_sum(transport, from, width);
      if (shares || !from.empty()) ++collectives;
      EXPECT_EQ(transport.next_exchange(), collectives);
    }
  });
}

TEST_P(TransportContract, AStopSignalOfRank0ReachesAllPeersWithTheSameCollective) {
  GetParam().make()->run(7, [](Transport& transport) {
    const auto expect_signal = [&](StopSignal signal) { EXPECT_EQ(transport.agreement().signal, signal); };
    const auto broadcast = [&](StopSignal signal) {
      if (transport.layout().rank == 0) transport.broadcast(signal);
      else expect_signal(StopSignal::none);
    };
    check_sum(transport, all_clients(7), 3);
    expect_signal(StopSignal::none);
    broadcast(StopSignal::time_over);
    check_sum(transport, {1}, 3);
    expect_signal(StopSignal::time_over);
    check_share(transport, 2);
    expect_signal(StopSignal::time_over);
    if (transport.layout().rank == 0) transport.broadcast(StopSignal::terminated);
    check_share(transport, 2);
    expect_signal(StopSignal::terminated);
    EXPECT_TRUE(transport.agreement().absent.empty());
  });
}

// Takes part in sums over one client and over all, until the round is abandoned.
void expect_abandoned(Transport& transport, StopSignal reason) {
  try {
    for (int k = 0; k < 3; ++k) {
      contract_sum(transport, {0}, 20'000);
      contract_sum(transport, all_clients(transport.layout().clients), 5);
    }
    ADD_FAILURE() << "rank " << transport.layout().rank << " did not leave the round";
  } catch (const RoundAbandoned&) { EXPECT_EQ(transport.agreement().signal, reason); }
}

// After an abandoned round collectives work as before, and all peers are at the same one.
void expect_same_position(Transport& transport) {
  transport.close_round();
  const std::vector<double> here(transport.layout().hosted.size(), static_cast<double>(transport.next_exchange()));
  std::vector<double> positions(transport.layout().clients);
  const auto at = static_cast<double>(transport.next_exchange());
  transport.share(1, here, positions);
  EXPECT_EQ(transport.agreement().signal, StopSignal::none);
  EXPECT_EQ(positions, std::vector<double>(positions.size(), at));
  check_sum(transport, all_clients(transport.layout().clients), 9);
}

TEST_P(TransportContract, ARoundThatAnyPeerAbandonsEndsForAllInTheSameCollective) {
  const auto group = GetParam().make();
  for (const bool by_rank_0 : {true, false})
    group->run(7, [&](Transport& transport) {
      const bool abandons = transport.layout().rank == (by_rank_0 ? 0 : transport.layout().peers - 1);
      for (int rounds = 0; rounds < 3; ++rounds) {
        transport.open_round({.limits_work = true});
        check_sum(transport, all_clients(7), 4);
        if (abandons) transport.abandon_round(StopSignal::work_over_in_round);
        expect_abandoned(transport, StopSignal::work_over_in_round);
        expect_same_position(transport);
      }
    });
}

TEST_P(TransportContract, AShareCanBeAbandonedToo) {
  GetParam().make()->run(7, [&](Transport& transport) {
    transport.open_round({.limits_work = true});
    if (transport.layout().rank == 0) transport.abandon_round(StopSignal::time_over_in_round);
    EXPECT_THROW(share_rows(transport, 3), RoundAbandoned);
    EXPECT_EQ(transport.agreement().signal, StopSignal::time_over_in_round);
    expect_same_position(transport);
  });
}

TEST_P(TransportContract, PeersInLongLocalWorkHearThatTheTimeIsOver) {
  const auto group = GetParam().make();
  if (!group->hears_in_local_work()) GTEST_SKIP() << "each peer of this transport asks its own clock";
  group->run(7, [&](Transport& transport) {
    transport.open_round({});
    check_sum(transport, all_clients(7), 4);
    transport.close_round();
    transport.open_round({.time_is_over = [] { return true; }});
    while (transport.layout().rank != 0 && !transport.round_is_abandoned())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    expect_abandoned(transport, StopSignal::time_over_in_round);
    expect_same_position(transport);
  });
}

TEST_P(TransportContract, DroppedClientsAreMissingInEverySumAndKnownToAll) {
  const auto group = GetParam().make();
  if (!group->can_drop()) GTEST_SKIP() << "this transport does not survive the loss of a peer";
  std::vector<std::vector<ClientId>> absent;
  std::mutex mutex;
  const std::vector<ClientId> lost = group->run_without_one(7, [&](Transport& transport) {
    const std::vector<double> first = contract_sum(transport, all_clients(7), 20'000);
    const std::vector<ClientId> gone = transport.agreement().absent;
    std::vector<ClientId> left;
    std::ranges::set_difference(all_clients(7), gone, std::back_inserter(left));
    expect_in_process_bits(7, left, first);
    expect_in_process_bits(7, left, contract_sum(transport, all_clients(7), 3));
    const std::vector<double> all = share_rows(transport, 2);
    for (const ClientId id : gone) EXPECT_TRUE(all[2 * id] == 0.0 && all[2 * id + 1] == 0.0) << "client " << id;
    for (const ClientId id : left) EXPECT_EQ(all[2 * id], contract_entry(id, 0)) << "client " << id;
    const std::scoped_lock lock(mutex);
    absent.push_back(gone);
  });
  EXPECT_FALSE(lost.empty());
  EXPECT_GE(absent.size(), 2U);
  for (const std::vector<ClientId>& seen : absent) EXPECT_EQ(seen, lost);
}

TEST_P(TransportContract, ARowThatDoesNotPassTheCheckIsAnErrorOfAllPeers) {
  const RowCheck check = [](std::span<const double> row) {
    return row[0] == contract_entry(3, 0) ? std::optional<std::string>("60 labels") : std::nullopt;
  };
  GetParam().make()->run(7, [&](Transport& transport) {
    std::string text;
    try {
      share_rows(transport, 2, check);
    } catch (const Error& error) { text = error.what(); }
    EXPECT_NE(text.find("60 labels"), std::string::npos) << "rank " << transport.layout().rank << ": " << text;
  });
}

// Runs until the error, and says what it was.
std::string error_of(Transport& transport) {
  try {
    for (int k = 0; k < 3; ++k) contract_sum(transport, all_clients(transport.layout().clients), 10);
  } catch (const Error& error) { return error.what(); }
  return "";
}

TEST_P(TransportAbortContract, AnAbortReachesAllOtherPeersWithItsReason) {
  const std::string reason = "the disk is full";
  for (const bool by_rank_0 : {false, true}) {
    const auto group = GetParam().make();
    group->run(9, [&](Transport& transport) {
      const std::size_t aborting = by_rank_0 ? 0 : transport.layout().peers - 1;
      // One collective that succeeds; a peer that is slow may hear of the abort in it.
      if (transport.layout().rank != aborting) {
        EXPECT_NE(error_of(transport).find(reason), std::string::npos)
            << "rank " << transport.layout().rank << " of " << transport.layout().peers;
        return;
      }
      contract_sum(transport, all_clients(9), 10);
      transport.abort(reason);
    });
    if (!group->survives_abort()) return;
  }
}

}  // namespace
}  // namespace driftless::test
