// Errors on their way between C++ and Python.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/work_guard.hpp"

#include <pybind11/pybind11.h>
#include <utility>

namespace driftless::python {

namespace py = pybind11;

// Whether this is the error by which Python code leaves a round that is abandoned.
bool leaves_round(const py::error_already_set& error);

// Calls Python code, with the interpreter's lock held. What it throws passes through C++ unchanged, but for the error
// of an abandoned round, for which C++ has a type of its own.
template <class Call>
decltype(auto) call_python(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const py::error_already_set& error) {
    if (leaves_round(error)) throw RoundAbandoned();
    throw;
  }
}

}  // namespace driftless::python
