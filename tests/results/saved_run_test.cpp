// A run that is restored from a checkpoint continues as without the interruption: for every method of the catalogue,
// with each of its choices.
#include "driftless/results/saved_run.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>
#include <map>
#include <regex>

namespace driftless::test {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

constexpr std::uint64_t saved_round = 3, last_round = 6;

struct Case {
  std::string method;
  Settings settings;
  OutputPoint output = OutputPoint::last;
};

struct Ended {
  DriveResult result;
  std::string metrics;                               // without times
  std::map<std::uint64_t, std::string> checkpoints;  // by round
};

std::string without_times(std::vector<TraceRow> rows) {
  std::string text;
  for (TraceRow& row : rows) {
    row.wall_s = 0.0;
    text += csv_line(row) + "\n";
  }
  return text;
}

// Objectives, federation and method of its own, as in a new process.
class Process {
 public:
  Process(const fs::path& folder, const Case& c) : folder_(folder), case_(c) {}

  Ended run(bool resume, std::size_t every = 1, std::uint64_t interrupted_in = 0) {
    InProcessTransport transport(instance_.clients.size());
    const StateOwner owner{"digest", 5, transport.layout().hosted, case_.method};
    std::optional<SavedRun> saved;
    if (resume) saved.emplace(folder_, owner);
    MetricsFile metrics = saved ? MetricsFile::continuing(folder_, saved->rows(), false) : MetricsFile(folder_, false);
    RunSaver saver(folder_, owner, 0.0, metrics);
    const auto interrupt = [&](const Federation& fed) {
      return fed.ledger().rounds == interrupted_in ? StopSignal::interrupted : StopSignal::none;
    };
    Federation fed(instance_.clients, transport, pool_, 7, [&] { return interrupt(fed); });
    // Times differ between runs, and so would the digests of the metrics.
    const auto sink = [&](TraceRow row) {
      row.wall_s = 0.0;
      metrics.add(row);
    };
    Trace trace(Reference{instance_.minimizer, instance_.minimum}, sink);
    Ended ended;
    DriveOptions options{.stop = {.rounds = last_round + 1},
                         .output = case_.output,
                         .every = every,
                         .checkpoint = [&](RunState& state, bool interrupted) {
                           const std::uint64_t round = state.fed.ledger().rounds;
                           state.seconds = 0.0;
                           ended.checkpoints[round] = state_bytes(state, owner, metrics.digest());
                           if (interrupted) saver.checkpoint(state, interrupted);
                         }};
    if (saved) options.restore = [&](RunState& state) { saved->restore(state); };
    const auto method = find_method(case_.method).make(case_.settings);
    ended.result = drive(*method, fed, instance_.start, options, trace);
    EXPECT_EQ(without_times(trace.rows()), without_times(read_metrics(folder_ / "metrics.csv")));
    ended.metrics = without_times(trace.rows());
    return ended;
  }

 private:
  fs::path folder_;
  Case case_;
  Instance instance_ = demo_quadratics(10);
  ThreadPool pool_{1};
};

void write_checkpoint(const fs::path& folder, const std::string& bytes) {
  std::ofstream(folder / "state.bin", std::ios::binary) << bytes;
}

void expect_continues(const TempFolder& folder, const Case& c) {
  const Ended whole = Process(folder.path(), c).run(false);
  ASSERT_TRUE(whole.checkpoints.contains(last_round)) << "the run ended early";
  write_checkpoint(folder.path(), whole.checkpoints.at(saved_round));
  const Ended resumed = Process(folder.path(), c).run(true);
  EXPECT_TRUE(resumed.result.x == whole.result.x);
  EXPECT_TRUE(resumed.result.output == whole.result.output);
  EXPECT_EQ(resumed.metrics, whole.metrics);
  EXPECT_TRUE(resumed.checkpoints.at(last_round) == whole.checkpoints.at(last_round))
      << "x, counts or variables differ";
  EXPECT_FALSE(resumed.checkpoints.contains(saved_round)) << "it started from the beginning";
}

// Both values of a switch, all names of a choice; a few clients and small batches where a method takes them.
std::vector<OptionValue> other_values(const OptionInfo& option) {
  if (option.name == "cohort" || option.name == "batch" || option.name == "mixing_steps") return {std::int64_t{2}};
  if (option.kind == OptionKind::boolean) return {true, false};
  return {option.choices.begin(), option.choices.end()};
}

// The settings, or none where the method rejects them.
bool fits(const std::string& method, const Settings& settings) {
  try {
    find_method(method).make(settings)->round_traffic(5);
    return true;
  } catch (const ConfigError&) { return false; }
}

std::vector<Settings> variants(const MethodEntry& entry) {
  std::vector<Settings> all{entry.demo};
  for (const OptionInfo& option : entry.options)
    for (const OptionValue& value : other_values(option)) {
      const Settings variant = with(entry.demo, {{option.name, value}});
      if (fits(entry.name, variant)) all.push_back(variant);
    }
  const std::vector<Settings> more{
      {{"solver", "sgd"s}, {"eta", 200.0}, {"batch", std::int64_t{2}}},
      {{"compressor", "rand-k"s}, {"memory", "difference"s}},
      {{"compressor", "top-k"s}, {"memory", "error-feedback"s}},
      {{"cohort", std::int64_t{2}}, {"batch", std::int64_t{3}}},
      {{"directions", std::int64_t{3}}},
      {{"mixing", "chebyshev"s}, {"mixing_steps", std::int64_t{2}}},
  };
  for (const Settings& settings : more)
    if (fits(entry.name, with(entry.demo, settings))) all.push_back(with(entry.demo, settings));
  return all;
}

class SavedMethod : public testing::TestWithParam<std::string> {};

TEST_P(SavedMethod, ContinuesToTheBitWithEachOfItsChoices) {
  const TempFolder folder;
  for (const Settings& settings : variants(find_method(GetParam()))) {
    std::string text;
    for (const auto& [key, value] : settings) text += key + " = " + to_text(value) + ", ";
    SCOPED_TRACE(text);
    expect_continues(folder, {GetParam(), settings});
  }
}

TEST_P(SavedMethod, ContinuesToTheBitWithEachOutputPoint) {
  const TempFolder folder;
  const MethodEntry& entry = find_method(GetParam());
  for (const OutputPoint point :
       {OutputPoint::best, OutputPoint::best_gradient, OutputPoint::weighted, OutputPoint::uniform}) {
    const bool own = point == OutputPoint::weighted || point == OutputPoint::uniform;
    if (own && !entry.make(entry.demo)->keep_for_output(point)) continue;
    SCOPED_TRACE(enum_name(point));
    expect_continues(folder, {GetParam(), entry.demo, point});
  }
}

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog()) names.push_back(entry.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& method) {
  return std::regex_replace(std::regex_replace(method.param, std::regex("\\+"), "P"), std::regex("-"), "_");
}

INSTANTIATE_TEST_SUITE_P(Catalog, SavedMethod, testing::ValuesIn(all_methods()), test_name);

const Case gd{"gd", {{"step", 0.01}}};

TEST(SavedRun, AnInterruptedRunContinuesWithoutTheRowThatTheInterruptionAdded) {
  const TempFolder folder;
  const Ended whole = Process(folder.path(), gd).run(false, 4);
  const Ended left = Process(folder.path(), gd).run(false, 4, 5);
  EXPECT_EQ(left.result.reason, StopReason::interrupted);
  EXPECT_NE(left.metrics, whole.metrics.substr(0, left.metrics.size()));
  const Ended resumed = Process(folder.path(), gd).run(true, 4);
  EXPECT_EQ(resumed.result.reason, StopReason::rounds);
  EXPECT_EQ(resumed.metrics, whole.metrics);
  EXPECT_TRUE(resumed.result.x == whole.result.x);
}

TEST(SavedRun, RowsAfterTheCheckpointAreRemovedFromBothFiles) {
  const TempFolder folder;
  const Ended whole = Process(folder.path(), gd).run(false);
  const std::string jsonl = TempFolder::read(folder / "metrics.jsonl");
  write_checkpoint(folder.path(), whole.checkpoints.at(saved_round));
  std::ofstream(folder / "metrics.csv", std::ios::app) << "8,8,half of a li";
  Process(folder.path(), gd).run(true);
  const std::string again = TempFolder::read(folder / "metrics.jsonl");
  EXPECT_EQ(std::ranges::count(again, '\n'), std::ranges::count(jsonl, '\n'));
}

TEST(SavedRun, MetricsThatAreShorterThanTheCheckpointAreRejected) {
  const TempFolder folder;
  write_checkpoint(folder.path(), Process(folder.path(), gd).run(false).checkpoints.at(last_round));
  const std::string csv = TempFolder::read(folder / "metrics.csv");
  folder.write("metrics.csv", csv.substr(0, csv.find("\n2,") + 1));
  expect_error<DataError>([&] { Process(folder.path(), gd).run(true); }, {"metrics", "7 rows up to round 6"});
}

TEST(SavedRun, MetricsWithAChangedDigitAreRejected) {
  const TempFolder folder;
  write_checkpoint(folder.path(), Process(folder.path(), gd).run(false).checkpoints.at(saved_round));
  const std::string csv = TempFolder::read(folder / "metrics.csv");
  std::string changed = csv;
  char& digit = changed[changed.find("\n2,") + 3];
  digit = digit == '9' ? '8' : '9';
  folder.write("metrics.csv", changed);
  expect_error<DataError>([&] { Process(folder.path(), gd).run(true); }, {"metrics", "digest", "metrics.csv"});
  folder.write("metrics.csv", csv);
  Process(folder.path(), gd).run(true);
}

TEST(SavedRun, TheCheckpointOfAnotherMethodIsRejected) {
  const TempFolder folder;
  write_checkpoint(folder.path(), Process(folder.path(), gd).run(false).checkpoints.at(last_round));
  const Case agd{"agd", {{"step", 0.01}, {"mu", 1.0}}};
  expect_error<DataError>([&] { Process(folder.path(), agd).run(true); }, {"another method", "state.bin"});
}

TEST(SavedRun, WritesNoMoreOftenThanConfigured) {
  const TempFolder folder;
  const Instance instance = demo_quadratics(10);
  InProcessTransport transport(5);
  ThreadPool pool(1);
  Federation fed(instance.clients, transport, pool, 1);
  Trace trace;
  MetricsFile metrics(folder.path());
  RunSaver saver(folder.path(), {"digest", 5, transport.layout().hosted, "gd"}, 1e6, metrics);
  const auto method = find_method("gd").make({{"step", 0.01}});
  drive(*method, fed, instance.start,
        {.stop = {.rounds = 5}, .checkpoint = [&](RunState& state, bool) { saver.checkpoint(state, false); }}, trace);
  EXPECT_FALSE(SavedRun::exists(folder.path()));
  Vector x = instance.start;
  RunState state{*method, fed, trace, x, 0.0};
  saver.checkpoint(state, true);
  EXPECT_TRUE(SavedRun::exists(folder.path()));
  SavedRun::remove(folder.path());
  EXPECT_FALSE(SavedRun::exists(folder.path()));
}

}  // namespace
}  // namespace driftless::test
