#include "python/bindings/settings.hpp"

#include "python/bindings/arrays.hpp"

#include <pybind11/stl.h>

namespace driftless::python {
namespace {

[[noreturn]] void reject(const std::string& name, const py::handle& value) {
  throw ConfigError({.what = "'" + name + "' is no value that an option can have",
                     .seen = name + " = " + std::string(py::repr(value)).substr(0, 80),
                     .advice = "give a number, a text, True, False, or a list of numbers or texts"});
}

bool is_number(const py::handle& value) { return PyNumber_Check(value.ptr()) != 0 && !PyComplex_Check(value.ptr()); }

OptionValue list_of(const std::string& name, const py::handle& value) {
  std::vector<std::string> texts;
  std::vector<double> numbers;
  for (const py::handle item : value) {
    if (py::isinstance<py::str>(item)) texts.push_back(item.cast<std::string>());
    else if (is_number(item)) numbers.push_back(py::float_(py::reinterpret_borrow<py::object>(item)));
    else reject(name, value);
  }
  if (!texts.empty() && !numbers.empty()) reject(name, value);
  if (!texts.empty()) return texts;
  return numbers;
}

}  // namespace

OptionValue to_option(const std::string& name, const py::handle& value) {
  if (py::isinstance(value, py::module_::import("numpy").attr("generic"))) return to_option(name, value.attr("item")());
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) return list_of(name, value);
  if (PyIndex_Check(value.ptr()) != 0 && !py::isinstance<py::array>(value)) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    const long long number = whole ? PyLong_AsLongLong(whole.ptr()) : -1;
    if (PyErr_Occurred() == nullptr) return std::int64_t{number};
    PyErr_Clear();
    reject(name, value);
  }
  if (py::isinstance<py::array>(value)) {
    const auto array = py::reinterpret_borrow<py::array>(value);
    if (array.ndim() == 1) return list_of(name, array.attr("tolist")());
    if (array.ndim() == 0) return to_option(name, array.attr("item")());
    reject(name, value);
  }
  const double number = is_number(value) ? PyFloat_AsDouble(value.ptr()) : 0.0;
  if (!is_number(value) || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    reject(name, value);
  }
  return number;
}

Settings to_settings(const py::dict& options) {
  Settings settings;
  for (const auto& [name, value] : options) {
    const auto key = name.cast<std::string>();
    settings.emplace_back(key, to_option(key, value));
  }
  return settings;
}

py::object to_python(const OptionValue& value) {
  return std::visit([](const auto& v) -> py::object { return py::cast(v); }, value);
}

py::dict to_python(const Settings& settings) {
  py::dict values;
  for (const auto& [name, value] : settings) values[py::str(name)] = to_python(value);
  return values;
}

}  // namespace driftless::python
