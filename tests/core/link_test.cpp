#include "driftless/core/link.hpp"

#include "tests/support/expect_error.hpp"

namespace driftless {
namespace {

TEST(Link, PartsComeInAnyOrder) {
  for (const char* text : {"10ms,100Mbit", " 100Mbit , 10ms "}) {
    const Link link = read_link(text);
    EXPECT_DOUBLE_EQ(link.latency, 0.01);
    EXPECT_DOUBLE_EQ(link.up, 12.5e6);
    EXPECT_DOUBLE_EQ(link.down, 12.5e6);
    EXPECT_EQ(link.server, Link::unlimited);
    EXPECT_EQ(link.straggler_chance, 0.0);
    EXPECT_EQ(link.compute, 1.0);
  }
  EXPECT_EQ(read_link(" 100Mbit , 10ms ").text, "100Mbit , 10ms");
}

TEST(Link, UnitsAreThoseOfTheirNames) {
  EXPECT_DOUBLE_EQ(read_link("200us").latency, 2e-4);
  EXPECT_DOUBLE_EQ(read_link("0.5s").latency, 0.5);
  EXPECT_DOUBLE_EQ(read_link("1Gbit").up, 125e6);
  EXPECT_DOUBLE_EQ(read_link("20kbit").up, 2500.0);
  EXPECT_DOUBLE_EQ(read_link("800bit").up, 100.0);
}

TEST(Link, DirectionsServerStragglersAndWorkAreNamed) {
  const Link link = read_link("up=20Mbit,down=100Mbit,server=1Gbit,straggler=0.1x5,compute=2x");
  EXPECT_DOUBLE_EQ(link.up, 2.5e6);
  EXPECT_DOUBLE_EQ(link.down, 12.5e6);
  EXPECT_DOUBLE_EQ(link.server, 125e6);
  EXPECT_DOUBLE_EQ(link.straggler_chance, 0.1);
  EXPECT_DOUBLE_EQ(link.straggler_factor, 5.0);
  EXPECT_DOUBLE_EQ(link.compute, 2.0);
}

TEST(Link, ABandwidthWithoutDirectionIsThatOfTheOtherOne) {
  for (const char* text : {"100Mbit,up=20Mbit", "up=20Mbit,100Mbit"}) {
    EXPECT_DOUBLE_EQ(read_link(text).up, 2.5e6);
    EXPECT_DOUBLE_EQ(read_link(text).down, 12.5e6);
  }
}

TEST(Link, AnInvalidPartIsNamedWithTheValidForms) {
  for (const char* part :
       {"10", "10 ms", "10m", "-1ms", "nanms", "infs", "100mbit", "0Mbit", "Mbit", "server=5ms", "straggler=0.1",
        "straggler=2x5", "straggler=0.1x0.5", "compute=2", "speed=1Mbit", "tls", ""})
    expect_error<ConfigError>([&] { read_link("5ms," + std::string(part)); },
                              {"not understood", "'" + std::string(part) + "'", "100Mbit", "straggler=0.1x5"});
  expect_error<ConfigError>([] { read_link(""); }, {"not understood", "--link"});
}

TEST(Link, TheSourceOfTheTextIsNamed) {
  expect_error<ConfigError>([] { read_link("fast", "link ="); }, {"seen: link = \"fast\"", "100Mbit"});
}

// 1 s there and back; 100 bytes at 50 a second up, 30 at 10 a second down. A server of 40 a second serves four clients
// in 10 s up and 3 s down.
TEST(Link, AnExchangeTakesLatencyAndTransferAndWaitsForTheSlowest) {
  Link link{.latency = 0.5, .up = 50.0, .down = 10.0};
  const ExchangeLoad load{.clients = 4.0, .up = 100.0, .down = 30.0};
  EXPECT_DOUBLE_EQ(link.exchange_seconds(load), 1.0 + 2.0 + 3.0);
  EXPECT_DOUBLE_EQ(link.exchange_seconds(load, 5.0), 30.0);
  link.server = 40.0;
  EXPECT_DOUBLE_EQ(link.exchange_seconds(load), 1.0 + 10.0 + 3.0);
}

TEST(Link, NoPartMayBeRepeated) {
  expect_error<ConfigError>([] { read_link("10ms,20ms"); }, {"latency twice", "'20ms'"});
  expect_error<ConfigError>([] { read_link("up=1Mbit,up=1Mbit"); }, {"up twice"});
  expect_error<ConfigError>([] { read_link("1Mbit,up=1Mbit,down=1Mbit"); }, {"three bandwidths"});
}

}  // namespace
}  // namespace driftless
