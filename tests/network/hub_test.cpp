// The hub with sites that are threads of this process: sums have the bits of one process, whoever comes when.
#include "driftless/network/hub/hub.hpp"

#include "driftless/core/random.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include "tests/support/temp_folder.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <thread>

namespace driftless {
namespace {

constexpr std::size_t clients = 7;

std::vector<Seat> seats() { return {{"a", {0}}, {"b", {1, 2, 3, 4}}, {"c", {5, 6}}}; }

std::vector<double> row_of(ClientId id, ExchangeId exchange, std::size_t width) {
  Stream stream(99, Purpose::generator, id, exchange);
  std::vector<double> row(width);
  for (double& value : row) value = stream.normal();
  return row;
}

// The nodes of one peer, and where their sums are.
struct Contribution {
  std::vector<std::vector<double>> sums;
  std::vector<Node> nodes;
};

Contribution contribution(std::span<const ClientId> from, std::span<const ClientId> hosted, ExchangeId id,
                          std::size_t width) {
  Contribution mine;
  TreeAdder adder;
  for (const TreeRange range : cover(clients, from, hosted)) {
    mine.sums.emplace_back(width);
    adder.add_rows(
        range, from, [&](ClientId c, std::span<double> out) { std::ranges::copy(row_of(c, id, width), out.begin()); },
        mine.sums.back());
    mine.nodes.push_back({range, mine.sums.back()});
  }
  return mine;
}

std::vector<double> expected(std::span<const ClientId> from, ExchangeId id, std::size_t width) {
  std::vector<ClientId> all(clients);
  std::iota(all.begin(), all.end(), ClientId{0});
  Solo solo(clients);
  const Contribution mine = contribution(from, all, id, width);
  std::vector<double> total(width);
  solo.sum(from, mine.nodes, total);
  return total;
}

// Plays the site: sends what it has, takes in the total.
std::vector<double> exchange(Hub::Line& line, const Contribution& mine, ExchangeId id, std::size_t width,
                             Agreement& agreement) {
  const Pieces pieces{width};
  std::thread sender([&] {
    for (std::size_t k = 0; k < pieces.count() && !mine.nodes.empty() && id >= line.live(); ++k) {
      std::vector<double> values;
      for (const Node& node : mine.nodes) {
        const auto part = node.sum.subspan(pieces.first(k), pieces.size(k));
        values.insert(values.end(), part.begin(), part.end());
      }
      line.rows(id, 0, k, std::move(values));
    }
  });
  std::vector<double> total;
  while (true) {
    const Hub::Outgoing out = line.next();
    if (out.kind == Hub::Outgoing::Kind::piece) total.insert(total.end(), out.values.begin(), out.values.end());
    else {
      EXPECT_EQ(static_cast<int>(out.kind), static_cast<int>(Hub::Outgoing::Kind::done));
      agreement = out.agreement;
      break;
    }
  }
  sender.join();
  return total;
}

class HubTest : public testing::Test {
 protected:
  TempFolder folder;
  Journal journal{folder.path(), {}};
};

TEST_F(HubTest, SumsHaveTheBitsOfOneProcess) {
  const std::vector<std::vector<ClientId>> cohorts{{0, 1, 2, 3, 4, 5, 6}, {3}, {0, 6}, {1, 2, 5}};
  const std::vector<std::size_t> widths{1, 5, 8192, 100'000};
  Hub hub(clients, seats(), journal, {});
  const auto each_exchange = [&](auto&& body) {
    ExchangeId id = 0;
    for (const auto& from : cohorts)
      for (const std::size_t width : widths) body(id++, from, width);
  };
  std::vector<std::thread> sites;
  for (std::size_t s = 0; s < 3; ++s)
    sites.emplace_back([&, s] {
      const std::unique_ptr<Hub::Line> line = hub.enter(s, 0);
      each_exchange([&](ExchangeId id, const std::vector<ClientId>& from, std::size_t width) {
        Agreement agreement;
        EXPECT_EQ(exchange(*line, contribution(from, seats()[s].hosted, id, width), id, width, agreement),
                  expected(from, id, width));
        EXPECT_EQ(agreement.signal, id >= 3 ? StopSignal::time_over : StopSignal::none);
      });
      line->finished();
    });
  each_exchange([&](ExchangeId id, const std::vector<ClientId>& from, std::size_t width) {
    if (id == 3) hub.broadcast(StopSignal::time_over);
    std::vector<double> total(width);
    hub.sum(id, from, total);
    EXPECT_EQ(total, expected(from, id, width)) << id;
  });
  for (std::thread& site : sites) site.join();
  // Whole rows would be 7 nodes of 100 000 entries.
  EXPECT_LE(hub.most_rows_held(), 7U * 2U * Pieces::entries);
}

TEST_F(HubTest, ASiteThatComesLateIsBroughtUpToDate) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  Hub hub(clients, seats(), journal, {});
  const std::unique_ptr<Hub::Line> line = hub.enter(1, 0);
  std::thread server([&] {
    std::vector<double> total(9);
    for (ExchangeId id = 0; id < 3; ++id) hub.sum(id, b, total);
  });
  Agreement agreement;
  for (ExchangeId id = 0; id < 3; ++id) exchange(*line, contribution(b, b, id, 9), id, 9, agreement);
  server.join();
  const std::unique_ptr<Hub::Line> late = hub.enter(2, 1);
  EXPECT_EQ(late->live(), 3U);
  for (ExchangeId id = 1; id < 3; ++id) EXPECT_EQ(exchange(*late, {}, id, 9, agreement), expected(b, id, 9));
}

TEST_F(HubTest, WhatASiteMayNotSendIsRefusedByName) {
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  Hub hub(clients, seats(), journal, {.grace = 30.0});
  const std::unique_ptr<Hub::Line> line = hub.enter(0, 0);
  std::thread server([&] {
    std::vector<double> total(3);
    EXPECT_THROW(hub.sum(0, all, total), Error);
  });
  const auto refusal = [&](ExchangeId id, std::size_t index, std::vector<double> values) -> std::string {
    try {
      line->rows(id, 0, index, std::move(values));
    } catch (const Refused& refused) { return refused.trouble.what; }
    return "";
  };
  EXPECT_EQ(refusal(1, 0, {1, 2, 3}), "the site sent rows of an exchange that nobody is at");
  EXPECT_EQ(refusal(0, 1, {1, 2, 3}), "the site sent a piece that was not its turn");
  EXPECT_EQ(refusal(0, 0, {1, 2}), "the site sent rows of another size");
  EXPECT_EQ(refusal(0, 0, {1, 2, 3, 4}), "the site sent rows of another size");
  EXPECT_THROW(hub.enter(0, 0), Refused) << "it is here already";
  EXPECT_THROW(hub.enter(1, 5), Refused) << "the server does not know so many";
  try {
    line->rows(0, 1, 0, {1, 2, 3});
    ADD_FAILURE() << "an attempt that was never asked for";
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.trouble.what, "the site sent rows of an attempt that was never asked for");
  }
  line->refuse({.what = "bad", .seen = "this", .advice = "no"});
  server.join();
  EXPECT_EQ(static_cast<int>(line->next().kind), static_cast<int>(Hub::Outgoing::Kind::refusal));
}

TEST_F(HubTest, AfterALossTheOthersSendAgainAndAreSummedWithoutIt) {
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  const std::vector<ClientId> left{0, 5, 6};
  Hub hub(clients, seats(), journal, {.grace = 0.2, .on_loss = OnLoss::drop});
  std::vector<std::thread> sites;
  for (const std::size_t s : {std::size_t{0}, std::size_t{2}})
    sites.emplace_back([&, s] {
      const std::unique_ptr<Hub::Line> line = hub.enter(s, 0);
      const Contribution mine = contribution(all, seats()[s].hosted, 0, 5);
      std::uint32_t attempt = 0;
      bool send = true;
      std::vector<double> total;
      while (true) {
        if (std::exchange(send, false)) {
          std::vector<double> values;
          for (const Node& node : mine.nodes) values.insert(values.end(), node.sum.begin(), node.sum.end());
          line->rows(0, attempt, 0, values);
        }
        const Hub::Outgoing out = line->next();
        if (out.kind == Hub::Outgoing::Kind::again) {
          attempt = out.attempt;
          send = true;
        } else if (out.kind == Hub::Outgoing::Kind::piece) {
          total.assign(out.values.begin(), out.values.end());
        } else {
          EXPECT_EQ(out.agreement.absent, (std::vector<ClientId>{1, 2, 3, 4}));
          break;
        }
      }
      EXPECT_EQ(total, expected(left, 0, 5));
      line->finished();
    });
  std::vector<double> total(5);
  EXPECT_EQ(hub.sum(0, all, total).absent, (std::vector<ClientId>{1, 2, 3, 4}));
  EXPECT_EQ(total, expected(left, 0, 5));
  for (std::thread& site : sites) site.join();
  EXPECT_THROW(hub.enter(1, 0), Refused) << "the run goes on without it";
}

// A site that plays along with one row of given numbers in exchange 0, and learns how that ends.
std::string ending_of(Hub& hub, std::size_t seat, double value) {
  const std::unique_ptr<Hub::Line> line = hub.enter(seat, 0);
  const std::vector<ClientId> all{0, 1, 2, 3, 4, 5, 6};
  std::uint32_t attempt = 0;
  while (true) {
    const std::size_t nodes = cover(clients, all, seats()[seat].hosted).size();
    line->rows(0, attempt, 0, std::vector<double>(nodes, value));
    Hub::Outgoing out = line->next();
    while (out.kind == Hub::Outgoing::Kind::piece) out = line->next();
    if (out.kind == Hub::Outgoing::Kind::refusal) return out.refused.trouble.what + " / " + out.refused.trouble.seen;
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
  try {
    hub.sum(0, all, total);
  } catch (const Error& error) { result.emplace_back(error.trouble().what); }
  for (std::thread& site : sites) site.join();
  return result;
}

constexpr double inf = std::numeric_limits<double>::infinity();

TEST_F(HubTest, OneSiteWithNumbersOutOfRangeIsDroppedByName) {
  for (const double bad : {1.7e308, -1e151, inf, std::numeric_limits<double>::quiet_NaN()}) {
    const TempFolder own;
    Journal fresh(own.path(), {});
    Hub hub(clients, seats(), fresh, {.on_loss = OnLoss::drop});
    const std::vector<std::string> result = endings(hub, {1.0, bad, 2.0});
    EXPECT_EQ(result[0], "done") << bad;
    EXPECT_EQ(result[2], "done") << bad;
    EXPECT_NE(result[1].find("not finite or too large"), std::string::npos) << result[1];
    EXPECT_NE(result[1].find("site 'b', entry 0"), std::string::npos) << result[1];
    EXPECT_EQ(result.size(), 3U) << "the server continues";
  }
}

TEST_F(HubTest, WhereMostSitesAreOutOfRangeTheMethodDivergedAndNobodyIsDropped) {
  Hub hub(clients, seats(), journal, {.on_loss = OnLoss::drop});
  const std::vector<std::string> result = endings(hub, {inf, 1e149, 1e200});
  ASSERT_EQ(result.size(), 4U);
  EXPECT_NE(result[3].find("the method diverged"), std::string::npos) << result[3];
  EXPECT_NE(result[0].find("at 2 of 3 sites"), std::string::npos) << result[0];
  EXPECT_EQ(journal.next(), 0U) << "nothing of it is journalled";
}

TEST_F(HubTest, TheLargestNumbersAllowedHaveAFiniteSum) {
  Hub hub(clients, seats(), journal, {});
  EXPECT_EQ(endings(hub, {1e150, 1e150, 1e150}), (std::vector<std::string>{"done", "done", "done"}));
  EXPECT_TRUE(std::isfinite(journal.read(0).values[0]));
}

TEST_F(HubTest, SharedRowsAreCheckedBeforeTheyAreJournalled) {
  Hub hub(clients, seats(), journal, {.on_loss = OnLoss::abort});
  const RowCheck check = [](std::span<const double> row) {
    return row[0] == 60.0 ? std::optional<std::string>("60 labels") : std::nullopt;
  };
  const std::unique_ptr<Hub::Line> line = hub.enter(1, 0);
  hub.begin_share(0, 1, check);
  try {
    line->rows(0, 0, 0, {1, 2, 60, 4});
    ADD_FAILURE() << "60 labels were accepted";
  } catch (const Refused& refused) { EXPECT_EQ(refused.trouble.seen, "site 'b', exchange 0, client 3: 60 labels"); }
  EXPECT_EQ(journal.next(), 0U);
}

TEST_F(HubTest, ASiteOfAnotherHistoryIsRefused) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  History before;
  {
    Hub hub(clients, seats(), journal, {});
    const std::unique_ptr<Hub::Line> line = hub.enter(1, 0);
    std::thread server([&] {
      std::vector<double> total(9);
      for (ExchangeId id = 0; id < 2; ++id) hub.sum(id, b, total);
    });
    Agreement agreement;
    for (ExchangeId id = 0; id < 2; ++id) exchange(*line, contribution(b, b, id, 9), id, 9, agreement);
    server.join();
    before = hub.position_before(1)->history;
  }
  Hub hub(clients, seats(), journal, {});
  EXPECT_NO_THROW(hub.enter(1, 1, before));
  EXPECT_THROW(hub.enter(1, 1, History{before.high, before.low + 1}), Refused);
  EXPECT_THROW(hub.enter(1, 2, before), Refused);
}

TEST_F(HubTest, AnInterruptionOfAnEarlierServerStopsNobodyLater) {
  const std::vector<ClientId> b{1, 2, 3, 4};
  std::vector<double> total(9);
  {
    Hub hub(clients, seats(), journal, {});
    const std::unique_ptr<Hub::Line> line = hub.enter(1, 0);
    hub.broadcast(StopSignal::interrupted);
    std::thread server([&] { EXPECT_EQ(hub.sum(0, b, total).signal, StopSignal::interrupted); });
    Agreement agreement;
    exchange(*line, contribution(b, b, 0, 9), 0, 9, agreement);
    server.join();
    EXPECT_EQ(agreement.signal, StopSignal::interrupted);
  }
  Hub hub(clients, seats(), journal, {});
  EXPECT_EQ(hub.sum(0, b, total).signal, StopSignal::none);
  const std::unique_ptr<Hub::Line> late = hub.enter(2, 0);
  Agreement agreement;
  exchange(*late, {}, 0, 9, agreement);
  EXPECT_EQ(agreement.signal, StopSignal::none);
}

TEST_F(HubTest, ASiteThatHasFinishedIsNotWaitedFor) {
  Hub hub(clients, seats(), journal, {.finished = {"a", "b", "c"}});
  const auto start = std::chrono::steady_clock::now();
  hub.wait_for_sites(60.0);
  hub.let_finish(60.0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  std::vector<double> total(1);
  EXPECT_THROW(hub.sum(0, std::vector<ClientId>{0}, total), Error) << "and its rows will not come";
}

}  // namespace
}  // namespace driftless
