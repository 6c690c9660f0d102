#include "python/bindings/run/federation_handle.hpp"

#include "driftless/solvers/local_solver_options.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/python_calls.hpp"
#include "python/bindings/settings.hpp"

#include <algorithm>
#include <pybind11/stl.h>

namespace driftless::python {
namespace {

using Participants = std::optional<Cohort>;

Federation& federation(const FederationHandle& handle) { return handle.get("federation"); }
Client& client(const ClientHandle& handle) { return handle.get("client").client; }
Index dim_of(const ClientHandle& handle) { return handle.get("client").dim; }

// Everyone where no cohort was given. ConfigError for one of a federation with more clients.
Cohort cohort_of(const Federation& fed, const Participants& cohort) {
  if (!cohort) return fed.everyone();
  const std::vector<ClientId> ids(cohort->ids().begin(), cohort->ids().end());
  if (!ids.empty() && ids.back() >= fed.clients())
    throw ConfigError({.what = "a cohort belongs to another federation",
                       .seen = "client " + std::to_string(ids.back()) + " of " + std::to_string(fed.clients()),
                       .advice = "draw cohorts in the round that uses them"});
  return Cohort::of(ids, fed.clients());
}

// Runs body(client) in Python, with the lock; use(result) as well.
template <class Use>
void run_body(const py::function& body, const SizedClient& i, const Use& use) {
  const py::gil_scoped_acquire lock;
  const PythonCall call;
  SizedClient target = i;
  call_python([&] { with_handle(target, [&](const py::object& handle) { use(body(handle)); }); });
}

void for_each_client(const FederationHandle& handle, const py::function& body, const Participants& cohort) {
  Federation& fed = federation(handle);
  const py::gil_scoped_release unlocked;
  fed.for_each_client(cohort_of(fed, cohort),
                      [&](Client& i) { run_body(body, {i, fed.dim()}, [](const py::object&) {}); });
}

Array mean(const FederationHandle& handle, const py::function& body, const Participants& from, const Participants& to) {
  Federation& fed = federation(handle);
  Vector result;
  {
    const py::gil_scoped_release unlocked;
    const Cohort senders = cohort_of(fed, from);
    result = fed.mean({senders, to ? cohort_of(fed, to) : senders}, [&](Client& i, VecOut row) {
      run_body(body, {i, fed.dim()}, [&](const py::object& vector) {
        copy_vector(vector, "the vector that the body of fed.mean returns", row);
      });
    });
  }
  return to_array(result);
}

Array mean_scalars(const FederationHandle& handle, const py::function& body, Index count, const Participants& from,
                   const Participants& to) {
  Federation& fed = federation(handle);
  if (count < 1)
    throw ConfigError({.what = "an exchange of numbers needs at least one",
                       .seen = "count = " + std::to_string(count),
                       .advice = "give the number of numbers that each client sends"});
  Vector result;
  {
    const py::gil_scoped_release unlocked;
    const Cohort senders = cohort_of(fed, from);
    result = fed.mean_scalars({senders, to ? cohort_of(fed, to) : senders}, static_cast<std::size_t>(count),
                              [&](Client& i, VecOut numbers) {
                                run_body(body, {i, fed.dim()}, [&](const py::object& values) {
                                  copy_vector(values, "the numbers that the body of fed.mean_scalars returns", numbers);
                                });
                              });
  }
  return to_array(result);
}

void check_probability(double p) {
  if (p > 0.0 && p <= 1.0) return;
  throw ConfigError({.what = "'p' is no probability that can come true",
                     .seen = "p = " + number(p),
                     .advice = "give a number in (0, 1]"});
}

bool coin(const FederationHandle& handle, double p) {
  check_probability(p);
  return federation(handle).coin(p);
}

std::size_t geometric(const FederationHandle& handle, double p) {
  check_probability(p);
  Federation& fed = federation(handle);
  const py::gil_scoped_release unlocked;
  return fed.geometric(p);
}

py::dict ledger(const FederationHandle& handle) {
  const Ledger& ledger = federation(handle).ledger();
  py::dict counts;
  counts["rounds"] = ledger.rounds;
  counts["exchanges"] = ledger.exchanges;
  counts["vectors_up"] = ledger.vectors_up;
  counts["vectors_down"] = ledger.vectors_down;
  counts["bytes_up"] = ledger.bytes_up;
  counts["bytes_down"] = ledger.bytes_down;
  counts["scalars_up"] = ledger.scalars_up;
  counts["scalars_down"] = ledger.scalars_down;
  return counts;
}

// Work of a client on vectors, without the lock.
template <class Work>
Array vector_of(const ClientHandle& handle, const py::handle& x, const Work& work) {
  Client& i = client(handle);
  const Vector point = to_vector(x, "x", dim_of(handle));
  Vector out(point.size());
  {
    const py::gil_scoped_release unlocked;
    work(i, point, out);
  }
  return to_array(out);
}

py::tuple value_gradient(const ClientHandle& handle, const py::handle& x) {
  double value = 0.0;
  Array g =
      vector_of(handle, x, [&](Client& i, const Vector& point, Vector& out) { value = i.value_gradient(point, out); });
  return py::make_tuple(value, std::move(g));
}

double value(const ClientHandle& handle, const py::handle& x) {
  Client& i = client(handle);
  const Vector point = to_vector(x, "x", dim_of(handle));
  const py::gil_scoped_release unlocked;
  return i.value(point);
}

constexpr const char* minimize_doc =
    "The point at which a local solver ends that minimises F(y) = f_i(y) - <shift, y> + (lambda/2)|y - center|^2 from "
    "start on. The options are those of local solvers: solver (exact, gd, agd, adaptive, prox-gradient, sgd or "
    "newton-cg), eta, mu, local_steps, max_steps, stop_rule, tolerance, decay and batch. `round` is that of rules that "
    "depend on it.";

Array minimize(const ClientHandle& handle, const py::handle& start, const py::object& shift, const py::object& center,
               double lambda, std::size_t round, const py::kwargs& options) {
  if (!(lambda >= 0.0))
    throw ConfigError({.what = "'lambda_' is not a number of at least 0",
                       .seen = "lambda_ = " + number(lambda),
                       .advice = "give a number >= 0"});
  Client& i = client(handle);
  Vector y = to_vector(start, "start", dim_of(handle));
  const Vector h = shift.is_none() ? Vector() : to_vector(shift, "shift", y.size());
  const Vector c = center.is_none() ? Vector() : to_vector(center, "center", y.size());
  const LocalSolver solver = read_options<LocalSolverOptions>(options).at_round(round, lambda);
  {
    const py::gil_scoped_release unlocked;
    i.minimize({.shift = h.size() > 0 ? &h : nullptr, .center = c.size() > 0 ? &c : nullptr, .lambda = lambda}, y,
               solver);
  }
  return to_array(y);
}

void declare_client(py::module_& m) {
  py::class_<ClientHandle, std::shared_ptr<ClientHandle>>(
      m, "Client", "A client inside a body of a method: its number and its oracle. Every call is counted.")
      .def_property_readonly(
          "id", [](const ClientHandle& h) { return client(h).id(); }, "0 … n - 1.")
      .def_property_readonly(
          "samples", [](const ClientHandle& h) { return client(h).samples(); },
          "The number of its samples; 0 where f_i is no sum over samples.")
      .def("value", &value, py::arg("x"), "f_i(x).")
      .def(
          "gradient",
          [](const ClientHandle& h, const py::handle& x) {
            return vector_of(h, x, [](Client& i, const Vector& point, Vector& g) { i.gradient(point, g); });
          },
          py::arg("x"), "The gradient of f_i at x.")
      .def("value_gradient", &value_gradient, py::arg("x"), "f_i(x) and the gradient, in one pass.")
      .def(
          "hessian_vector",
          [](const ClientHandle& h, const py::handle& x, const py::handle& v) {
            const Vector direction = to_vector(v, "v", dim_of(h));
            return vector_of(
                h, x, [&](Client& i, const Vector& point, Vector& hv) { i.hessian_vector(point, direction, hv); });
          },
          py::arg("x"), py::arg("v"), "The product of the Hessian of f_i at x with v.")
      .def("minimize", &minimize, py::arg("start"), py::kw_only(), py::arg("shift") = py::none(),
           py::arg("center") = py::none(), py::arg("lambda_") = 0.0, py::arg("round") = 0, minimize_doc)
      .def(
          "count_step", [](const ClientHandle& h) { client(h).count_step(); },
          "Counts a local step that the server takes for all clients, as in gradient descent.")
      .def(
          "uniform", [](const ClientHandle& h) { return client(h).chance().uniform(); },
          "A random number in [0, 1) from the client's own stream, which the seed and the round determine.");
}

}  // namespace

void declare_federation(py::module_& m) {
  py::class_<Cohort>(m, "Cohort", "The clients that take part: a subset of all.")
      .def("__len__", &Cohort::size)
      .def("__contains__",
           [](const Cohort& cohort, std::size_t id) { return std::ranges::binary_search(cohort.ids(), id); })
      .def_property_readonly(
          "ids",
          [](const Cohort& cohort) { return std::vector<std::size_t>(cohort.ids().begin(), cohort.ids().end()); },
          "Their numbers, rising.");
  declare_client(m);
  py::class_<FederationHandle, std::shared_ptr<FederationHandle>>(
      m, "Federation", "What a method works on: the clients, means over them, shared chance, and the costs so far.")
      .def_property_readonly(
          "n", [](const FederationHandle& h) { return federation(h).clients(); }, "The number of clients.")
      .def_property_readonly(
          "dim", [](const FederationHandle& h) { return federation(h).dim(); }, "The number of variables.")
      .def_property_readonly(
          "seed", [](const FederationHandle& h) { return federation(h).seed(); }, "The seed of all chance.")
      .def_property_readonly(
          "round", [](const FederationHandle& h) { return federation(h).round(); }, "0, 1, … of the current round.")
      .def_property_readonly(
          "everyone", [](const FederationHandle& h) { return federation(h).everyone(); }, "All clients as a cohort.")
      .def_property_readonly("ledger", &ledger, "Rounds, exchanges, vectors, bytes and numbers so far.")
      .def("for_each_client", &for_each_client, py::arg("body"), py::arg("cohort") = py::none(),
           "Runs body(client) on the clients of a cohort. No exchange.")
      .def("mean", &mean, py::arg("body"), py::arg("cohort") = py::none(), py::arg("receivers") = py::none(),
           "The mean of the vectors that body(client) returns: one exchange. The receivers are the cohort itself where "
           "they are not given.")
      .def("mean_scalars", &mean_scalars, py::arg("body"), py::arg("count") = 1, py::arg("cohort") = py::none(),
           py::arg("receivers") = py::none(),
           "The mean of the `count` numbers that body(client) returns as a vector: an exchange without any vector.")
      .def("coin", &coin, py::arg("p"), "A shared coin that is true with probability p.")
      .def("geometric", &geometric, py::arg("p"),
           "The number of shared coins until the first that is true, that one included.")
      .def(
          "sample", [](const FederationHandle& h, std::size_t size) { return federation(h).sample(size); },
          py::arg("size"), "So many different clients at random; everyone if size is 0 or n.")
      .def(
          "any_client", [](const FederationHandle& h) { return federation(h).any_client(); },
          "One client at random, as a cohort.")
      .def(
          "order", [](const FederationHandle& h, std::size_t count) { return federation(h).order(count); },
          py::arg("count"), "0 … count - 1 in random order.");
}

}  // namespace driftless::python
