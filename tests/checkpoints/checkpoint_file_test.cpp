// A run that is saved in a file, thrown away and resumed gives the bits of one that was never interrupted.
#include "driftless/checkpoints/checkpoint_file.hpp"

#include "driftless/driftless.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct Stopped {};  // what a killed program is in a test

// Runs until the callback throws in the round given, as a program that is killed there.
void run_until_killed(const Instance& instance, const MethodEntry& entry, MinimizeOptions options,
                      std::uint64_t killed_in) {
  options.on_round = [&](const RoundInfo& r) {
    if (r.round == killed_in) throw Stopped{};
    return true;
  };
  EXPECT_THROW(minimize(instance.clients, entry.name, entry.demo, options), Stopped);
}

void expect_same_rows(std::vector<TraceRow> a, std::vector<TraceRow> b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].round, b[k].round);
    EXPECT_EQ(a[k].exchanges, b[k].exchanges);
    EXPECT_EQ(a[k].messages, b[k].messages);
    EXPECT_EQ(a[k].bytes_up, b[k].bytes_up);
    EXPECT_EQ(a[k].bytes_down, b[k].bytes_down);
    EXPECT_EQ(a[k].local_steps, b[k].local_steps);
    EXPECT_EQ(a[k].grad_evals, b[k].grad_evals);
    EXPECT_EQ(a[k].f, b[k].f);
    EXPECT_EQ(a[k].grad_norm, b[k].grad_norm);
    EXPECT_EQ(a[k].f_gap, b[k].f_gap);
    EXPECT_EQ(a[k].dist, b[k].dist);
  }
}

TEST(CheckpointFile, ARunThatWasKilledEndsWithTheSameBitsForEveryMethod) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  for (const MethodEntry& entry : method_catalog()) {
    SCOPED_TRACE(entry.name);
    CheckpointFile checkpoint(folder / "run.ckpt", 0.0);
    MinimizeOptions options{.stop = {.rounds = 6},
                            .threads = 1,
                            .seed = 4,
                            .output = OutputPoint::best,
                            .reference = Reference{instance.minimizer, instance.minimum}};
    const Summary whole = minimize(instance.clients, entry.name, entry.demo, options);
    options.checkpoint = &checkpoint;
    run_until_killed(instance, entry, options, 4);
    ASSERT_TRUE(checkpoint.exists());
    std::vector<std::uint64_t> rounds;
    options.on_round = [&](const RoundInfo& r) {
      rounds.push_back(r.round);
      return true;
    };
    const Summary resumed = minimize(instance.clients, entry.name, entry.demo, options);
    EXPECT_EQ(rounds.front(), 4U) << "the saved rounds were run a second time";
    EXPECT_TRUE(resumed.x == whole.x);
    EXPECT_TRUE(resumed.output == whole.output);
    expect_same_rows(resumed.rows, whole.rows);
    EXPECT_FALSE(checkpoint.exists()) << "a finished run leaves none";
  }
}

// Six rounds, unless `polls` is given: then the fourth is abandoned at that poll of the token. Where there is a
// checkpoint, the run is resumed.
struct Driven {
  DriveResult result;
  std::vector<TraceRow> rows;
};

Driven drive_six(const Instance& instance, const MethodEntry& entry, CheckpointFile* checkpoint, std::size_t polls) {
  InProcessTransport transport(instance.clients.size());
  ThreadPool pool(1);
  const Federation* running = nullptr;
  std::size_t asked = 0;
  Federation fed(instance.clients, transport, pool, 4, [&] {
    return running->ledger().rounds == 4 && ++asked == polls ? StopSignal::interrupted : StopSignal::none;
  });
  running = &fed;
  Trace trace(Reference{instance.minimizer, instance.minimum});
  DriveOptions options{.stop = {.rounds = 6}, .output = OutputPoint::best, .patience = 0.0};
  if (checkpoint != nullptr) {
    options.checkpoint = [&](RunState& run, bool interrupted) { checkpoint->save(run, interrupted); };
    if (checkpoint->exists()) options.restore = [&](RunState& run) { checkpoint->restore(run); };
  }
  const auto method = entry.make(entry.demo);
  DriveResult result = drive(*method, fed, instance.start, options, trace);
  return {std::move(result), trace.rows()};
}

TEST(CheckpointFile, ARunThatWasStoppedInsideARoundEndsWithTheSameBitsForEveryMethod) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  for (const MethodEntry& entry : method_catalog()) {
    const Driven whole = drive_six(instance, entry, nullptr, 0);
    for (const std::size_t polls : {1U, 4U}) {
      SCOPED_TRACE(entry.name + ", poll " + std::to_string(polls));
      CheckpointFile checkpoint(folder / "run.ckpt", 1e6);
      const Driven stopped = drive_six(instance, entry, &checkpoint, polls);
      if (polls == 1) {  // where only one client works, the fourth poll may come after the round or never
        EXPECT_EQ(stopped.result.reason, StopReason::interrupted);
        EXPECT_EQ(stopped.rows.back().round, 3U);
      }
      const Driven resumed = drive_six(instance, entry, &checkpoint, 0);
      EXPECT_TRUE(resumed.result.x == whole.result.x);
      EXPECT_TRUE(resumed.result.output == whole.result.output);
      expect_same_rows(resumed.rows, whole.rows);
      checkpoint.remove();
    }
  }
}

TEST(CheckpointFile, ARunThatWasAskedToStopCanBeResumed) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  CheckpointFile checkpoint(folder / "run.ckpt", 1e6);
  MinimizeOptions options{.stop = {.rounds = 6}, .checkpoint = &checkpoint};
  options.on_round = [](const RoundInfo& r) { return r.round != 3; };
  EXPECT_EQ(minimize(instance.clients, "gd", {{"step", 0.01}}, options).reason, StopReason::interrupted);
  EXPECT_TRUE(checkpoint.exists());
  const Summary resumed = minimize(instance.clients, "gd", {{"step", 0.01}}, options);
  EXPECT_EQ(resumed.reason, StopReason::rounds);
  EXPECT_TRUE(resumed.x == minimize(instance.clients, "gd", {{"step", 0.01}}, {.stop = {.rounds = 6}}).x);
}

TEST(CheckpointFile, RejectsTheCheckpointOfAnotherRun) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  CheckpointFile checkpoint(folder / "run.ckpt", 0.0);
  const auto run = [&](const Instance& on, const std::string& method, const Settings& settings, std::uint64_t seed) {
    minimize(on.clients, method, settings, {.stop = {.rounds = 9}, .seed = seed, .checkpoint = &checkpoint});
  };
  run_until_killed(instance, find_method("gd"), {.stop = {.rounds = 9}, .seed = 1, .checkpoint = &checkpoint}, 3);
  const Settings demo = find_method("gd").demo;
  expect_error<DataError>([&] { run(instance, "gd", demo, 2); }, {"another seed", "run.ckpt"});
  expect_error<DataError>([&] { run(instance, "gd", {{"step", 0.02}}, 1); }, {"other options", "0.02"});
  expect_error<DataError>([&] { run(demo_quadratics(11), "gd", demo, 1); }, {"another problem"});
  expect_error<DataError>([&] { run(random_quadratics(1, 4, 10), "gd", demo, 1); }, {"other clients"});
  run(instance, "gd", demo, 1);
}

TEST(CheckpointFile, RejectsAFileThatIsDamaged) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  CheckpointFile checkpoint(folder / "run.ckpt", 0.0);
  const MinimizeOptions options{.stop = {.rounds = 9}, .checkpoint = &checkpoint};
  run_until_killed(instance, find_method("gd"), options, 3);
  std::string bytes = TempFolder::read(folder / "run.ckpt");
  bytes[bytes.size() / 2] ^= 1;
  folder.write("run.ckpt", bytes);
  expect_error<DataError>([&] { minimize(instance.clients, "gd", {{"step", 0.01}}, options); }, {"damaged"});
}

TEST(CheckpointFile, SavesNoMoreOftenThanAsked) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  CheckpointFile checkpoint(folder / "run.ckpt", 1e6);
  run_until_killed(instance, find_method("gd"), {.stop = {.rounds = 9}, .checkpoint = &checkpoint}, 5);
  EXPECT_FALSE(checkpoint.exists());
}

}  // namespace
}  // namespace driftless::test
