// Runs of a server and its sites that end inside a round: what they keep, compared with one process.
#include "driftless/network/hub/hub_transport.hpp"
#include "driftless/optimize/driver.hpp"

#include "tests/network/contract/hub_site.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/testbed.hpp"
#include "tests/support/transport_contract.hpp"

#include <limits>
#include <mutex>

namespace driftless::test {
namespace {

constexpr std::size_t clients = 5;
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

// Gradient descent with a kept gradient for each client, in whose third round some clients work long.
struct LongRound {
  ClientId first_busy = 0;  // this client and those after it
  std::uint64_t gradients = endless;
  bool after_last_exchange = false;
  bool in_coins = false;  // the time goes into drawing the number of local steps
};

class LongThirdRound final : public Method {
 public:
  explicit LongThirdRound(const LongRound& shape) : shape_(shape) {}

  void start(Federation& fed, Vector&) override { kept_ = fed.per_client(Vector(Vector::Zero(fed.dim()))); }
  void round(Federation& fed, Vector& x) override {
    const bool third = fed.round() == 2;
    if (third && shape_.in_coins) fed.geometric(1e-15);
    const bool busy_before = third && !shape_.in_coins && !shape_.after_last_exchange;
    fed.for_each_client([&](Client& i) { work(i, x, busy_before); });
    x -= 0.05 * fed.mean(kept_);
    if (shape_.after_last_exchange) fed.for_each_client([&](Client& i) { work(i, x, third); });
  }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override { visit.per_client("kept", kept_); }

 private:
  void work(Client& i, const Vector& x, bool busy) {
    const std::uint64_t count = busy && i.id() >= shape_.first_busy ? shape_.gradients : 1;
    for (std::uint64_t k = 0; k < count; ++k) i.gradient(x, kept_[i]);
  }

  LongRound shape_;
  PerClient<Vector> kept_;
};

struct Ended {
  DriveResult result;
  std::vector<TraceRow> rows;
};

// As Experiment does it: the seconds of several peers are a matter of their transport.
Ended drive_peer(Transport& transport, const LongRound& shape, const StopConditions& stop, double patience = 0.01) {
  Instance instance = random_quadratics(71);
  ClientObjectives hosted;
  for (const ClientId id : transport.layout().hosted) hosted.push_back(std::move(instance.clients[id]));
  ThreadPool pool(1);
  Federation fed(hosted, instance.start.size(), transport, pool, 1);
  LongThirdRound method(shape);
  Trace trace;
  DriveOptions options{.stop = stop, .patience = patience};
  if (transport.layout().peers > 1) options.shared_seconds = std::exchange(options.stop.seconds, std::nullopt);
  DriveResult result = drive(method, fed, instance.start, options, trace);
  return {std::move(result), trace.rows()};
}

Ended drive_alone(const LongRound& shape, const StopConditions& stop) {
  InProcessTransport transport(clients);
  return drive_peer(transport, shape, stop);
}

// The server and sites with clients {0, 1}, {2}, {3, 4}.
std::vector<Ended> drive_federation(const LongRound& shape, const StopConditions& stop, double patience = 0.01) {
  const TempFolder folder;
  Journal journal(folder.path(), {});
  Hub hub(clients, {{"a", {0, 1}}, {"b", {2}}, {"c", {3, 4}}}, journal, {});
  std::vector<Ended> ended(4);
  run_in_threads(4, [&](std::size_t rank) {
    if (rank == 0) {
      HubTransport server(hub);
      ended[rank] = drive_peer(server, shape, stop, patience);
    } else {
      HubSite site(hub, rank - 1);
      ended[rank] = drive_peer(site, shape, stop, patience);
    }
  });
  return ended;
}

void expect_same(const std::vector<Ended>& peers, const Ended& alone, StopReason reason) {
  for (const Ended& peer : peers) {
    EXPECT_EQ(peer.result.reason, reason);
    EXPECT_EQ(peer.rows.size(), alone.rows.size());
    EXPECT_EQ(peer.rows.back().round, alone.rows.back().round);
    EXPECT_EQ(peer.rows.back().grad_evals, alone.rows.back().grad_evals);
    EXPECT_EQ(peer.rows.back().exchanges, alone.rows.back().exchanges);
    EXPECT_EQ(peer.rows.back().f, alone.rows.back().f);
    EXPECT_EQ(peer.result.x, alone.result.x);
  }
}

// A slow machine may need the time for the two short rounds already.
void expect_end_by_time(const LongRound& shape) {
  const std::vector<Ended> peers = drive_federation(shape, {.rounds = 9, .seconds = 0.2});
  const std::size_t last = peers[0].rows.back().round;
  ASSERT_LE(last, 2U);
  expect_same(peers, drive_alone(shape, {.rounds = last}), StopReason::seconds);
}

void expect_end_by_work(const LongRound& shape, std::size_t last) {
  const StopConditions stop{.rounds = 9, .grad_evals = 50};
  const Ended alone = drive_alone(shape, stop);
  EXPECT_EQ(alone.rows.back().round, last);
  expect_same(drive_federation(shape, stop), alone, StopReason::grad_evals);
}

TEST(AbandonedRound, TheTimeEndsARoundInWhichAllClientsWork) { expect_end_by_time({}); }

TEST(AbandonedRound, TheTimeEndsARoundInWhichTheOthersWaitForOneClient) { expect_end_by_time({.first_busy = 4}); }

TEST(AbandonedRound, TheTimeEndsWorkAfterTheLastExchangeOfARound) {
  expect_end_by_time({.first_busy = 2, .after_last_exchange = true});
}

TEST(AbandonedRound, TheTimeEndsCoinsThatEveryPeerDraws) { expect_end_by_time({.in_coins = true}); }

TEST(AbandonedRound, TooMuchWorkOfOneClientEndsTheRoundOfAll) {
  expect_end_by_work({.first_busy = 4}, 2);
  expect_end_by_work({.first_busy = 4, .after_last_exchange = true}, 2);
  expect_end_by_work({.in_coins = true}, 2);
}

// The outcome must not depend on which peer is faster: a round ends where a client begins a gradient after 101, which
// are more than twice the limit.
TEST(AbandonedRound, AShortRoundWithTooMuchWorkIsAbandonedExactlyAsInOneProcess) {
  expect_end_by_work({.first_busy = 2, .gradients = 99}, 3);
  expect_end_by_work({.first_busy = 2, .gradients = 100}, 2);
  expect_end_by_work({.first_busy = 2, .gradients = 96, .after_last_exchange = true}, 3);
  expect_end_by_work({.first_busy = 2, .gradients = 97, .after_last_exchange = true}, 2);
}

TEST(AbandonedRound, AShortRoundEndsFirstWhereTheTimeIsOver) {
  constexpr double patience = 3600.0;
  for (const Ended& peer : drive_federation({.gradients = 1}, {.rounds = 9, .seconds = 0.0}, patience))
    EXPECT_EQ(peer.rows.back().round, 9U);
}

}  // namespace
}  // namespace driftless::test
