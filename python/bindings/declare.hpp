// The parts of the module driftless._core; module.cpp puts them together.
#pragma once

#include <pybind11/pybind11.h>

namespace driftless::python {

namespace py = pybind11;

void declare_errors(py::module_& m);
void declare_catalog(py::module_& m);
void declare_data(py::module_& m);
void declare_objectives(py::module_& m);
void declare_minimize(py::module_& m);
void declare_federation(py::module_& m);
void declare_symmetric(py::module_& m);
void declare_experiments(py::module_& m);
void declare_results(py::module_& m);
void declare_reproduce(py::module_& m);

}  // namespace driftless::python
