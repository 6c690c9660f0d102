// Methods on networks, from a configuration to a trace.
#include "driftless/data/images/read_images.hpp"
#include "driftless/experiments/experiment.hpp"
#include "driftless/experiments/model_export.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/results/metrics_file.hpp"
#include "driftless/torch/device.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

class NetRun : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("net_run_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    try {
      read_images("fashion-mnist");
    } catch (const DataError& error) { GTEST_SKIP() << "fashion-mnist is not here: " << error.what(); }
  }
  void TearDown() override { fs::remove_all(folder_); }

  Experiment run(const std::string& text, const std::string& out = "out") {
    const fs::path file = folder_ / "net.toml";
    std::ofstream(file) << text;
    return run_experiment(read_config(file), {.out = (folder_ / out).string()});
  }

  fs::path folder_;
};

TEST_F(NetRun, FedAvgLearnsFashionMnistBySoftmaxRegression) {
  const Experiment done = run(R"(
[problem]
kind = "torch"
model = "softmax"
images = 20000
test_images = 5000
[federation]
clients = 10
split = "dirichlet-lin"
alpha = 0.5
[[method]]
name = "fedavg"
step = 0.05
local_steps = 20
batch = 64
[stop]
rounds = 25
[output]
every = 25
)");
  const TraceRow& last = done.record.outcomes.front().last();
  EXPECT_GE(last.test_accuracy.value_or(0.0), 0.80);
  EXPECT_GT(done.record.outcomes.front().first().test_loss.value_or(0.0), last.test_loss.value_or(9.0));
}

std::string small_cnn(const std::string& methods, const std::string& more = "") {
  return R"(
[problem]
kind = "torch"
model = "cnn"
width = 4
images = 300
test_images = 200
chunk = 100
)" + more +
         R"(
[federation]
clients = 3
threads = 2
[stop]
rounds = 2
)" + methods;
}

// The settings of the method's example, whose steps are small, with minibatches in place of what only quadratics have.
std::string net_settings(const MethodEntry& entry) {
  Settings settings = entry.demo;
  const auto set = [&](const std::string& option, OptionValue value) {
    if (!has_option(entry, option)) return;
    std::erase_if(settings, [&](const auto& s) { return s.first == option; });
    settings.emplace_back(option, std::move(value));
  };
  set("solver", std::string("sgd"));
  set("stop_rule", std::string("steps"));
  set("eta", 200.0);
  set("local_steps", std::int64_t{2});
  set("batch", std::int64_t{32});
  std::string text;
  for (const auto& [option, value] : settings) text += option + " = " + to_text(value) + "\n";
  return text;
}

// Two rounds of every method that takes minibatches.
TEST_F(NetRun, EveryMethodWithBatchesTakesTwoRoundsOnASmallCnn) {
  std::string methods;
  std::size_t count = 0;
  for (const MethodEntry& entry : method_catalog()) {
    if (!has_option(entry, "batch") || has_option(entry, "graph")) continue;
    methods += "[[method]]\nname = \"" + std::string(entry.name) + "\"\n" + net_settings(entry);
    ++count;
  }
  EXPECT_GE(count, 20U);
  const Experiment done = run(small_cnn(methods));
  ASSERT_EQ(done.record.outcomes.size(), count);
  for (const MethodOutcome& outcome : done.record.outcomes) {
    EXPECT_EQ(outcome.reason, StopReason::rounds) << outcome.method.label;
    EXPECT_TRUE(std::isfinite(outcome.last().f)) << outcome.method.label;
    EXPECT_NE(outcome.last().f, outcome.first().f) << outcome.method.label;
  }
}

TEST_F(NetRun, BitsDoNotDependOnTheNumberOfThreads) {
  const std::string method = "[[method]]\nname = \"dane+-sgd\"\nlambda = 0.1\neta = 10\nbatch = 32\nlocal_steps = 3\n";
  const std::string text = small_cnn(method, "augment = true");
  run(text, "two");
  std::string alone = text;
  alone.replace(alone.find("threads = 2"), 11, "threads = 1");
  run(alone, "one");
  EXPECT_EQ(read_npy((folder_ / "two/dane+-sgd/model.npy").string()),
            read_npy((folder_ / "one/dane+-sgd/model.npy").string()));
}

TEST_F(NetRun, RunsRepeatBitForBitByDefaultOnCudaToo) {
  EXPECT_TRUE(NetSpec().deterministic);
  if (!cuda_present()) GTEST_SKIP() << "there is no CUDA device";
  std::string text = small_cnn("[[method]]\nname = \"fedavg\"\nstep = 0.05\nbatch = 32\n", "precision = \"auto\"");
  text.replace(text.find("\"cnn\""), 5, "\"resnet18\"");
  run(text, "one");
  run(text, "two");
  EXPECT_EQ(read_npy((folder_ / "one/fedavg/model.npy").string()),
            read_npy((folder_ / "two/fedavg/model.npy").string()));
}

TEST_F(NetRun, TestScoresAreTheLastColumnsOfTheMetrics) {
  run(small_cnn("[[method]]\nname = \"fedavg\"\nstep = 0.05\nbatch = 32\n"));
  std::ifstream metrics(folder_ / "out/fedavg/metrics.csv");
  std::string header;
  std::getline(metrics, header);
  EXPECT_TRUE(header.ends_with("grad_norm,dist,test_loss,test_accuracy")) << header;
  EXPECT_EQ(read_metrics(folder_ / "out/fedavg/metrics.csv").size(), 3U);
}

TEST_F(NetRun, AnExportedModelIsAModelThatContinuesWhereTheOtherEnded) {
  const std::string method = "[[method]]\nname = \"fedavg\"\nstep = 0.05\nbatch = 32\n";
  run(small_cnn(method));
  const fs::path file = folder_ / "mine.pt";
  EXPECT_THROW(export_model(folder_ / "out", "fedprox", file), ConfigError);
  export_model(folder_ / "out", "", file);
  std::string text = small_cnn(method);
  text.replace(text.find("model = \"cnn\""), 13, "model = \"" + file.string() + "\"");
  text.erase(text.find("width = 4"), 9);
  const Experiment again = run(text, "again");
  const std::vector<TraceRow> before = read_metrics(folder_ / "out/fedavg/metrics.csv");
  EXPECT_NEAR(again.record.outcomes.front().first().f, before.back().f, 1e-5);
  EXPECT_LT(again.record.outcomes.front().last().f, before.back().f);
}

}  // namespace
}  // namespace driftless
