// A method written in Python: an object with start(fed, x) and round(fed, x), which return the next point.
#pragma once

#include "driftless/methods/method.hpp"

#include <memory>
#include <pybind11/pybind11.h>

namespace driftless::python {

namespace py = pybind11;

// ConfigError where the object is none. Its attributes that the tuple `state` names are saved in checkpoints.
std::unique_ptr<Method> python_method(const py::object& object);

}  // namespace driftless::python
