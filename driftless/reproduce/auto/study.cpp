#include "driftless/reproduce/auto/study.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/core/error.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/results/directory_lock.hpp"
#include "driftless/theory/federated_constants.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace driftless {
namespace {

using Clock = std::chrono::steady_clock;
using Entries = std::vector<const MethodEntry*>;

// Theory's values are the middle of wide grids, so rough constants do: the worst case of the logistic loss is at 0,
// where every run starts. Where there are many clients, those measured stand for all in δ_B.
Constants rough_constants(const Problem& problem, ThreadPool& pool, const StopToken& stop_token) {
  InProcessTransport transport(problem.n);
  Federation fed(problem.clients, problem.dim(), transport, pool, 1);
  const FederatedConstants found = federated_constants(
      fed, problem.start, {.tolerance = 1e-2, .most_products = 30, .similarity_of = 8, .stop_token = stop_token});
  Constants c = found.values();
  c.delta_B = std::max(c.delta_B, c.delta_A);
  c.delta_A_up = std::clamp(c.delta_A_up, c.delta_A, c.delta_B);
  return c;
}

class AutoRunner {
 public:
  AutoRunner(const AutoPlan& plan, const AutoStudyOptions& options)
      : plan_(plan),
        options_(options),
        entries_(plan.entries()),
        pool_(options.threads),
        lock_(options.out),
        file_(options.out, plan.budget),
        progress_(options.progress, "cells", plan.cells().size()) {}

  AutoStudy run() {
    const std::vector<AutoCell> cells = plan_.cells();
    for (const std::string& method : options_.again) file_.forget(method, cells);
    for (const AutoCell& cell : cells) {
      if (over()) break;
      visit(cell);
      progress_.add();
    }
    progress_.clear();
    AutoStudy study = collected(cells);
    write_output_file(options_.out / "auto.md", auto_markdown(study));
    write_output_file(options_.out / "auto.csv", auto_csv(study));
    write_output_file(options_.out / "auto.json", auto_json(study));
    return study;
  }

 private:
  bool over() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return options_.stop_token.stop_requested() || (options_.seconds && seconds >= *options_.seconds);
  }

  Entries pending_in(const AutoCell& cell) const {
    const AutoRecord* known = file_.find(cell);
    if (known != nullptr && !known->impossible.empty()) return {};
    Entries pending;
    for (const MethodEntry* entry : entries_)
      if (known == nullptr || known->find(entry->name) == nullptr) pending.push_back(entry);
    return pending;
  }

  bool is_missing(const std::string& set) const {
    return std::ranges::any_of(missing_, [&](const auto& each) { return each.first == set; });
  }

  void visit(const AutoCell& cell) {
    const Entries pending = pending_in(cell);
    if (pending.empty() || is_missing(cell.data)) return;
    const AutoRecord* known = file_.find(cell);
    AutoRecord record = known != nullptr ? *known : AutoRecord{.cell = cell};
    try {
      run_cell(pending, std::move(record));
    } catch (const DataError& error) {
      missing_.emplace_back(cell.data, error.info().what);
      log_warning(fmt::format("{} is left out: {}", cell.data, error.info().what));
    }
  }

  // Rows are read once more than a single run would: the budget follows from their number of entries.
  const Dataset& rows_of(const std::string& set) {
    if (set_ != set) {
      rows_ = read_libsvm(find_data(set), {.labels = Labels::real});
      set_ = set;
    }
    return rows_;
  }

  void run_cell(const Entries& pending, AutoRecord record) {
    const Dataset& rows = rows_of(record.cell.data);
    if (!record.results.empty() && record.digest != rows.digest)
      throw DataError({.what = "the data is not what the study began with",
                       .seen = fmt::format("{}: digest {}, now {}", record.cell.data, record.digest, rows.digest),
                       .advice = "use the same files, or begin another study in a new folder"});
    record.rows = rows.rows();
    record.entries = rows.nonzeros();
    record.digest = rows.digest;
    std::optional<Problem> problem;
    try {
      problem = make_problem(parse_config(config_text(record.cell), record.cell.name(), Paths::resolved), pool_);
    } catch (const ConfigError& error) {
      record.impossible = error.info().what;
      log_info(fmt::format("{}: {}", record.cell.name(), record.impossible));
      file_.put(std::move(record));
      return;
    }
    record.variables = static_cast<std::size_t>(problem->dim());
    record.gradients = plan_.budget.gradients_for(record.entries, record.variables, problem->n);
    run_methods(pending, *problem, record);
    if (record.results.empty()) return;  // interrupted
    log_info(line_of(record));
    file_.put(std::move(record));
  }

  // Methods run beside each other, each in one thread with clients of its own; a single one has all threads.
  void run_methods(Entries pending, const Problem& problem, AutoRecord& record) {
    const auto settings = settings_for(pending, problem, record);
    order_by_cost(pending);
    std::vector<ClientObjectives> copies(pending.size() > 1 ? pool_.size() : 1);
    for (std::size_t worker = 1; worker < copies.size(); ++worker)
      for (const auto& client : problem.clients) copies[worker].push_back(client->clone());
    const auto run_one = [&](std::size_t task, std::size_t worker, ThreadPool& threads) {
      const MethodEntry& entry = *pending[task];
      const AutoTask search{.problem = problem,
                            .clients = worker == 0 ? problem.clients : copies[worker],
                            .pool = threads,
                            .limits = {.exchanges = plan_.budget.exchanges,
                                       .gradients = record.gradients,
                                       .seconds = plan_.budget.seconds},
                            .stop_token = options_.stop_token};
      add_result(record, result_for(entry, settings.at(entry.name), search));
    };
    if (pending.size() == 1) {
      run_one(0, 0, pool_);
      return;
    }
    pool_.for_each(pending.size(), [&](std::size_t task, std::size_t worker) {
      ThreadPool one(1);
      run_one(task, worker, one);
    });
    sort_results(record);
  }

  struct Grid {
    std::vector<TunedSetting> settings;
    std::string unfit;  // why there is none
  };

  std::map<std::string, Grid> settings_for(const Entries& pending, const Problem& problem, const AutoRecord& record) {
    Constants constants;
    std::string unknown;
    const auto asks = [](const MethodEntry* entry) { return !entry->theory.empty(); };
    if (std::ranges::any_of(pending, asks)) {
      constants = rough_constants(problem, pool_, options_.stop_token);
      if (!std::isfinite(constants.L) || !std::isfinite(constants.delta_A))
        unknown = "its theory needs constants, which are too large for double precision";
    }
    std::map<std::string, Grid> grids;
    for (const MethodEntry* entry : pending) {
      Grid& grid = grids[entry->name];
      if (too_many_variables(*entry, record.variables))
        grid.unfit = fmt::format("{} x {} matrices", record.variables, record.variables);
      else if (asks(entry) && !unknown.empty()) grid.unfit = unknown;
      else if (entry->name == AutoPlan::subject) grid.settings = {TunedSetting{}};  // as it is: no option is given
      else grid.settings = default_settings(*entry, constants, problem.n);
    }
    return grids;
  }

  bool too_many_variables(const MethodEntry& entry, std::size_t variables) {
    if (variables <= plan_.budget.matrix_dim || entry.name == AutoPlan::subject) return false;
    const auto [known, fresh] = forms_matrices_.try_emplace(entry.name, false);
    if (fresh) known->second = forms_matrices(entry);
    return known->second;
  }

  static std::optional<AutoResult> result_for(const MethodEntry& entry, const Grid& grid, const AutoTask& search) {
    if (search.stop_token.stop_requested()) return std::nullopt;
    if (!grid.unfit.empty()) return AutoResult{.method = entry.name, .note = grid.unfit};
    try {
      return search_method(entry, grid.settings, search);
    } catch (const ConfigError& error) {  // found out only by running it on this problem
      return AutoResult{.method = entry.name, .note = error.info().what};
    }
  }

  void add_result(AutoRecord& record, std::optional<AutoResult> result) {
    if (!result) return;
    const std::scoped_lock lock(mutex_);
    seconds_[result->method] = result->seconds;
    record.results.push_back(std::move(*result));
  }

  // The most expensive ones of the last cell first, so that no thread waits long for another at the end.
  void order_by_cost(Entries& methods) const {
    const auto cost = [&](const MethodEntry* entry) {
      const auto known = seconds_.find(entry->name);
      return known == seconds_.end() ? 0.0 : -known->second;
    };
    std::ranges::stable_sort(methods, {}, cost);
  }

  // In the order of the catalogue, whichever thread was first.
  static void sort_results(AutoRecord& record) {
    std::ranges::sort(record.results, {}, [](const AutoResult& result) {
      const std::vector<MethodEntry>& catalog = method_catalog();
      return std::ranges::find(catalog, result.method, &MethodEntry::name) - catalog.begin();
    });
  }

  static std::string line_of(const AutoRecord& record) {
    double seconds = 0.0;
    for (const AutoResult& result : record.results) seconds += result.seconds;
    const auto text = [](const AutoResult* result) {
      if (result == nullptr) return std::string("none");
      return result->arrived() ? fmt::format("{} {}", result->method, result->best->cost.exchanges)
                               : fmt::format("{} did not arrive ({})", result->method, enum_name(result->end));
    };
    const AutoComparison compared = compared_in(record);
    return fmt::format("{}: {}; best tuned: {}; {:.1f} s of the processor", record.cell.name(), text(compared.own),
                       text(compared.best), seconds);
  }

  AutoStudy collected(const std::vector<AutoCell>& cells) const {
    AutoStudy study{.budget = plan_.budget, .records = {}, .missing = missing_, .pending = 0};
    for (const AutoCell& cell : cells) {
      if (const AutoRecord* record = file_.find(cell)) study.records.push_back(*record);
      if (!is_missing(cell.data) && !pending_in(cell).empty()) ++study.pending;
    }
    for (const AutoRecord& record : file_.records())
      if (std::ranges::find(cells, record.cell) == cells.end()) study.records.push_back(record);
    return study;
  }

  const AutoPlan& plan_;
  const AutoStudyOptions& options_;
  Clock::time_point start_ = Clock::now();
  Entries entries_;
  ThreadPool pool_;
  DirectoryLock lock_;
  AutoFile file_;
  CountProgress progress_;
  std::string set_;  // whose rows are in `rows_`
  Dataset rows_;
  std::vector<std::pair<std::string, std::string>> missing_;
  std::map<std::string, bool> forms_matrices_;
  std::map<std::string, double> seconds_;  // of the processor, by method, in its last cell
  std::mutex mutex_;                       // of the record under way
};

}  // namespace

AutoStudy reproduce_auto(const AutoPlan& plan, const AutoStudyOptions& options) {
  for (const std::string& method : options.again) find_method(method);
  std::filesystem::create_directories(options.out);
  return AutoRunner(plan, options).run();
}

}  // namespace driftless
