// Times computed by hand.
#include "driftless/results/link_model.hpp"

#include "driftless/results/link_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Simulation four_on_two{.clients = 4, .threads = 2, .seed = 1};

// After `exchanges` of them: each of `clients` clients received 2000 bytes and sent 1000, in a vector each, and the
// machine worked for 0.1 s.
TraceRow row_at(std::uint64_t exchanges, std::uint64_t clients = 4) {
  return {.round = exchanges,
          .exchanges = exchanges,
          .messages = 2 * clients * exchanges,
          .bytes_up = 1000 * clients * exchanges,
          .bytes_down = 2000 * clients * exchanges,
          .wall_s = 0.1 * static_cast<double>(exchanges)};
}

double seconds(const std::string& link, const std::vector<TraceRow>& rows, const Simulation& simulation = four_on_two) {
  return link_seconds(read_link(link), simulation, rows).back();
}

TEST(LinkModel, LatencyTransferAndWorkAddUp) {
  // An exchange: 2 · 0.01 + 2000/20000 + 1000/10000 = 0.22; the work of one of four clients on two threads: half.
  const std::vector<TraceRow> rows{row_at(0), row_at(1), row_at(10)};
  EXPECT_THAT(link_seconds(read_link("10ms,up=80kbit,down=160kbit"), four_on_two, rows),
              ElementsAre(DoubleNear(0.0, 1e-12), DoubleNear(0.22 + 0.05, 1e-12), DoubleNear(2.2 + 0.5, 1e-12)));
  EXPECT_NEAR(seconds("10ms", rows), 0.2 + 0.5, 1e-12);
  EXPECT_NEAR(seconds("80kbit,compute=0x", rows), 10 * (0.2 + 0.1), 1e-12);
  EXPECT_NEAR(seconds("1us,compute=3x", rows), 2e-5 + 1.5, 1e-12);
}

TEST(LinkModel, MoreThreadsThanClientsAreOfNoUse) {
  EXPECT_NEAR(seconds("0s", {row_at(10)}, {.clients = 4, .threads = 64, .seed = 1}), 1.0, 1e-12);
  EXPECT_NEAR(seconds("0s", {row_at(10)}, {.clients = 4, .threads = 1, .seed = 1}), 0.25, 1e-12);
}

TEST(LinkModel, WhatTheStartCostIsInTheFirstRow) {
  const std::vector<TraceRow> rows{row_at(1), row_at(2)};
  EXPECT_NEAR(link_seconds(read_link("10ms,compute=0x"), four_on_two, rows).front(), 0.02, 1e-12);
}

TEST(LinkModel, AllBytesPassTheServersLink) {
  // 8000/20000 down and 4000/20000 up take longer than a client's own 0.1 + 0.1.
  EXPECT_NEAR(seconds("10ms,up=80kbit,down=160kbit,server=160kbit,compute=0x", {row_at(10)}), 10 * 0.62, 1e-12);
  // A wide one changes nothing.
  EXPECT_NEAR(seconds("10ms,up=80kbit,down=160kbit,server=1Gbit,compute=0x", {row_at(10)}), 10 * 0.22, 1e-12);
}

TEST(LinkModel, BytesAndWorkAreThoseOfTheClientsThatTakePart) {
  // One of four: it carries all of the bytes, and all of the work was its own.
  EXPECT_NEAR(seconds("10ms,up=80kbit,down=160kbit", {row_at(10, 1)}), 2.2 + 1.0, 1e-12);
}

TEST(LinkModel, TwoVectorsOfEveryClientAreNotTwiceTheClients) {
  TraceRow row = row_at(10);
  row.messages *= 2;
  EXPECT_NEAR(seconds("10ms,up=80kbit,down=160kbit", {row}), 2.2 + 0.5, 1e-12);
}

TEST(LinkModel, WhatRidesWithALaterExchangeCostsItsTransferAlone) {
  const TraceRow row{.messages = 4, .bytes_down = 8000};
  EXPECT_NEAR(seconds("10ms,160kbit", {row}), 0.1, 1e-12);
}

TEST(LinkModel, ASlowClientHoldsUpTheExchange) {
  EXPECT_NEAR(seconds("10ms,up=80kbit,down=160kbit,compute=0x,straggler=1x5", {row_at(10)}), 11.0, 1e-12);
  // Not where the server's link takes longer still.
  EXPECT_NEAR(seconds("10ms,up=80kbit,down=160kbit,server=160kbit,compute=0x,straggler=1x2", {row_at(10)}), 6.2, 1e-12);
}

TEST(LinkModel, StragglersFollowFromTheSeedAndNotFromTheRows) {
  const std::string link = "1s,compute=0x,straggler=0.2x3";
  std::vector<TraceRow> every;
  for (std::uint64_t e = 0; e <= 50; ++e) every.push_back(row_at(e));
  const double once = seconds(link, every);
  EXPECT_NEAR(seconds(link, {row_at(50)}), once, 1e-9);
  EXPECT_GT(once, 100.0);
  EXPECT_LT(once, 300.0);
  const Simulation other_seed{.clients = 4, .threads = 2, .seed = 2};
  EXPECT_NE(link_seconds(read_link(link), other_seed, every), link_seconds(read_link(link), four_on_two, every));
}

TEST(LinkModel, EveryClientIsSlowWithTheGivenChance) {
  // One of four is slow in 1 − 0.9⁴ = 0.3439 of the exchanges; 10⁴ of them are within 5 deviations of 0.0048.
  const double mean = seconds("0.5s,compute=0x,straggler=0.1x2", {row_at(10'000)}) / 10'000;
  EXPECT_NEAR(mean - 1.0, 0.3439, 0.024);
}

TEST(LinkModel, ReplayGivesEveryRowOneTimePerLink) {
  std::vector<TraceRow> rows{row_at(0), row_at(10)};
  const std::vector<Link> links{read_link("10ms,compute=0x"), read_link("20ms,compute=0x")};
  for (int again = 0; again < 2; ++again) replay(links, four_on_two, rows);
  EXPECT_THAT(rows[1].link_s, ElementsAre(DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12)));
}

TEST(LinkTable, HasALinePerMethodAndAColumnPerTarget) {
  std::vector<TraceRow> rows{row_at(0), row_at(10), row_at(20)};
  rows[0].f_gap = 1.0;
  rows[1].f_gap = 5e-3;
  rows[2].f_gap = 5e-5;
  const std::vector<Link> links{read_link("10ms,compute=0x")};
  replay(links, four_on_two, rows);
  std::vector<MethodOutcome> outcomes(1);
  outcomes[0].method.name = outcomes[0].method.label = "gd";
  outcomes[0].rows = rows;
  EXPECT_EQ(link_tables_text(target_table(outcomes), links), "time on 10ms,compute=0x  to 1e-2  to 1e-4\n"
                                                             "gd                        200 ms   400 ms\n"
                                                             "1e-6, 1e-8: reached by nobody\n\n");
  EXPECT_EQ(link_tables_text(target_table({}), links), "");
}

TEST(LinkTable, SecondsHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(seconds_text(0.0), "0 s");
  EXPECT_EQ(seconds_text(2.5e-5), "25 µs");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(seconds_text(1.25), "1.25 s");
  EXPECT_EQ(seconds_text(660.0), "11 min");
  EXPECT_EQ(seconds_text(7500.0), "2 h 5 min");
}

}  // namespace
}  // namespace driftless
