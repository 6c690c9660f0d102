// The loop: when it measures, when it stops and why, what it returns.
#include "driftless/optimize/driver.hpp"

#include "tests/support/testbed.hpp"

#include <algorithm>
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

TEST(Driver, StopsAtAGradientRelativeToTheFirst) {
  const Outcome out = drive_gd({.stop = {.rounds = 500, .grad_norm_relative = 1e-2}});
  EXPECT_EQ(out.result.reason, StopReason::grad_norm);
  ASSERT_GE(out.rows.size(), 3U);
  const double goal = 1e-2 * out.rows.front().grad_norm;
  EXPECT_LE(out.rows.back().grad_norm, goal);
  EXPECT_GT(out.rows[out.rows.size() - 2].grad_norm, goal);
}

TEST(Driver, EndsARunThatDiverges) {
  const Outcome out = drive_gd({.stop = {.rounds = 100000}}, 10.0);
  EXPECT_EQ(out.result.reason, StopReason::diverged);
  EXPECT_LT(out.rows.size(), 50U);
}

// A method whose f follows a script: f(x) = x on one client, and round r moves x to values[r].
class Scripted final : public Method {
 public:
  explicit Scripted(std::vector<double> values) : values_(std::move(values)) {}
  void start(Federation&, Vector&) override {}
  void round(Federation& fed, Vector& x) override { x[0] = values_[std::min(fed.round(), values_.size() - 1)]; }
  Traffic round_traffic(std::size_t) const override { return {}; }

 private:
  std::vector<double> values_;
};

struct Slope {
  Index dim() const { return 1; }
  double value_gradient(VecIn x, VecOut g) const {
    g[0] = 1.0;
    return x[0];
  }
};

Outcome drive_scripted(std::vector<double> values, const DriveOptions& options, double first = 0.69) {
  ClientObjectives clients;
  clients.push_back(make_client(Slope()));
  InProcessTransport transport(1);
  ThreadPool pool(1);
  Federation fed(clients, transport, pool, 1);
  Trace trace;
  Scripted method(std::move(values));
  return {drive(method, fed, Vector::Constant(1, first), options, trace), trace.rows()};
}

std::vector<double> line(double from, double slope, std::size_t count) {
  std::vector<double> values;
  for (std::size_t k = 1; k <= count; ++k) values.push_back(from + slope * static_cast<double>(k));
  return values;
}

TEST(DriverDivergence, IsSeenInFWhereTheGradientIsBounded) {
  const Outcome rising = drive_scripted(line(0.69, 1.0, 500), {.stop = {.rounds = 500}});
  EXPECT_EQ(rising.result.reason, StopReason::diverged);
  EXPECT_LT(rising.rows.back().round, 100U) << "it does not wait for the last round";
  const std::vector<double> stuck{7.1, 5.2, 6.9, 7.0, 5.3, 7.2};
  EXPECT_EQ(drive_scripted(stuck, {.stop = {.rounds = 6}}).result.reason, StopReason::diverged);
  EXPECT_EQ(drive_scripted({381.0}, {.stop = {.rounds = 1}}).result.reason, StopReason::diverged);
  EXPECT_EQ(drive_scripted({1e12, 0.1}, {.stop = {.rounds = 2}}).result.reason, StopReason::diverged)
      << "beyond all bounds at once";
}

TEST(DriverDivergence, IsTheVerdictOfTheMeasuredRowsForEveryInterval) {
  for (const std::size_t every : {1U, 7U, 100U})
    EXPECT_EQ(drive_scripted(line(0.69, 1.0, 90), {.stop = {.rounds = 90}, .every = every}).result.reason,
              StopReason::diverged)
        << every;
}

TEST(DriverDivergence, DoesNotCutOffAMethodThatRecovers) {
  std::vector<double> values{500.0, 2000.0};  // overshoots, then comes down slowly, with noise, and below the start
  while (values.back() > 0.2) {
    const double trend = 2000.0 * std::exp(-0.05 * static_cast<double>(values.size()));
    values.push_back(trend * (values.size() % 3 == 0 ? 1.2 : 1.0));
  }
  ASSERT_GT(values.size(), 100U);
  const DriveOptions options{.stop = {.rounds = values.size(), .grad_norm = 0.0}};
  EXPECT_EQ(drive_scripted(values, options).result.reason, StopReason::rounds);
  values.resize(40);  // not yet below the start, and on its way there
  EXPECT_EQ(drive_scripted(values, {.stop = {.rounds = 40}}).result.reason, StopReason::rounds);
}

TEST(DriverDivergence, IsNotANoiseFloorAboveAGoodStart) {
  const std::vector<double> floor{1e-3, 2e-3, 1e-3, 3e-3};
  EXPECT_EQ(drive_scripted(floor, {.stop = {.rounds = 200}}, 1e-9).result.reason, StopReason::rounds);
}

// Gradient descent with a kept gradient for each client. Its third round changes that state and never ends.
class EndlessThirdRound final : public Method {
 public:
  void start(Federation& fed, Vector&) override { kept_ = fed.per_client(Vector(Vector::Zero(fed.dim()))); }
  void round(Federation& fed, Vector& x) override {
    const bool endless = fed.round() == 2;
    fed.for_each_client([&](Client& i) {
      do i.gradient(x, kept_[i]);
      while (endless);
    });
    x -= 0.05 * fed.mean(kept_);
  }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override { visit.per_client("kept", kept_); }

  PerClient<Vector> kept_;
};

struct LongRun {
  DriveResult result;
  std::vector<TraceRow> rows;
  std::vector<Vector> kept;         // of the method at the end
  std::uint64_t saved_rounds = 99;  // of the checkpoint of an interruption
  int checkpoints = 0;
};

LongRun drive_long(const StopConditions& stop, StopSignal in_third_round, std::size_t threads = 1) {
  const Instance instance = random_quadratics(71);
  InProcessTransport transport(5);
  ThreadPool pool(threads);
  const Federation* running = nullptr;
  Federation fed(instance.clients, transport, pool, 1,
                 [&] { return running->ledger().rounds == 3 ? in_third_round : StopSignal::none; });
  running = &fed;
  EndlessThirdRound method;
  LongRun out;
  Trace trace;
  const DriveOptions options{.stop = stop, .patience = 0.0, .checkpoint = [&](RunState& run, bool interrupted) {
                               ++out.checkpoints;
                               if (interrupted) out.saved_rounds = run.fed.ledger().rounds;
                             }};
  out.result = drive(method, fed, instance.start, options, trace);
  out.rows = trace.rows();
  out.kept = method.kept_.hosted();
  return out;
}

TEST(DriverInsideRounds, AStopAbandonsTheRoundAndLeavesTheLastWholeOne) {
  const LongRun whole = drive_long({.rounds = 2}, StopSignal::none);
  for (const std::size_t threads : {1U, 3U}) {
    const LongRun stopped = drive_long({.rounds = 9}, StopSignal::interrupted, threads);
    EXPECT_EQ(stopped.result.reason, StopReason::interrupted);
    EXPECT_EQ(stopped.rows.back().round, 2U);
    EXPECT_EQ(stopped.saved_rounds, 2U);
    EXPECT_EQ(stopped.result.x, whole.result.x);
    EXPECT_EQ(stopped.kept, whole.kept) << "the state of the method too";
    EXPECT_EQ(stopped.rows.back().grad_evals, 2U);
    EXPECT_EQ(stopped.rows.back().exchanges, 2U);
  }
}

TEST(DriverInsideRounds, GradientEvaluationsEndARoundAtTwiceTheirLimit) {
  const LongRun out = drive_long({.rounds = 9, .grad_evals = 50}, StopSignal::none);
  EXPECT_EQ(out.result.reason, StopReason::grad_evals);
  EXPECT_EQ(out.rows.back().round, 2U);
  EXPECT_EQ(out.rows.back().grad_evals, 2U);
  EXPECT_EQ(out.checkpoints, 3) << "of the start and two rounds: after the end no round follows";
  const Outcome within = drive_gd({.stop = {.rounds = 500, .grad_evals = 6}});
  EXPECT_EQ(within.rows.back().grad_evals, 6U) << "a round that ends within twice the limit is kept";
}

TEST(DriverInsideRounds, TheClockEndsARound) {
  const LongRun out = drive_long({.rounds = 9, .seconds = 0.1}, StopSignal::none);
  EXPECT_EQ(out.result.reason, StopReason::seconds);
  EXPECT_LE(out.rows.back().round, 2U);
}

TEST(DriverInsideRounds, LocalSolvesAndCoinsEndToo) {
  const Instance instance = random_quadratics(71);
  const std::vector<std::pair<std::string, Settings>> endless{
      {"fedavg", {{"step", 0.05}, {"local_steps", std::int64_t{1} << 60}}},
      {"scaffnew", {{"step", 0.05}, {"p", 1e-15}}},
      {"dane+-fgd", {{"lambda", 1.0}, {"eta", 12.0}, {"local_steps", std::int64_t{1} << 60}}}};
  for (const auto& [name, settings] : endless) {
    InProcessTransport transport(5);
    ThreadPool pool(2);
    Federation fed(instance.clients, transport, pool, 1, [] { return StopSignal::terminated; });
    Trace trace;
    const auto method = find_method(name).make(settings);
    const DriveResult result = drive(*method, fed, instance.start, {.stop = {.rounds = 9}, .patience = 0.0}, trace);
    EXPECT_EQ(result.reason, StopReason::interrupted) << name;
    EXPECT_EQ(result.x, instance.start) << name;
  }
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
