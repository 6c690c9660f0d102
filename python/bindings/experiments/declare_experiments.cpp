// Runs, comparisons, inspections and searches; driftless/_experiments.py gives their results a form.
#include "driftless/console/log.hpp"
#include "driftless/experiments/comparison.hpp"
#include "driftless/experiments/experiment.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/tuning/tuning.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include "apps/exit_code.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/experiments/requests.hpp"
#include "python/bindings/experiments/round_reporter.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace driftless::python {
namespace {

namespace fs = std::filesystem;

// The directory of the run; it holds everything else.
fs::path run_in(const RunConfig& config, ExperimentOptions options, const py::object& on_round,
                const py::object& stop_token) {
  fs::path directory;
  serve(stop_token, [&](CallerThread& caller) {
    std::optional<RoundReporter> reporter;
    if (!on_round.is_none()) {
      reporter.emplace(caller, on_round);
      options.on_round = std::ref(*reporter);
    }
    options.stop_token = token_of(caller);
    options.exit_code = app::exit_number_of;
    directory = run_experiment(config, options).record.directory;
  });
  return directory;
}

fs::path run_source(const ConfigSource& source, const std::string& out, const py::object& on_round,
                    const py::object& stop_token) {
  start_log();
  return run_in(source.read(), {.out = out}, on_round, stop_token);
}

fs::path resume(const fs::path& directory, const py::object& on_round, const py::object& stop_token) {
  start_log();
  std::error_code error;
  if (!fs::exists(directory / "config.toml", error))
    throw ConfigError({.what = "there is no run to resume",
                       .seen = directory.string() + " has no config.toml",
                       .advice = "give the directory that driftless.run left"});
  const RunConfig config = read_config(directory / "config.toml");
  if (run_is_finished(directory, config, app::exit_number_of)) return directory;
  return run_in(config, {.out = directory.string(), .resume = true}, on_round, stop_token);
}

std::string compare(const ConfigSource& source, const std::vector<std::string>& methods, bool tables,
                    const std::vector<double>& targets, const py::object& stop_token) {
  start_log();
  for (const std::string& name : methods) find_method(name);
  for (const double target : targets)
    if (!(target > 0.0 && target < 1.0))
      throw ConfigError({.what = "a target is no part of the first gap",
                         .seen = "targets: " + number(target),
                         .advice = "give numbers above 0 and below 1, for example [1e-2, 1e-4]"});
  ComparisonOptions options{.methods = methods, .tables = tables};
  if (!targets.empty()) options.targets = targets;
  const RunConfig config = source.read(MethodTables::optional);
  std::vector<Comparison> found;
  serve(stop_token, [&](CallerThread& caller) {
    options.stop_token = token_of(caller);
    found.push_back(compare_methods(config, options));
  });
  return comparison_json(found);
}

// None where a stop token ended it: there are no constants then.
std::optional<std::string> inspect(const ConfigSource& source, const std::string& at, const std::string& along,
                                   bool trials, const py::object& stop_token) {
  start_log();
  RunConfig config = source.read();
  if (!trials) config.inspect.trials = false;
  Inspection found;
  serve(stop_token, [&](CallerThread& caller) {
    found = driftless::inspect(config, {.at = at, .along = along, .stop_token = token_of(caller)});
  });
  if (found.interrupted) return std::nullopt;
  return inspection_json(found);
}

// A search that was stopped before its first trial has no result.
py::dict tune(const ConfigSource& source, const std::string& out, const py::object& stop_token) {
  start_log();
  const TuneConfig config = read_tune_config(source.file, source.overrides);
  std::optional<TuningResult> found;
  serve(stop_token,
        [&](CallerThread& caller) { found = driftless::tune(config, {.out = out, .stop_token = token_of(caller)}); });
  py::dict result;
  result["directory"] = found->directory;
  result["complete"] = !found->interrupted();
  result["json"] = found->trials.empty() ? "{}" : tuning_json(*found);
  result["best"] = found->trials.empty() ? "" : best_toml(*found);
  return result;
}

}  // namespace

void declare_experiments(py::module_& m) {
  py::class_<ConfigSource>(m, "ConfigSource")
      .def(py::init<fs::path, std::vector<std::string>>(), py::arg("file"), py::arg("overrides"));
  m.def("run_config", &run_source, py::arg("source"), py::arg("out"), py::arg("on_round"), py::arg("stop_token"));
  m.def("resume_run", &resume, py::arg("directory"), py::arg("on_round"), py::arg("stop_token"));
  m.def("compare_methods", &compare, py::arg("source"), py::arg("methods"), py::arg("tables"), py::arg("targets"),
        py::arg("stop_token"));
  m.def("inspect_problem", &inspect, py::arg("source"), py::arg("at"), py::arg("along"), py::arg("trials"),
        py::arg("stop_token"));
  m.def("tune_methods", &tune, py::arg("source"), py::arg("out"), py::arg("stop_token"));
}

}  // namespace driftless::python
