// What the hub does beyond the transport contract: late, lost and misbehaving sites, and what it keeps of a run.
#include "driftless/core/work_guard.hpp"
#include "driftless/network/hub/hub_transport.hpp"

#include "tests/network/contract/hub_site.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/transport_contract.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

using test::all_clients;
using test::contract_sum;
using test::HubSite;

constexpr std::size_t clients = 7;

std::vector<SiteSlot> slots() { return {{"a", {0}}, {"b", {1, 2, 3, 4}}, {"c", {5, 6}}}; }

// A site that takes part in so many sums over `from`; what it agrees on in the end.
Agreement sum_repeatedly(Hub& hub, std::size_t slot, const std::vector<ClientId>& from, int sums) {
  HubSite site(hub, slot);
  for (int k = 0; k < sums; ++k) contract_sum(site, from, 9);
  return site.agreement();
}

class HubTest : public testing::Test {
 protected:
  TempFolder folder;
  Journal journal{folder.path(), {}};
};

// Whole rows of the sites would be 4 nodes of 100 000 entries.
TEST_F(HubTest, HoldsAFewChunksOfEachRowOnly) {
  Hub hub(clients, slots(), journal, {});
  test::run_in_threads(4, [&](std::size_t rank) {
    if (rank == 0) {
      HubTransport server(hub);
      contract_sum(server, all_clients(clients), 100'000);
    } else {
      HubSite site(hub, rank - 1);
      contract_sum(site, all_clients(clients), 100'000);
    }
  });
  EXPECT_LE(hub.most_rows_held(), 7U * 2U * Chunks::entries);
}

TEST_F(HubTest, ASiteThatJoinsLateGetsTheTotalsThatItMissed) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  Hub hub(clients, slots(), journal, {});
  std::thread server([&] {
    HubTransport transport(hub);
    for (int k = 0; k < 3; ++k) contract_sum(transport, b, 9);
  });
  sum_repeatedly(hub, 1, b, 3);
  server.join();
  HubSite late(hub, 2);
  late.continue_at({.next = 1});
  EXPECT_EQ(late.join().live(), 3U);
  for (int k = 0; k < 2; ++k) test::expect_in_process_bits(clients, b, contract_sum(late, b, 9));
}

TEST_F(HubTest, AStopEndsTheRunOfSitesThatAreInLongWork) {
  std::atomic<StopSignal> signal = StopSignal::none;
  Hub hub(clients, slots(), journal, {.stop_token = [&] { return signal.load(); }, .stop_patience = 0.0});
  const std::unique_ptr<HubConnection> connection = hub.join(0, 0);
  std::thread server([&] {
    std::vector<double> total(3);
    try {
      hub.sum(0, all_clients(clients), total);
      ADD_FAILURE() << "a sum without rows";
    } catch (const Error& error) { EXPECT_EQ(error.kind(), ErrorKind::terminated); }
  });
  signal = StopSignal::terminated;
  const Hub::Outgoing out = connection->next();
  ASSERT_EQ(out.kind, Hub::Outgoing::Kind::rejection);
  EXPECT_EQ(out.rejection->kind(), ErrorKind::terminated);
  EXPECT_EQ(out.rejection->info().what, "the server was stopped in the middle of a round");
  server.join();
  EXPECT_THROW(hub.throw_if_over(), Error);
}

TEST_F(HubTest, AStopIsAgreedOnWithATotalThatIsCompleteSoon) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  Hub hub(clients, slots(), journal, {.stop_token = [] { return StopSignal::interrupted; }, .stop_patience = 3600.0});
  std::thread server([&] {
    HubTransport transport(hub);
    while (transport.agreement().signal == StopSignal::none) contract_sum(transport, b, 9);
  });
  HubSite site(hub, 1);
  while (site.agreement().signal == StopSignal::none) contract_sum(site, b, 9);
  EXPECT_EQ(site.agreement().signal, StopSignal::interrupted);
  server.join();
}

TEST_F(HubTest, WhatASiteMayNotSendIsRejectedByName) {
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  Hub hub(clients, slots(), journal, {.grace = 30.0});
  const std::unique_ptr<HubConnection> connection = hub.join(0, 0);
  std::thread server([&] {
    std::vector<double> total(3);
    EXPECT_THROW(hub.sum(0, all, total), Error);
  });
  const auto rejection = [&](ExchangeId id, std::size_t index, std::vector<double> values) -> std::string {
    try {
      connection->receive(id, 0, index, std::move(values));
    } catch (const Rejection& rejection) { return rejection.info().what; }
    return "";
  };
  EXPECT_EQ(rejection(1, 0, {1, 2, 3}), "the site sent rows of an exchange that is not under way");
  EXPECT_EQ(rejection(0, 1, {1, 2, 3}), "the site sent a chunk out of turn");
  EXPECT_EQ(rejection(0, 0, {1, 2}), "the site sent rows of another size");
  EXPECT_EQ(rejection(0, 0, {1, 2, 3, 4}), "the site sent rows of another size");
  EXPECT_THROW(hub.join(0, 0), Rejection) << "it is connected already";
  EXPECT_THROW(hub.join(1, 5), Rejection) << "the server has fewer totals";
  try {
    connection->receive(0, 1, 0, {1, 2, 3});
    ADD_FAILURE() << "an attempt that was never requested";
  } catch (const Rejection& rejection) {
    EXPECT_EQ(rejection.info().what, "the site sent rows of an attempt that was never requested");
  }
  connection->reject({.what = "bad", .seen = "this", .advice = "no"});
  server.join();
  EXPECT_EQ(static_cast<int>(connection->next().kind), static_cast<int>(Hub::Outgoing::Kind::rejection));
}

TEST_F(HubTest, ASiteThatNeverJoinsIsDroppedAfterTheGracePeriod) {
  const std::vector<ClientId> left{0, 5, 6};
  Hub hub(clients, slots(), journal, {.grace = 0.2, .on_loss = OnLoss::drop});
  HubSite a(hub, 0);
  HubSite c(hub, 2);
  a.join();
  c.join();
  HubTransport server(hub);
  const std::array<Transport*, 3> peers{&server, &a, &c};
  test::run_in_threads(peers.size(), [&](std::size_t rank) {
    test::expect_in_process_bits(clients, left, contract_sum(*peers[rank], all_clients(clients), 5));
    EXPECT_EQ(peers[rank]->agreement().absent, (std::vector<ClientId>{1, 2, 3, 4}));
  });
  EXPECT_THROW(hub.join(1, 0), Rejection) << "the run continues without it";
}

// How the sites were lost while the server waited for all of them; the stop makes a wait without end a failure.
std::vector<std::string> losses_before_the_run(Hub& hub, std::vector<std::string>& events, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  hub.wait_for_sites(seconds, [start] {
    const bool too_long = std::chrono::steady_clock::now() - start > std::chrono::seconds(30);
    return too_long ? StopSignal::interrupted : StopSignal::none;
  });
  std::vector<std::string> losses;
  for (const std::string& event : events)
    if (event.find("the run continues without it") != std::string::npos) losses.push_back(event);
  return losses;
}

TEST_F(HubTest, BeforeTheRunASiteThatLeftIsAwaitedForTheGracePeriodOnceTheOthersAreThere) {
  std::vector<std::string> events;
  Hub hub(clients, slots(), journal,
          {.grace = 0.2, .on_loss = OnLoss::drop, .on_event = [&](const HubEvent& e) { events.push_back(e.text); }});
  hub.join(1, 0).reset();
  const std::unique_ptr<HubConnection> a = hub.join(0, 0);
  const std::unique_ptr<HubConnection> c = hub.join(2, 0);
  EXPECT_EQ(losses_before_the_run(hub, events, 600.0),
            std::vector<std::string>{"site 'b' has been away for more than 0.2 s; the run continues without it"});
}

TEST_F(HubTest, BeforeTheRunASiteThatLeftMayReturnWhileAnotherHasYetToJoin) {
  std::vector<std::string> events;
  Hub hub(clients, slots(), journal,
          {.grace = 0.0, .on_loss = OnLoss::drop, .on_event = [&](const HubEvent& e) { events.push_back(e.text); }});
  const std::unique_ptr<HubConnection> a = hub.join(0, 0);
  hub.join(1, 0).reset();
  EXPECT_EQ(losses_before_the_run(hub, events, 0.3),
            (std::vector<std::string>{"site 'b' did not join within 0.3 s; the run continues without it",
                                      "site 'c' did not join within 0.3 s; the run continues without it"}));
}

// A site that sends rows of this value in exchange 0; returns how that ends.
std::string ending_of(Hub& hub, std::size_t slot, double value) {
  const std::unique_ptr<HubConnection> connection = hub.join(slot, 0);
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  std::uint32_t attempt = 0;
  while (true) {
    const std::size_t nodes = cover(clients, all, slots()[slot].hosted).size();
    connection->receive(0, attempt, 0, std::vector<double>(nodes, value));
    Hub::Outgoing out = connection->next();
    while (out.kind == Hub::Outgoing::Kind::chunk) out = connection->next();
    if (out.kind == Hub::Outgoing::Kind::rejection)
      return out.rejection->info().what + " / " + out.rejection->info().seen;
    if (out.kind == Hub::Outgoing::Kind::closed) return "closed";
    if (out.kind == Hub::Outgoing::Kind::done) return "done";
    attempt = out.attempt;
  }
}

std::vector<std::string> endings(Hub& hub, const std::vector<double>& values) {
  std::vector<std::string> result(values.size());
  std::vector<std::thread> sites;
  for (std::size_t s = 0; s < values.size(); ++s)
    sites.emplace_back([&, s] { result[s] = ending_of(hub, s, values[s]); });
  std::vector<double> total(1);
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  std::optional<std::string> failure;  // of the server; added once no site writes any more
  try {
    hub.sum(0, all, total);
  } catch (const Error& error) { failure = error.info().what; }
  for (std::thread& site : sites) site.join();
  if (failure) result.push_back(*failure);
  return result;
}

constexpr double inf = std::numeric_limits<double>::infinity();

TEST_F(HubTest, OneSiteWithNumbersOutOfRangeIsDroppedByName) {
  for (const double bad : {1.7e308, -1e151, inf, std::numeric_limits<double>::quiet_NaN()}) {
    const TempFolder own;
    Journal fresh(own.path(), {});
    Hub hub(clients, slots(), fresh, {.on_loss = OnLoss::drop});
    const std::vector<std::string> result = endings(hub, {1.0, bad, 2.0});
    EXPECT_EQ(result[0], "done") << bad;
    EXPECT_EQ(result[2], "done") << bad;
    EXPECT_NE(result[1].find("not finite or too large"), std::string::npos) << result[1];
    EXPECT_NE(result[1].find("site 'b', entry 0"), std::string::npos) << result[1];
    EXPECT_EQ(result.size(), 3U) << "the server continues";
  }
}

TEST_F(HubTest, WhereMostSitesAreOutOfRangeTheMethodDivergedAndNoSiteIsDropped) {
  Hub hub(clients, slots(), journal, {.on_loss = OnLoss::drop});
  const std::vector<std::string> result = endings(hub, {inf, 1e149, 1e200});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_NE(result[3].find("the method diverged"), std::string::npos) << result[3];
  EXPECT_NE(result[0].find("at 2 of 3 sites"), std::string::npos) << result[0];
  EXPECT_EQ(journal.next(), 0U) << "nothing of it is journalled";
}

TEST_F(HubTest, TheLargestNumbersAllowedHaveAFiniteSum) {
  Hub hub(clients, slots(), journal, {});
  EXPECT_EQ(endings(hub, {1e150, 1e150, 1e150}), (std::vector<std::string>{"done", "done", "done"}));
  EXPECT_TRUE(std::isfinite(journal.read(0).values[0]));
}

TEST_F(HubTest, SharedRowsAreCheckedBeforeTheyAreJournalled) {
  Hub hub(clients, slots(), journal, {.on_loss = OnLoss::abort});
  const RowCheck check = [](std::span<const double> row) {
    return row[0] == 60.0 ? std::optional<std::string>("60 labels") : std::nullopt;
  };
  const std::unique_ptr<HubConnection> connection = hub.join(1, 0);
  hub.begin_share(0, 1, check);
  try {
    connection->receive(0, 0, 0, {1, 2, 60, 4});
    ADD_FAILURE() << "60 labels were accepted";
  } catch (const Rejection& rejection) {
    EXPECT_EQ(rejection.info().seen, "site 'b', exchange 0, client 3: 60 labels");
  }
  EXPECT_EQ(journal.next(), 0U);
}

TEST_F(HubTest, ASiteOfAnotherHistoryIsRejected) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  History before;
  {
    Hub hub(clients, slots(), journal, {});
    std::thread server([&] {
      std::vector<double> total(9);
      for (ExchangeId id = 0; id < 2; ++id) hub.sum(id, b, total);
    });
    sum_repeatedly(hub, 1, b, 2);
    server.join();
    before = hub.position_before(1)->history;
  }
  Hub hub(clients, slots(), journal, {});
  EXPECT_NO_THROW(hub.join(1, 1, before));
  EXPECT_THROW(hub.join(1, 1, History{before.high, before.low + 1}), Rejection);
  EXPECT_THROW(hub.join(1, 2, before), Rejection);
}

TEST_F(HubTest, AnInterruptionOfAnEarlierServerStopsNoSiteLater) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  std::vector<double> total(9);
  {
    Hub hub(clients, slots(), journal, {});
    hub.broadcast(StopSignal::interrupted);
    std::thread server([&] { EXPECT_EQ(hub.sum(0, b, total).signal, StopSignal::interrupted); });
    EXPECT_EQ(sum_repeatedly(hub, 1, b, 1).signal, StopSignal::interrupted);
    server.join();
  }
  Hub hub(clients, slots(), journal, {});
  EXPECT_EQ(hub.sum(0, b, total).signal, StopSignal::none);
  EXPECT_EQ(sum_repeatedly(hub, 2, b, 1).signal, StopSignal::none);
}

TEST_F(HubTest, AnAbandonedExchangeIsAbandonedAgainFromTheJournal) {
  const auto abandoned_at = [](Transport& peer) {
    peer.open_round({.time_is_over = [&peer] { return peer.next_exchange() > 1; }});
    EXPECT_THROW(while (true) contract_sum(peer, {1, 2, 3, 4}, 9), RoundAbandoned);
    EXPECT_EQ(peer.agreement().signal, StopSignal::time_over_in_round);
    peer.close_round();
    return peer.next_exchange();
  };
  ExchangeId end = 0;
  {
    Hub hub(clients, slots(), journal, {});
    std::thread server([&] {
      HubTransport transport(hub);
      end = abandoned_at(transport);
    });
    HubSite site(hub, 1);
    EXPECT_EQ(abandoned_at(site), 2U);
    server.join();
  }
  EXPECT_EQ(end, 2U);
  const Journal reopened(folder.path(), {});
  EXPECT_EQ(reopened.next(), 2U);
  EXPECT_EQ(reopened.signal_of(1), StopSignal::time_over_in_round);
  Hub hub(clients, slots(), journal, {});
  HubTransport server(hub);
  server.continue_at({.next = 1, .history = hub.position_before(1)->history});
  EXPECT_TRUE(server.round_is_abandoned());
  EXPECT_FALSE(server.clock_decides()) << "the journal decides";
  EXPECT_EQ(abandoned_at(server), 2U);
  EXPECT_TRUE(server.clock_decides());
  HubSite late(hub, 2);
  EXPECT_EQ(abandoned_at(late), 2U);
}

// It may be told only after the server has begun the next exchange.
TEST_F(HubTest, ASiteThatHasAPartOfAnAbandonedTotalReceivesTheEnd) {
  using Kind = Hub::Outgoing::Kind;
  const std::vector<ClientId> b{1, 2, 3, 4};
  const std::size_t width = 2 * Chunks::entries;
  Hub hub(clients, slots(), journal, {});
  const std::unique_ptr<HubConnection> sender = hub.join(1, 0);
  const std::unique_ptr<HubConnection> receiver = hub.join(2, 0);
  hub.open_round({});
  hub.begin_sum(0, b, width);
  sender->receive(0, 0, 0, std::vector<double>(Chunks::entries * cover(clients, b, b).size(), 1.0));
  EXPECT_EQ(receiver->next().kind, Kind::chunk);
  hub.open_round({.time_is_over = [] { return true; }});
  EXPECT_FALSE(hub.is_abandoned(0));
  EXPECT_TRUE(hub.is_complete());
  EXPECT_TRUE(hub.is_abandoned(0));
  hub.close_round();
  hub.begin_sum(1, b, 3);
  const Hub::Outgoing end = receiver->next();
  EXPECT_EQ(end.kind, Kind::done);
  EXPECT_EQ(end.exchange, 0U);
  EXPECT_EQ(end.agreement.signal, StopSignal::time_over_in_round);
}

TEST_F(HubTest, TheServerHearsInItsOwnWorkThatASiteAbandonsTheRound) {
  Hub hub(clients, slots(), journal, {});
  HubTransport server(hub);
  const std::unique_ptr<HubConnection> connection = hub.join(0, 0);
  server.open_round({.limits_work = true});
  EXPECT_FALSE(server.round_is_abandoned());
  connection->on_abandon(0);
  EXPECT_TRUE(server.round_is_abandoned());
  EXPECT_THROW(contract_sum(server, all_clients(clients), 3), RoundAbandoned);
  EXPECT_EQ(connection->next().agreement.signal, StopSignal::work_over_in_round);
}

TEST_F(HubTest, ASiteMayAbandonOnlyWhereWorkIsLimited) {
  for (const bool before_the_exchange : {true, false}) {
    const TempFolder own;
    Journal empty(own.path(), {});
    Hub hub(clients, slots(), empty, {});
    HubTransport server(hub);
    server.open_round({});
    const std::unique_ptr<HubConnection> connection = hub.join(0, 0);
    EXPECT_THROW(connection->on_abandon(1), Rejection) << "of an exchange that is not under way";
    if (before_the_exchange) connection->on_abandon(0);
    std::thread waiting([&] { EXPECT_THROW(contract_sum(server, all_clients(clients), 3), Error); });
    if (!before_the_exchange) connection->on_abandon(0);
    const Hub::Outgoing out = connection->next();
    ASSERT_TRUE(out.rejection.has_value());
    EXPECT_EQ(out.rejection->info().what, "the site abandoned an exchange without a limit of work");
    waiting.join();
  }
}

TEST_F(HubTest, ASiteThatHasFinishedIsNotWaitedFor) {
  Hub hub(clients, slots(), journal, {.finished = {"a", "b", "c"}});
  const auto start = std::chrono::steady_clock::now();
  hub.wait_for_sites(60.0);
  hub.wait_for_finish(60.0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  std::vector<double> total(1);
  EXPECT_THROW(hub.sum(0, std::vector<ClientId>{0}, total), Error) << "because its rows will not arrive";
}

}  // namespace
}  // namespace driftless
