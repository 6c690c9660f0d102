#include "driftless/optimize/minimize.hpp"

#include "driftless/checkpoints/checkpoint_file.hpp"
#include "driftless/config/theory_settings.hpp"
#include "driftless/problems/problem_constants.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/objectives/objective.hpp"
#include "python/bindings/run/caller_thread.hpp"
#include "python/bindings/run/python_method.hpp"
#include "python/bindings/settings.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace driftless::python {
namespace {

// What driftless.minimize is told besides clients and method; driftless/_minimize.py fills it in.
struct RunRequest {
  py::dict stop;
  std::size_t threads = 0;
  std::uint64_t seed = 1;
  std::string output = "last";
  std::size_t every = 1;
  py::object start = py::none();
  py::object minimizer = py::none();
  double minimum = 0.0;
  py::object callback = py::none();
  py::object stop_token = py::none();
  std::optional<std::filesystem::path> checkpoint;
  double checkpoint_seconds = 60.0;
};

MinimizeOptions run_options(const RunRequest& request, Index dim) {
  MinimizeOptions options{.stop = read_options<StopConditions>(request.stop),
                          .threads = request.threads,
                          .seed = request.seed,
                          .every = request.every};
  if (!OptionType<OutputPoint>::read(request.output, options.output))
    throw ConfigError({.what = "there is no output point of this name",
                       .seen = "output = " + toml_string(request.output),
                       .advice = "use one of: " + OptionType<OutputPoint>::allowed()});
  if (!request.start.is_none()) options.start = to_vector(request.start, "start", dim);
  if (!request.minimizer.is_none())
    options.reference =
        Reference{.minimizer = to_vector(request.minimizer, "reference", dim), .minimum = request.minimum};
  return options;
}

py::dict counts_of(const TraceRow& row) {
  py::dict counts;
  counts["round"] = row.round;
  counts["exchanges"] = row.exchanges;
  counts["messages"] = row.messages;
  counts["bytes_up"] = row.bytes_up;
  counts["bytes_down"] = row.bytes_down;
  counts["local_steps"] = row.local_steps;
  counts["grad_evals"] = row.grad_evals;
  counts["wall_s"] = row.wall_s;
  counts["f"] = row.f;
  counts["f_gap"] = row.f_gap;
  counts["grad_norm"] = row.grad_norm;
  counts["dist"] = row.dist;
  return counts;
}

// Called by the thread of the run. Only False ends the run: None is what a function without a return gives.
bool continues_after(CallerThread& caller, const py::object& callback, const RoundInfo& info) {
  bool next = true;
  caller.call([&] {
    const py::object answer = callback(counts_of(info), to_array(info.x));
    next = !answer.is(py::bool_(false));
  });
  return next;
}

// Values from theory follow from the constants of these clients; none where their measurement was interrupted.
std::optional<Settings> with_theory(const std::string& name, Settings settings, const ClientObjectives& clients,
                                    const Objectives& objectives, const MinimizeOptions& options) {
  if (!asks_for_theory(settings)) return settings;
  const MethodEntry& entry = entry_for(find_method(name), settings);
  for (const auto& [option, value] : settings)
    if (asks_for_theory(value)) require_theory(entry, option);
  entry.check(settings);
  Problem problem;
  problem.n = clients.size();
  for (const auto& client : clients) problem.clients.push_back(client->clone());
  problem.start = options.start.size() > 0 ? options.start : Vector::Zero(clients.front()->dim());
  problem.reference = options.reference;
  problem.beta = objectives.front()->penalty().beta;
  problem.l2 = objectives.front()->penalty().l2;
  problem.summary = objectives.front()->text();
  ThreadPool pool(options.threads);
  const auto constants =
      problem_constants(problem, pool, {.noise = needs_noise(entry, settings), .stop_token = options.stop_token});
  if (!constants) return std::nullopt;
  return resolve_settings(entry, settings, constants->values, name).settings;
}

void add_goal(const MethodEntry& entry, const StopConditions& stop, Settings& settings) {
  const auto is_goal = [&](const auto& setting) { return setting.first == entry.goal_option; };
  if (stop.grad_norm && !entry.goal_option.empty() && std::ranges::none_of(settings, is_goal))
    settings.emplace_back(entry.goal_option, *stop.grad_norm);
}

std::optional<Summary> minimize_by_name(const std::string& name, const Settings& settings,
                                        const ClientObjectives& clients, const Objectives& objectives,
                                        const MinimizeOptions& options) {
  const std::optional<Settings> resolved = with_theory(name, settings, clients, objectives, options);
  if (!resolved) return std::nullopt;
  return minimize(clients, name, *resolved, options);
}

template <class Column, class Value>
py::array_t<Column> column_of(const std::vector<TraceRow>& rows, const Value& value) {
  py::array_t<Column> column(static_cast<py::ssize_t>(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) column.mutable_data()[r] = static_cast<Column>(value(rows[r]));
  return column;
}

// The columns of metrics.csv, with NaN where it has nothing.
py::dict columns_of(const std::vector<TraceRow>& rows) {
  py::dict columns;
  const auto count = [&](const char* name, std::uint64_t TraceRow::* member) {
    columns[name] = column_of<std::int64_t>(rows, [&](const TraceRow& row) { return row.*member; });
  };
  const auto measured = [&](const char* name, double TraceRow::* member) {
    columns[name] = column_of<double>(rows, [&](const TraceRow& row) { return row.*member; });
  };
  const auto known = [&](const char* name, std::optional<double> TraceRow::* member) {
    columns[name] = column_of<double>(
        rows, [&](const TraceRow& row) { return (row.*member).value_or(std::numeric_limits<double>::quiet_NaN()); });
  };
  count("round", &TraceRow::round);
  count("exchanges", &TraceRow::exchanges);
  count("messages", &TraceRow::messages);
  count("bytes_up", &TraceRow::bytes_up);
  count("bytes_down", &TraceRow::bytes_down);
  count("local_steps", &TraceRow::local_steps);
  count("grad_evals", &TraceRow::grad_evals);
  measured("wall_s", &TraceRow::wall_s);
  measured("f", &TraceRow::f);
  known("f_gap", &TraceRow::f_gap);
  measured("grad_norm", &TraceRow::grad_norm);
  known("dist", &TraceRow::dist);
  return columns;
}

py::object decision_of(const Summary& summary) {
  if (!summary.decision) return py::none();
  py::dict decision;
  decision["chosen"] = summary.decision->chosen;
  decision["reason"] = summary.decision->reason;
  decision["measured"] = py::dict();
  for (const auto& [name, value] : summary.decision->measured) decision["measured"][py::str(name)] = value;
  return decision;
}

py::dict to_python(const Summary& summary) {
  py::dict result;
  result["reason"] = std::string(enum_name(summary.reason));
  result["brief"] = summary.brief();
  result["x"] = to_array(summary.x);
  result["output"] = to_array(summary.output);
  result["columns"] = columns_of(summary.rows);
  result["decision"] = decision_of(summary);
  return result;
}

// None where a stop token ended the measurement of constants, before the run.
py::object run(const Objectives& objectives, const py::object& method, const py::dict& method_options,
               const RunRequest& request) {
  if (objectives.empty())
    throw ConfigError({.what = "there are no clients", .seen = "[]", .advice = "give one objective for each client"});
  MinimizeOptions options = run_options(request, objectives.front()->dim());
  RunClients own_clients(objectives);
  const ClientObjectives& clients = own_clients.list();
  const Caller caller(new CallerThread(request.stop_token));
  options.stop_token = [&caller] { return caller->signal(); };
  if (!request.callback.is_none())
    options.on_round = [&](const RoundInfo& info) { return continues_after(*caller, request.callback, info); };
  std::optional<CheckpointFile> checkpoint;
  if (request.checkpoint) options.checkpoint = &checkpoint.emplace(*request.checkpoint, request.checkpoint_seconds);

  std::optional<Summary> summary;
  if (py::isinstance<py::str>(method)) {
    const auto name = method.cast<std::string>();
    Settings settings = to_settings(method_options);
    add_goal(find_method(name), options.stop, settings);
    caller->serve([&] { summary = minimize_by_name(name, settings, clients, objectives, options); });
  } else {
    const std::unique_ptr<Method> own = python_method(method);
    caller->serve([&] { summary = minimize(clients, *own, options); });
  }
  own_clients.give_back();
  if (!summary) return py::none();
  return to_python(*summary);
}

}  // namespace

void declare_minimize(py::module_& m) {
  py::class_<RunRequest>(m, "RunRequest")
      .def(py::init())
      .def_readwrite("stop", &RunRequest::stop)
      .def_readwrite("threads", &RunRequest::threads)
      .def_readwrite("seed", &RunRequest::seed)
      .def_readwrite("output", &RunRequest::output)
      .def_readwrite("every", &RunRequest::every)
      .def_readwrite("start", &RunRequest::start)
      .def_readwrite("minimizer", &RunRequest::minimizer)
      .def_readwrite("minimum", &RunRequest::minimum)
      .def_readwrite("callback", &RunRequest::callback)
      .def_readwrite("stop_token", &RunRequest::stop_token)
      .def_readwrite("checkpoint", &RunRequest::checkpoint)
      .def_readwrite("checkpoint_seconds", &RunRequest::checkpoint_seconds);
  m.def("run", [](const std::vector<std::shared_ptr<Objective>>& clients, const py::object& method,
                  const py::dict& options, const RunRequest& request) {
    return run(Objectives(clients.begin(), clients.end()), method, options, request);
  });
}

}  // namespace driftless::python
