// The module driftless._net: what needs gRPC, which `import driftless` alone does not load.
#include "driftless/console/log.hpp"
#include "driftless/data/rows_digest.hpp"
#include "driftless/peers/join.hpp"
#include "driftless/peers/serve.hpp"

#include "apps/exit_code.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/experiments/requests.hpp"
#include "python/bindings/experiments/round_reporter.hpp"
#include "python/bindings/objectives/objective.hpp"
#include "python/bindings/objectives/rows.hpp"
#include "python/bindings/settings.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <set>

namespace driftless::python {
namespace {

// What driftless.serve and driftless.join are told; driftless/_federation.py fills it in.
struct PeerRequest {
  std::string address;
  std::string tls;
  bool plain = false;
  std::string out;
  double wait = 0.0;
  double latency = 0.0;
  py::object on_round = py::none();
  py::object stop_token = py::none();
};
struct ServerRequest : PeerRequest {
  bool inspect = false;
  py::object on_listen = py::none();
};
struct SiteRequest : PeerRequest {
  std::string site;
  std::vector<std::string> files;
  std::vector<std::shared_ptr<const Dataset>> rows;
  Objectives clients;
  py::object policy = py::none();  // the path of a file, or a dict
  std::size_t threads = 0;
  double grace = 0.0;
};

// The run directory, and the JSON of an inspection.
using PeerResults = std::pair<std::filesystem::path, std::optional<std::string>>;

// RunError where a run ended before it had a directory, or an inspection before its end.
PeerResults results_of(const PeerRun& run) {
  if (run.failure && !run.experiment)
    throw Error(*run.failure, {.what = run.inspection ? "the inspection was stopped before its end"
                                                      : "the run was stopped before it began",
                               .seen = run.inspection ? "a signal or a stop token" : run.results.string(),
                               .advice = "start the same peers again: the run continues where it was"});
  return {run.results, run.inspection ? std::optional(inspection_json(*run.inspection)) : std::nullopt};
}

std::shared_ptr<Dataset> rows_of(const RowsView& view, const std::string& name) {
  auto rows = std::make_shared<Dataset>();
  rows->name = name;
  rows->dim = view.dim();
  rows->row_start.push_back(0);
  for (std::size_t row = 0; row < view.rows(); ++row) {
    view.for_each_entry(row, [&](std::size_t column, double value) {
      rows->column.push_back(static_cast<std::int32_t>(column));
      rows->value.push_back(value);
    });
    rows->row_start.push_back(static_cast<std::int64_t>(rows->column.size()));
    rows->label.push_back(view.label(row) + 0.0);  // -0 becomes 0
  }
  constexpr std::size_t most_label_values = 64;
  const std::set<double> distinct(rows->label.begin(), rows->label.end());
  rows->label_values.assign(distinct.begin(), distinct.end());
  rows->label_values_complete = distinct.size() <= most_label_values;
  if (!rows->label_values_complete) rows->label_values.resize(most_label_values);
  rows->digest = digest_of_rows(*rows);
  return rows;
}

OwnClient own_client_of(const std::shared_ptr<const Objective>& f) {
  const PenaltyWeights penalty = f->penalty();
  return {.dim = f->dim(),
          .rows = f->rows(),
          .mass = f->mass(),
          .weighted_by_all = f->weighted_by_all(),
          .l2 = penalty.l2,
          .beta = penalty.beta,
          .make = [f](double row_weight) { return f->client(row_weight); }};
}

StatedPolicy policy_of(const py::object& policy) {
  if (policy.is_none()) return StatedPolicy();
  if (!py::isinstance<py::dict>(policy)) return read_policy({.file = policy.cast<std::string>()});
  ConfigTable stated{.location = "policy", .keys = {}};
  for (const auto& [name, value] : to_settings(policy))
    stated.set({.name = name, .value = value, .location = "policy"});
  return StatedPolicy(std::move(stated));
}

PeerResults serve_run(const ConfigSource& source, const ServerRequest& request) {
  start_log();
  ServeOptions options{.file = source.file.string(),
                       .overrides = source.overrides,
                       .listen = request.address,
                       .tls = request.tls,
                       .plain = request.plain,
                       .out = request.out,
                       .wait = request.wait,
                       .latency = request.latency,
                       .inspect = request.inspect,
                       .exit_code = app::exit_number_of};
  const ServedConfig served = served_config(options);
  PeerRun run;
  serve(request.stop_token, [&](CallerThread& caller) {
    RoundReporter reporter(caller, request.on_round);
    if (!request.on_round.is_none()) options.on_round = std::ref(reporter);
    if (!request.on_listen.is_none())
      options.on_listen = [&](const std::string& address) { caller.call([&] { request.on_listen(address); }); };
    options.stop_token = token_of(caller);
    run = driftless::serve(options, served);
  });
  return results_of(run);
}

PeerResults join_run(const SiteRequest& request) {
  start_log();
  JoinOptions options{.address = request.address,
                      .tls = request.tls,
                      .plain = request.plain,
                      .site = request.site,
                      .files = request.files,
                      .policy = policy_of(request.policy),
                      .out = request.out,
                      .threads = request.threads,
                      .wait = request.wait,
                      .grace = request.grace,
                      .latency = request.latency,
                      .exit_code = app::exit_number_of};
  for (const auto& rows : request.rows) options.sets.push_back(*rows);
  for (const auto& client : request.clients) options.clients.push_back(own_client_of(client));
  PeerRun run;
  serve(request.stop_token, [&](CallerThread& caller) {
    RoundReporter reporter(caller, request.on_round);
    if (!request.on_round.is_none()) options.on_round = std::ref(reporter);
    options.stop_token = token_of(caller);
    run = driftless::join(options);
  });
  return results_of(run);
}

template <class Request>
void declare_request(py::class_<Request>& type) {
  type.def(py::init<>())
      .def_readwrite("address", &Request::address)
      .def_readwrite("tls", &Request::tls)
      .def_readwrite("plain", &Request::plain)
      .def_readwrite("out", &Request::out)
      .def_readwrite("wait", &Request::wait)
      .def_readwrite("latency", &Request::latency)
      .def_readwrite("on_round", &Request::on_round)
      .def_readwrite("stop_token", &Request::stop_token);
}

void declare_peers(py::module_& m) {
  py::class_<Dataset, std::shared_ptr<Dataset>>(m, "Rows");
  py::class_<ServerRequest> server(m, "ServerRequest");
  declare_request(server);
  server.def_readwrite("on_listen", &ServerRequest::on_listen).def_readwrite("inspect", &ServerRequest::inspect);
  py::class_<SiteRequest> site(m, "SiteRequest");
  declare_request(site);
  site.def_readwrite("site", &SiteRequest::site)
      .def_readwrite("files", &SiteRequest::files)
      .def_property("rows", nullptr,
                    [](SiteRequest& r, const std::vector<std::shared_ptr<Dataset>>& rows) {
                      r.rows.assign(rows.begin(), rows.end());
                    })
      .def_property("clients", nullptr,
                    [](SiteRequest& r, const std::vector<std::shared_ptr<Objective>>& clients) {
                      r.clients.assign(clients.begin(), clients.end());
                    })
      .def_readwrite("policy", &SiteRequest::policy)
      .def_readwrite("threads", &SiteRequest::threads)
      .def_readwrite("grace", &SiteRequest::grace);
  m.def("rows_of_csr", [](const std::string& name, const py::array& start, const py::array& column,
                          const py::array_t<double>& value, Index columns, const py::array_t<double>& labels) {
    const std::vector<std::int32_t> all = client_rows({}, start.size() - 1);
    return rows_of(view_of_csr(start, column, value, columns, labels, all), name);
  });
  m.def("rows_of_dense",
        [](const std::string& name, const py::array_t<double>& matrix, const py::array_t<double>& labels) {
          const std::vector<std::int32_t> all = client_rows({}, matrix.shape(0));
          return rows_of(view_of_dense(matrix, labels, all), name);
        });
  m.def("serve", &serve_run, py::arg("source"), py::arg("request"));
  m.def("join", &join_run, py::arg("request"));
}

}  // namespace
}  // namespace driftless::python

PYBIND11_MODULE(_net, m) {
  using namespace driftless::python;
  m.doc() = "The compiled part of driftless that communicates with other machines; use the package driftless.";
  py::module_::import("driftless._core");  // it declares the objectives and the configurations
  declare_errors(m);
  declare_peers(m);
}
