#include "python/bindings/declare.hpp"
#include "python/bindings/python_calls.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace driftless::python;
  m.doc() = "The compiled part of driftless; use the package driftless.";
  m.attr("__version__") = DRIFTLESS_VERSION;
  m.def("interrupt_python_calls", &interrupt_python_calls);
  declare_errors(m);
  declare_catalog(m);
  declare_data(m);
  declare_objectives(m);
  declare_federation(m);
  declare_minimize(m);
  declare_symmetric(m);
  declare_experiments(m);
  declare_results(m);
  declare_reproduce(m);
}
