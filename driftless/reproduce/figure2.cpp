#include "driftless/reproduce/figure2.hpp"

#include "driftless/console/log.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/known_data.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/methods/uses_chance.hpp"
#include "driftless/results/target_table.hpp"
#include "driftless/theory/federated_constants.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

bool is_available(const std::string& set) {
  if (set == "generated") return true;
  try {
    find_data(set);
    return true;
  } catch (const DataError&) { return false; }
}

// The seed of the run divides the rows; generated data has a seed of its own, so that all draws divide the same rows.
std::string problem_tables(const Figure2Case& c, std::size_t draw) {
  const std::string generator =
      c.data == "generated" ? "seed = 1\nrows = 4000\ndim  = 100\nnonzeros_per_row = 10\n" : "";
  const std::string split = c.alpha ? fmt::format("\"dirichlet\"\nalpha   = {:g}\n", *c.alpha) : "\"iid\"\n";
  return fmt::format("seed = {}\n\n[problem]\nkind = \"logistic\"\ndata = \"{}\"\n{}l2   = \"1/M\"\n\n[federation]\n"
                     "clients = 5\nsplit   = {}",
                     draw, c.data, generator, split);
}

// An option left open, with numbers times a unit.
std::string open(const std::string& option, std::initializer_list<double> factors, double unit = 1.0) {
  std::vector<std::string> numbers;
  for (const double factor : factors) numbers.push_back(fmt::format("{:.6g}", factor * unit));
  return fmt::format("{} = [{}]\n", option, fmt::join(numbers, ", "));
}

// Where the search begins. L and L_f are those at 0, where the logistic loss bends most; nearer to the optimum it bends
// less, and longer steps than 1/L pay, so that every method's step is left open.
std::string search_tables(const Constants& c, const Figure2Plan& plan) {
  const auto method = [](const std::string& name, const std::string& given, const std::string& search) {
    return fmt::format("\n[[method]]\nname = \"{}\"\n{}[method.search]\n{}", name, given, search);
  };
  const std::string eta = open("eta", {1.0, 0.125}, c.L);
  const std::string lambda = open("lambda", {1e-3, 1e-1}, c.L);
  const std::string step = open("step", {1.0, 8.0}, 1.0 / c.L);
  return method("gd", "", open("step", {1.0, 4.0}, 1.0 / c.L_f)) +
         method("scaffold", "control_variate = \"exact\"\n", step + open("local_steps", {5, 20})) +
         method("scaffnew", "", step + open("p", {0.2, 0.05})) +
         method("fedprox", "solver = \"gd\"\n", eta + lambda + open("local_steps", {5, 20})) +
         method("dane+-gd", fmt::format("mu = {:.6g}\n", c.mu), eta + lambda + open("max_steps", {5, 20})) +
         method("fedred-gd", "", eta + lambda + open("p", {0.2, 0.05})) +
         fmt::format("\n[tune]\nstrategy = \"grid\"\ntargets = [{:g}]\nseeds = {}\n"
                     "budget = {{ rounds = {}, grad_evals = {} }}\n",
                     fmt::join(figure2_targets, ", "), plan.seeds, plan.rounds, plan.gradients);
}

void add_facts(const Problem& problem, ThreadPool& pool, Figure2Case& c) {
  InProcessTransport transport(problem.n);
  Federation fed(problem.clients, transport, pool, 1);
  const auto constants = [&](const Vector& x) { return federated_constants(fed, x, {.tolerance = 1e-3}).values(); };
  c.variables = static_cast<std::size_t>(problem.dim());
  c.rows = 0;
  for (const DataSource& source : problem.data) c.rows += source.rows;
  c.at_zero.push_back(constants(Vector::Zero(problem.dim())));
  if (problem.reference) c.at_optimum.push_back(constants(problem.reference->minimizer));
}

void write_trials(const std::filesystem::path& file, const SettingSearch& search, const TuneConfig& config) {
  std::string text = trials_header(config) + "\n";
  for (const TrialResult& trial : search.trials) text += trial_line(trial, config) + "\n";
  write_output_file(file, text);
}

// The best settings for one draw.
std::string winners_config(const SettingSearch& search, const TuneConfig& config, const Figure2Case& c,
                           std::size_t draw, const Figure2Plan& plan) {
  RunConfig run = config.run;
  run.seed = draw;
  run.methods.clear();
  for (std::size_t m = 0; m < search.best.size(); ++m) {
    MethodConfig method = config.run.methods[m];
    const Settings chosen =
        rescaled(method.name, search.best[m].trial.trial.chosen, c.at_zero.front(), c.at_zero.back());
    method.settings = with(method.settings, chosen);
    const std::string label = method.label;
    const std::size_t seeds = uses_chance(find_method(method.name), method.settings) ? plan.seeds : 1;
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
      method.seed = seed;
      if (seeds > 1) method.label = fmt::format("{}-{}", label, seed);
      run.methods.push_back(method);
    }
  }
  run.stop = config.budget.stop();
  run.stop.gap = search.goal.gap;
  run.stop.grad_norm = search.goal.grad_norm;
  return "# The best settings found, for this draw; 'driftless run' runs them.\n" + canonical_text(run);
}

Figure2Run costs_of(const MethodOutcome& run, const Budget& budget) {
  Figure2Run costs;
  for (std::size_t t = 0; t < figure2_targets.size(); ++t) {
    const TraceRow* row = first_at(run.rows, figure2_targets[t]);
    if (row != nullptr && budget.allows(*row)) costs[t] = cost_of(*row);
  }
  return costs;
}

std::string options_text(const std::string& method, const Settings& chosen, const Constants& c) {
  std::vector<std::string> words;
  for (const auto& [option, value] : chosen) {
    const auto* number = std::get_if<double>(&value);
    if (option == "step" && method == "gd") words.push_back(fmt::format("step = {:.3g}/L_f", *number * c.L_f));
    else if (option == "step") words.push_back(fmt::format("step = {:.3g}/L", *number * c.L));
    else if (option == "eta" || option == "lambda")
      words.push_back(fmt::format("{} = {:.3g} L", option, *number / c.L));
    else words.push_back(settings_text({{option, value}}));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// One case: the search on its first draw, the winners on all.
class CaseStudy {
 public:
  CaseStudy(Figure2Case& c, const Figure2Plan& plan, const StudyOptions& options)
      : case_(c), plan_(plan), options_(options) {}

  // False where it was interrupted.
  bool run(std::size_t number, Figure2& figure) {
    const Problem first = problem_of(1);
    log_info(first.summary);
    const std::filesystem::path file = options_.out / (case_.name() + "-search.toml");
    write_output_file(file, problem_tables(case_, 1) + search_tables(case_.at_zero.front(), plan_));
    config_ = read_tune_config(file);
    search_ = search_settings(config_, plan_.settings,
                              {.out = "",
                               .files = false,
                               .progress = options_.progress,
                               .stop_token = options_.stop_token,
                               .problem = &first});
    write_trials(options_.out / (case_.name() + "-search.csv"), search_, config_);
    if (search_.interrupted) return false;
    for (std::size_t draw = 1; draw <= plan_.draws; ++draw) {
      if (draw > 1) problem_of(draw);
      add_runs(draw);
      if (options_.stop_token.stop_requested()) return false;
    }
    report(number, figure);
    return true;
  }

 private:
  Problem problem_of(std::size_t draw) {
    const std::filesystem::path file = options_.out / (case_.name() + "-search.toml");
    if (draw == 1) write_output_file(file, problem_tables(case_, draw) + "\n[stop]\nrounds = 1\n");
    RunConfig config = draw == 1 ? read_config(file, {}, MethodTables::optional) : config_.run;
    config.seed = draw;
    Problem problem = make_problem(config, pool_);
    add_facts(problem, pool_, case_);
    return problem;
  }

  void add_runs(std::size_t draw) {
    const std::string name = fmt::format("{}-draw{}", case_.name(), draw);
    Experiment best = run_case(name, winners_config(search_, config_, case_, draw, plan_), options_);
    for (MethodOutcome& outcome : best.record.outcomes) outcomes_.push_back(std::move(outcome));
  }

  void report(std::size_t number, Figure2& figure) const {
    const std::vector<Variant> variants = variants_of(outcomes_);
    for (std::size_t m = 0; m < search_.best.size(); ++m) {
      const std::string& method = config_.run.methods[m].name;
      const Settings& chosen = search_.best[m].trial.trial.chosen;
      Figure2Line line{.of = number,
                       .method = method,
                       .options = options_text(method, chosen, case_.at_zero.front()),
                       .found = search_.best[m],
                       .runs = {}};
      for (const MethodOutcome* run : variants[m].runs) line.runs.push_back(costs_of(*run, config_.budget));
      figure.lines.push_back(std::move(line));
    }
    write_output_file(options_.out / ("figure2-" + case_.name() + ".svg"),
                      figure_svg(progress_panels(case_.name(), variants, 0.1 * figure2_targets.back())));
  }

  Figure2Case& case_;
  const Figure2Plan& plan_;
  const StudyOptions& options_;
  ThreadPool pool_{0};
  TuneConfig config_;
  SettingSearch search_;
  std::vector<MethodOutcome> outcomes_;  // of all draws
};

std::vector<Figure2Case> cases_of(const std::string& set, const Figure2Plan& plan) {
  std::vector<Figure2Case> cases;
  if (plan.split == Figure2Split::iid) cases.push_back({.data = set, .alpha = {}, .at_zero = {}, .at_optimum = {}});
  else
    for (const double alpha : plan.alphas)
      cases.push_back({.data = set, .alpha = alpha, .at_zero = {}, .at_optimum = {}});
  return cases;
}

}  // namespace

std::vector<std::string> figure2_sets() { return {"generated", "mushrooms", "ijcnn1", "w8a", "duke"}; }

std::vector<std::string> figure2_all_sets() {
  std::vector<std::string> sets = figure2_sets();
  for (const KnownData& known : known_data()) {
    const bool two_classes = known.address.starts_with("binary/");
    const std::string name(known.name);
    if (two_classes && !name.ends_with(".t") && std::ranges::find(sets, name) == sets.end()) sets.push_back(name);
  }
  return sets;
}

Figure2Plan quick_figure2_plan() {
  return {.sets = {"generated", "mushrooms"}, .draws = 2, .seeds = 2, .settings = 10};
}

std::string Figure2Case::name() const { return data + (alpha ? fmt::format("-alpha{:g}", *alpha) : "-iid"); }

Settings rescaled(const std::string& method, Settings chosen, const Constants& from, const Constants& to) {
  for (auto& [option, value] : chosen) {
    auto* number = std::get_if<double>(&value);
    if (option == "step") *number *= method == "gd" ? from.L_f / to.L_f : from.L / to.L;
    if (option == "eta" || option == "lambda") *number *= to.L / from.L;
  }
  return chosen;
}

Figure2Median median_of(const std::vector<Figure2Run>& runs, std::size_t target, std::uint64_t Cost::* count) {
  std::vector<double> costs;
  for (const Figure2Run& run : runs)
    if (run[target]) costs.push_back(static_cast<double>(*run[target].*count));
  std::ranges::sort(costs);
  Figure2Median median;
  if (costs.empty()) return median;
  median.least = costs.front();
  if (costs.size() == runs.size()) median.most = costs.back();
  const std::size_t middle = runs.size() / 2;
  if (middle >= costs.size()) return median;
  median.middle = runs.size() % 2 == 1 ? costs[middle] : 0.5 * (costs[middle - 1] + costs[middle]);
  return median;
}

Figure2 reproduce_figure2(const Figure2Plan& plan, const StudyOptions& options) {
  std::filesystem::create_directories(options.out);
  Figure2 figure;
  for (const std::string& set : plan.sets) {
    if (!is_available(set)) {
      figure.missing.push_back(set);
      continue;
    }
    for (Figure2Case& c : cases_of(set, plan)) {
      if (!CaseStudy(c, plan, options).run(figure.cases.size(), figure)) return figure;
      figure.cases.push_back(std::move(c));
      write_output_file(options.out / "figure2.md", figure2_markdown(figure, plan));
    }
  }
  figure.complete = true;
  write_output_file(options.out / "figure2.md", figure2_markdown(figure, plan));
  return figure;
}

}  // namespace driftless
