// The paper's experiments, and the study of `auto`.
#include "driftless/console/log.hpp"
#include "driftless/reproduce/study.hpp"

#include "apps/exit_code.hpp"
#include "python/bindings/declare.hpp"
#include "python/bindings/experiments/requests.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace driftless::python {
namespace {

py::tuple reproduce(const StudyRequest& request, const std::string& out, const py::object& stop_token) {
  start_log();
  check_study(request);
  StudyOptions options{.out = open_study_folder(request, out), .exit_code = app::exit_number_of};
  StudyTexts texts;
  serve(stop_token, [&](CallerThread& caller) {
    options.stop_token = token_of(caller);
    texts = reproduce_study(request, options);
  });
  return py::make_tuple(texts.markdown, texts.json);
}

// A property of the class for a member of a member.
template <auto Part, auto Member>
void declare_part(py::class_<StudyRequest>& type, const char* name) {
  using Value = std::remove_cvref_t<decltype((std::declval<StudyRequest>().*Part).*Member)>;
  type.def_property(
      name, [](const StudyRequest& request) { return (request.*Part).*Member; },
      [](StudyRequest& request, const Value& value) { (request.*Part).*Member = value; });
}

}  // namespace

void declare_reproduce(py::module_& m) {
  py::class_<StudyRequest> request(m, "StudyRequest");
  request.def(py::init([](const std::string& what) { return StudyRequest{.what = what}; }), py::arg("what"))
      .def_readwrite("data", &StudyRequest::sets)
      .def_readwrite("iid", &StudyRequest::iid)
      .def_readwrite("alphas", &StudyRequest::alphas)
      .def_readwrite("draws", &StudyRequest::draws)
      .def_readwrite("clients", &StudyRequest::clients)
      .def_readwrite("again", &StudyRequest::again)
      .def_readwrite("methods", &StudyRequest::methods)
      .def_readwrite("seconds", &StudyRequest::seconds)
      .def_readwrite("quick", &StudyRequest::quick);
  declare_part<&StudyRequest::nets, &Figure3Setup::model>(request, "model");
  declare_part<&StudyRequest::nets, &Figure3Setup::images>(request, "images");
  declare_part<&StudyRequest::nets, &Figure3Setup::rounds>(request, "rounds");
  declare_part<&StudyRequest::nets, &Figure3Setup::seeds>(request, "seeds");
  declare_part<&StudyRequest::grid, &Figure3Grid::rates>(request, "rates");
  declare_part<&StudyRequest::grid, &Figure3Grid::local_steps>(request, "local_steps");
  declare_part<&StudyRequest::grid, &Figure3Grid::lambdas>(request, "lambdas");
  m.def("reproduce", &reproduce, py::arg("request"), py::arg("out"), py::arg("stop_token"));
}

}  // namespace driftless::python
