// What one local step of a network costs, and what a federated round adds to its steps.
//
//   bench_net_steps [MODEL] [BATCH] [PRECISION…]
//
// A step is what 40 steps cost more than 10, divided by 30: copies to and from the device fall out. The share that a
// round adds is what its time exceeds that of its steps and of the pieces of its full gradients.
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/torch/net_problem.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>

namespace driftless {
namespace {

constexpr std::size_t clients = 10;
constexpr std::size_t images_each = 5120;  // whole batches of 512
constexpr std::size_t local_steps = 10;
constexpr int repeats = 5;

ImageData noise() {
  ImageSet set{.name = "noise", .digest = "", .shape = {3, 32, 32}, .classes = 10, .pixels = {}, .label = {}};
  Stream chance(1, Purpose::generator);
  set.pixels.resize(clients * images_each * set.shape.size());
  for (std::uint8_t& pixel : set.pixels) pixel = static_cast<std::uint8_t>(chance.bits());
  for (std::size_t k = 0; k < clients * images_each; ++k) set.label.push_back(static_cast<std::int32_t>(k % 10));
  ImageSet test = set;
  test.pixels.resize(1000 * set.shape.size());
  test.label.resize(1000);
  return {.train = std::move(set), .test = std::move(test), .mean = {0.5, 0.5, 0.5}, .deviation = {0.25, 0.25, 0.25}};
}

Partition even_split() {
  Partition partition;
  partition.clients.resize(clients);
  for (std::size_t k = 0; k < clients * images_each; ++k)
    partition.clients[k / images_each].push_back(static_cast<std::int32_t>(k));
  return partition;
}

// Seconds, the least of the repeats.
double seconds(const std::function<void()>& work) {
  double least = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const auto start = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

double step_seconds(const NetProblem& net, std::size_t batch) {
  const ClientObjective& f = *net.clients.front();
  Workspace scratch(f.dim());
  BatchSampler batches(1, 0);
  SolveContext context{scratch, batches};
  const auto solve = [&](std::size_t steps) {
    Vector y = net.start;
    f.minimize({}, y, Sgd{.eta = 100.0, .batch = batch, .steps = steps}, context);
  };
  solve(10);  // everything is loaded and recorded
  return (seconds([&] { solve(40); }) - seconds([&] { solve(10); })) / 30.0;
}

// One round of a method and the batches that pass through the network in it.
void show_round(const NetProblem& net, const std::string& name, const Settings& settings, double batches, double step) {
  ThreadPool pool(0);
  InProcessTransport transport(clients);
  Federation fed(net.clients, transport, pool, 1);
  const std::unique_ptr<Method> method = find_method(name).make(settings);
  Vector x = net.start;
  fed.begin_round();
  method->start(fed, x);
  const auto round = [&] {
    fed.begin_round();
    method->round(fed, x);
  };
  round();
  const double whole = seconds(round);
  fmt::print("  {:<10} round {:8.1f} ms, {:.0f} batches {:8.1f} ms: the federation adds {:.1f} %\n", name, 1e3 * whole,
             batches, 1e3 * batches * step, 100.0 * (whole - batches * step) / whole);
}

void measure(const std::string& model, std::size_t batch, const std::string& precision, bool deterministic) {
  NetSpec spec;
  spec.deterministic = deterministic;
  spec.model = model;
  spec.chunk = batch;
  if (!OptionType<Precision>::read(OptionValue(precision), spec.precision))
    throw ConfigError({.what = "no such precision", .seen = precision, .advice = OptionType<Precision>::allowed()});
  const NetProblem net = make_net_problem(spec, noise(), even_split(), 1, ThreadPool(0).size());
  const double step = step_seconds(net, batch);
  fmt::print("{} batch {} {}{}: {:.3f} ms a step\n", model, batch, net.arithmetic,
             deterministic ? "" : ", not deterministic", 1e3 * step);
  const Settings common{{"batch", static_cast<std::int64_t>(batch)}};
  const auto with = [&](Settings more) {
    more.insert(more.end(), common.begin(), common.end());
    return more;
  };
  const double steps = double(clients * local_steps), pieces = double(clients * images_each / batch);
  show_round(net, "fedavg", with({{"step", 0.01}}), steps, step);
  show_round(net, "fedprox", with({{"lambda", 0.1}, {"eta", 100.0}, {"solver", std::string("sgd")}}), steps, step);
  show_round(net, "dane+-sgd", with({{"lambda", 0.1}, {"eta", 100.0}}), steps + pieces, step);
}

}  // namespace
}  // namespace driftless

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const std::string model = words.empty() ? "resnet18" : words[0];
  const std::size_t batch = words.size() < 2 ? 512 : std::stoul(words[1]);
  const std::vector<std::string> precisions =
      words.size() < 3 ? std::vector<std::string>{"auto"} : std::vector<std::string>(words.begin() + 2, words.end());
  try {
    for (const std::string& precision : precisions)
      for (const bool deterministic : {true, false}) driftless::measure(model, batch, precision, deterministic);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
