// The loop: when it measures, when it stops and why, what it returns.
#include "driftless/optimize/driver.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct Outcome {
  DriveResult result;
  std::vector<TraceRow> rows;
};

Outcome drive_gd(const DriveOptions& options, double step = 0.05, const std::string& method = "gd",
                 const StopToken& stop_token = {}) {
  const Instance instance = random_quadratics(71);
  InProcessTransport transport(5);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1, stop_token);
  Trace trace(Reference{instance.minimizer, instance.minimum});
  const auto gd = find_method(method).make(method == "gd" ? Settings{{"step", step}}
                                                          : Settings{{"lambda", 1.0}, {"eta", 12.0}, {"p", 0.5}});
  return {drive(*gd, fed, instance.start, options, trace), trace.rows()};
}

TEST(Driver, MeasuresTheStartAndEveryRound) {
  const Outcome out = drive_gd({.stop = {.rounds = 5}});
  EXPECT_EQ(out.result.reason, StopReason::rounds);
  ASSERT_EQ(out.rows.size(), 6U);
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_EQ(out.rows[r].round, r);
    EXPECT_EQ(out.rows[r].exchanges, r);
    EXPECT_EQ(out.rows[r].messages, 10 * r);
    EXPECT_EQ(out.rows[r].grad_evals, r);
    EXPECT_EQ(out.rows[r].local_steps, r);
  }
  EXPECT_LT(*out.rows[5].f_gap, *out.rows[0].f_gap);
  EXPECT_LT(*out.rows[5].dist, *out.rows[0].dist);
}

TEST(Driver, MeasuresEveryKthRoundAndTheLast) {
  const Outcome out = drive_gd({.stop = {.rounds = 10}, .every = 4});
  std::vector<std::uint64_t> measured;
  for (const TraceRow& row : out.rows) measured.push_back(row.round);
  EXPECT_EQ(measured, (std::vector<std::uint64_t>{0, 4, 8, 10}));
}

TEST(Driver, StopsAtTheFirstConditionReached) {
  EXPECT_EQ(drive_gd({.stop = {.rounds = 500, .grad_norm = 1e-3}}).result.reason, StopReason::grad_norm);
  EXPECT_EQ(drive_gd({.stop = {.rounds = 500, .gap = 1e-3}}).result.reason, StopReason::gap);
  EXPECT_EQ(drive_gd({.stop = {.rounds = 500, .exchanges = 7}}).rows.back().round, 7U);
  EXPECT_EQ(drive_gd({.stop = {.rounds = 500, .bytes = 10 * 12 * 8 * 3}}).rows.back().round, 3U);
  EXPECT_EQ(drive_gd({.stop = {.rounds = 500, .grad_evals = 6}}).result.reason, StopReason::grad_evals);
  EXPECT_EQ(drive_gd({.stop = {.seconds = 0.0}}).result.reason, StopReason::seconds);
  EXPECT_EQ(drive_gd({.stop = {.rounds = 0}}).rows.size(), 1U);
}

TEST(Driver, EndsARunThatDiverges) {
  const Outcome out = drive_gd({.stop = {.rounds = 100000}}, 10.0);
  EXPECT_EQ(out.result.reason, StopReason::diverged);
  EXPECT_LT(out.rows.size(), 50U);
}

TEST(Driver, EndsAfterTheRoundInWhichItIsInterrupted) {
  int asked = 0;
  const auto stop_in_round_3 = [&](StopSignal signal) {
    return drive_gd({.stop = {.rounds = 100}}, 0.05, "gd",
                    [&asked, signal] { return ++asked == 3 ? signal : StopSignal::none; });
  };
  for (const StopSignal signal : {StopSignal::interrupted, StopSignal::terminated, StopSignal::time_over}) {
    asked = 0;
    const Outcome out = stop_in_round_3(signal);
    EXPECT_EQ(out.result.reason, signal == StopSignal::time_over ? StopReason::seconds : StopReason::interrupted);
    EXPECT_EQ(out.rows.back().round, 3U);
  }
}

TEST(Driver, ReturnsTheBestPointWhereItIsNotTheLast) {
  // A step just beyond 2/L makes the gap rise in the end.
  const Instance instance = random_quadratics(71);
  const double step = 2.02 / instance.constants.L_f;
  const Outcome out = drive_gd({.stop = {.rounds = 200}, .output = OutputPoint::best}, step);
  EXPECT_LT(instance.value(out.result.output), instance.value(out.result.x));
  const Outcome by_gradient = drive_gd({.stop = {.rounds = 200}, .output = OutputPoint::best_gradient}, step);
  EXPECT_LT(instance.gradient(by_gradient.result.output).norm(), instance.gradient(by_gradient.result.x).norm());
}

TEST(Driver, CountsTheCostOfAnOutputPointSeparately) {
  const Outcome out = drive_gd({.stop = {.rounds = 3}, .output = OutputPoint::weighted}, 0.0, "fedred-gd");
  EXPECT_EQ(out.result.output_traffic, (Traffic{1, 5, 5}));
  EXPECT_EQ(out.rows.back().exchanges, 1U + 2 * 3);
}

TEST(Driver, RejectsAnOutputPointThatTheMethodDoesNotSupport) {
  EXPECT_THROW(drive_gd({.stop = {.rounds = 3}, .output = OutputPoint::weighted}), ConfigError);
}

}  // namespace
}  // namespace driftless::test
