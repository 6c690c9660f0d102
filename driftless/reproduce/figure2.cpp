#include "driftless/reproduce/figure2.hpp"

#include "driftless/console/log.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/known_data.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/files/output_file.hpp"
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

std::string problem_tables(const std::string& set, Figure2Split split) {
  const std::string generator = set == "generated" ? "rows = 4000\ndim  = 100\nnonzeros_per_row = 10\n" : "";
  return fmt::format("seed = 1\n\n[problem]\nkind = \"logistic\"\ndata = \"{}\"\n{}l2   = \"1/M\"\n\n[federation]\n"
                     "clients = 5\nsplit   = \"{}\"\n{}",
                     set, generator, enum_name(split), split == Figure2Split::dirichlet ? "alpha   = 1\n" : "");
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
         fmt::format("\n[tune]\nstrategy = \"grid\"\ntargets = [{:g}]\nbudget = {{ rounds = {}, grad_evals = {} }}\n",
                     fmt::join(figure2_targets, ", "), plan.rounds, plan.gradients);
}

Figure2Set facts_of(const std::string& set, const Problem& problem, ThreadPool& pool) {
  InProcessTransport transport(problem.n);
  Federation fed(problem.clients, transport, pool, 1);
  const auto constants = [&](const Vector& x) { return federated_constants(fed, x, {.tolerance = 1e-4}).values(); };
  Figure2Set facts{.name = set,
                   .rows = 0,
                   .variables = static_cast<std::size_t>(problem.dim()),
                   .at_zero = constants(Vector::Zero(problem.dim())),
                   .at_optimum = {}};
  for (const DataSource& source : problem.data) facts.rows += source.rows;
  if (problem.reference) facts.at_optimum = constants(problem.reference->minimizer);
  return facts;
}

void write_trials(const std::filesystem::path& file, const SettingSearch& search, const TuneConfig& config) {
  std::string text = trials_header(config) + "\n";
  for (const TrialResult& trial : search.trials) text += trial_line(trial, config) + "\n";
  write_output_file(file, text);
}

bool tosses_coins(const Settings& chosen) {
  return std::ranges::any_of(chosen, [](const auto& setting) { return setting.first == "p"; });
}

std::string winners_config(const SettingSearch& search, const TuneConfig& config) {
  RunConfig run = config.run;
  run.methods.clear();
  for (std::size_t m = 0; m < search.best.size(); ++m) {
    const Settings& chosen = search.best[m].trial.trial.chosen;
    MethodConfig method = config.run.methods[m];
    method.settings = with(method.settings, chosen);
    const std::string label = method.label;
    for (std::size_t seed = 1; seed <= (tosses_coins(chosen) ? figure2_seeds : 1); ++seed) {
      method.seed = seed;
      if (tosses_coins(chosen)) method.label = fmt::format("{}-{}", label, seed);
      run.methods.push_back(method);
    }
  }
  run.stop = config.budget.stop();
  run.stop.gap = search.goal.gap;
  run.stop.grad_norm = search.goal.grad_norm;
  return "# The best settings found; 'driftless run' runs them.\n" + canonical_text(run);
}

std::vector<double> rounds_over_seeds(const Variant& variant, const Budget& budget) {
  std::vector<double> rounds;
  if (variant.runs.size() < 2) return rounds;
  for (const double target : figure2_targets) {
    const bool all = std::ranges::all_of(variant.runs, [&](const MethodOutcome* run) {
      const TraceRow* row = first_at(run->rows, target);
      return row != nullptr && budget.allows(*row);
    });
    rounds.push_back(all ? spent_until(variant, target).rounds : -1.0);
  }
  return rounds;
}

void add_winners(const std::string& set, const SettingSearch& search, const TuneConfig& config,
                 const StudyOptions& options, Figure2& figure) {
  const Experiment best = run_case(set, winners_config(search, config), options);
  const std::vector<Variant> variants = variants_of(best.record.outcomes);
  if (options.stop_token.stop_requested() || variants.size() != search.best.size()) return;
  for (std::size_t m = 0; m < search.best.size(); ++m)
    figure.lines.push_back({.data = set,
                            .method = config.run.methods[m].name,
                            .options = settings_text(search.best[m].trial.trial.chosen),
                            .found = search.best[m],
                            .rounds_over_seeds = rounds_over_seeds(variants[m], config.budget)});
  write_output_file(options.out / ("figure2-" + set + ".svg"),
                    figure_svg(progress_panels(set, variants, 0.1 * figure2_targets.back())));
}

// False where it was interrupted.
bool add_set(const std::string& set, const Figure2Plan& plan, const StudyOptions& options, Figure2& figure) {
  ThreadPool pool(0);
  const std::filesystem::path file = options.out / (set + "-search.toml");
  const std::string tables = problem_tables(set, plan.split);
  write_output_file(file, tables + "\n[stop]\nrounds = 1\n");
  const Problem problem = make_problem(read_config(file, {}, MethodTables::optional), pool);
  log_info(problem.summary);
  Figure2Set facts = facts_of(set, problem, pool);
  write_output_file(file, tables + search_tables(facts.at_zero, plan));
  const TuneConfig config = read_tune_config(file);
  const SettingSearch search = search_settings(
      config, plan.settings,
      {.out = "", .files = false, .progress = options.progress, .stop_token = options.stop_token, .problem = &problem});
  write_trials(options.out / (set + "-search.csv"), search, config);
  if (search.interrupted) return false;
  figure.sets.push_back(std::move(facts));
  add_winners(set, search, config, options, figure);
  return !options.stop_token.stop_requested();
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

Figure2 reproduce_figure2(const Figure2Plan& plan, const StudyOptions& options) {
  std::filesystem::create_directories(options.out);
  Figure2 figure;
  for (const std::string& set : plan.sets)
    if (!is_available(set)) figure.missing.push_back(set);
    else if (!add_set(set, plan, options, figure)) return figure;
  figure.complete = true;
  write_output_file(options.out / "figure2.md", figure2_markdown(figure, plan));
  return figure;
}

}  // namespace driftless
