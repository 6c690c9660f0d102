// Several hundred exchanges with all events of a long run at the same time: checkpoints, reconnecting sites, a dropped
// site, status queries. Meant for ThreadSanitizer.
#include "driftless/network/hub/hub_transport.hpp"

#include "tests/network/hostile/wire_federation.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

constexpr ExchangeId exchanges = 300;
constexpr ExchangeId leaves_at = 200;  // south, for good

std::size_t width_at(ExchangeId id) { return id % 40 == 7 ? wire_run::wide : 30; }

using Totals = std::vector<std::vector<double>>;

std::unique_ptr<GrpcSite> site_of(const std::string& name, const std::string& address, const Position& position) {
  auto site = std::make_unique<GrpcSite>(GrpcSiteOptions{.address = address,
                                                         .tls = certificates_of(name),
                                                         .version = wire_run::version,
                                                         .site = name,
                                                         .first_contact = patiently(20.0),
                                                         .grace = patiently(10.0)});
  site->accept(site->query_offer(), wire_run::digest());
  site->continue_at(position);
  return site;
}

// Restarts every so many exchanges from its last checkpoint.
Totals run_site(const std::string& name, const std::string& address, ExchangeId until, ExchangeId renewed_every) {
  Totals totals;
  Position checkpoint;
  ExchangeId renewed_at = 0;
  std::unique_ptr<GrpcSite> site = site_of(name, address, checkpoint);
  while (site->next_exchange() < until) {
    const ExchangeId id = site->next_exchange();
    totals.resize(id);
    totals.push_back(sum_over(*site, id, width_at(id)));
    if (id % 9 == 4 && site->secure_past(id % 2 == 0)) {
      checkpoint = site->position();
      site->on_checkpoint();
    }
    if (id % renewed_every == renewed_every - 1 && id > renewed_at) {
      renewed_at = id;
      site = nullptr;
      site = site_of(name, address, checkpoint);
    }
  }
  if (until == exchanges) site->finish();
  return totals;
}

Totals run_server(Hub& hub) {
  HubTransport transport(hub);
  Totals totals;
  while (transport.next_exchange() < exchanges) {
    const ExchangeId id = transport.next_exchange();
    totals.push_back(sum_over(transport, id, width_at(id)));
    if (id % 20 == 19 && transport.secure_past(true)) transport.on_checkpoint();
  }
  hub.wait_for_finish(patiently(10.0));
  return totals;
}

TEST(WireThreads, ALongRunWithReturnsALossAndCheckpointsHasTheSameBitsEverywhere) {
  WireFederation federation(
      {.grace = patiently(1.0), .first_wait = patiently(30.0), .deadline = patiently(30.0), .on_loss = OnLoss::drop});
  Totals north, south, west, server;
  std::vector<std::thread> threads;
  threads.emplace_back([&] { server = run_server(federation.hub()); });
  threads.emplace_back([&] { north = run_site("north", federation.address(), exchanges, 61); });
  threads.emplace_back([&] { south = run_site("south", federation.address(), leaves_at, 83); });
  threads.emplace_back([&] { west = run_site("west", federation.address(), exchanges, 37); });
  std::atomic<bool> over{false};
  std::thread status([&] {
    while (!over) {
      EXPECT_EQ(federation.hub().status().sites.size(), 3U);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  for (std::thread& thread : threads) thread.join();
  over = true;
  status.join();
  federation.finish();
  ASSERT_EQ(server.size(), exchanges);
  EXPECT_EQ(north, server);
  EXPECT_EQ(west, server);
  server.resize(leaves_at);
  EXPECT_EQ(south, server);
}

}  // namespace
}  // namespace driftless
