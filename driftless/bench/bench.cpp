#include "driftless/bench/bench.hpp"

#include "driftless/console/log.hpp"
#include "driftless/core/error.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/data/synthetic.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace driftless {
namespace {

constexpr std::uint64_t seed = 1;

Dataset generated(std::size_t rows, std::size_t dim, double per_row) {
  Dataset data = generate_classification({.rows = rows, .dim = dim, .nonzeros_per_row = per_row}, seed);
  data.name = fmt::format("generated {}x{}", rows, dim);
  return data;
}

// Sets that are named must be there; the usual ones are taken as far as they are, or generated data instead of them.
std::vector<Dataset> sets_of(const BenchOptions& options) {
  std::vector<Dataset> sets;
  const auto add = [&](const std::string& name) {
    sets.push_back(read_libsvm(find_data(name), {}));
    sets.back().name = std::filesystem::path(name).filename().string();
  };
  for (const std::string& name : options.data) add(name);
  if (!options.data.empty()) return sets;
  for (const char* name : {"w8a", "a9a", "phishing", "mushrooms"}) {
    try {
      add(name);
    } catch (const DataError&) {
      log_warning(fmt::format("{} is not found and left out (driftless data get {})", name, name));
    }
  }
  if (sets.empty()) sets.push_back(generated(50000, 300, 12.0));
  return sets;
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options) : options_(options), pool_(options.threads) {}

  BenchResult run() {
    const std::vector<Dataset> sets = sets_of(options_);  // first of all, for what is not there
    say("the machine");
    result_.machine = measure_machine(pool_, options_.effort);
    for (const Dataset& data : sets) measure(data);
    for (const Index dim : {Index{100}, Index{10000}})
      for (const std::size_t clients : {std::size_t{10}, std::size_t{142}})
        if (may_continue("exchanges"))
          result_.exchanges.push_back(measure_exchange(clients, dim, pool_, options_.effort));
    if (options_.growth) measure_growth();
    return std::move(result_);
  }

 private:
  void say(const std::string& what) const {
    if (options_.progress) log_info("measuring " + what);
  }
  bool may_continue(const std::string& what) {
    result_.interrupted = result_.interrupted || options_.stop_token.stop_requested();
    if (!result_.interrupted) say(what);
    return !result_.interrupted;
  }
  PassSpeed pass(const Dataset& data, std::size_t clients) {
    return measure_pass(data, clients, result_.machine, pool_, options_.effort);
  }

  void measure(const Dataset& data) {
    const std::size_t many = std::min(options_.clients, data.rows());
    if (may_continue("passes over " + data.name)) result_.passes.push_back(pass(data, many));
    if (may_continue("passes over " + data.name + " as one client")) result_.passes.push_back(pass(data, 1));
    constexpr std::size_t solves = 20;
    if (may_continue("solves of " + data.name)) result_.solves.push_back(measure_solve(data, many, pool_, solves));
    if (may_continue("rounds of dane+ on " + data.name))
      result_.rounds.push_back(measure_dane_round(data, many, pool_, 50));
  }

  // The same kind of data in all sizes: a thousand columns, ten entries a row.
  void measure_growth() {
    constexpr double per_row = 10.0;
    constexpr std::size_t dim = 1000;
    Dataset data;
    for (double nonzeros = 1e5; nonzeros <= options_.largest * 1.01; nonzeros *= 10.0) {
      if (!may_continue(fmt::format("passes over {:.0e} nonzeros", nonzeros))) return;
      data = generated(static_cast<std::size_t>(nonzeros / per_row), dim, per_row);
      result_.growth.push_back(pass(data, 10));
    }
    for (const std::size_t clients : {100U, 1000U, 10000U}) {
      if (!may_continue(fmt::format("passes over {} clients", clients))) return;
      result_.spread.push_back(pass(data, std::min<std::size_t>(clients, data.rows())));
    }
  }

  const BenchOptions& options_;
  ThreadPool pool_;
  BenchResult result_;
};

}  // namespace

BenchResult run_bench(const BenchOptions& options) { return Bench(options).run(); }

}  // namespace driftless
