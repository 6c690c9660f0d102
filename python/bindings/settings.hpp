// Options on their way between Python and the library.
#pragma once

#include "driftless/core/options.hpp"

#include <pybind11/pybind11.h>

namespace driftless::python {

namespace py = pybind11;

// ConfigError for a value that no option has.
OptionValue to_option(const std::string& name, const py::handle& value);
Settings to_settings(const py::dict& options);

py::object to_python(const OptionValue& value);
py::dict to_python(const Settings& settings);

// An aggregate with fields() from a dict. ConfigError for unknown names and bad values.
template <class O>
O read_options(const py::dict& values) {
  O options;
  set_options(options, to_settings(values));
  return checked(options);
}

}  // namespace driftless::python
