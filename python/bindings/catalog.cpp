// The catalogue of methods, as plain Python values; driftless/_catalog.py gives them a form.
#include "driftless/methods/catalog.hpp"

#include "driftless/optimize/stop.hpp"
#include "driftless/solvers/local_solver_options.hpp"

#include "python/bindings/declare.hpp"
#include "python/bindings/settings.hpp"

#include <pybind11/stl.h>

namespace driftless::python {
namespace {

py::list option_list(const std::vector<OptionInfo>& options) {
  py::list list;
  for (const OptionInfo& option : options) {
    py::dict entry;
    entry["name"] = option.name;
    entry["kind"] = std::string(enum_name(option.kind));
    entry["choices"] = option.choices;
    entry["allowed"] = option.allowed;
    entry["default"] = option.initial;
    entry["required"] = option.required;
    entry["help"] = option.help;
    list.append(entry);
  }
  return list;
}

py::dict describe(const MethodEntry& entry) {
  py::dict theory;
  for (const TheoryValue& value : entry.theory) theory[py::str(value.option)] = value.text();
  py::dict facts;
  facts["name"] = entry.name;
  facts["family"] = entry.family;
  facts["summary"] = entry.summary;
  facts["paper"] = entry.paper;
  facts["rate"] = entry.rate.text();
  facts["limit"] = entry.limit;
  facts["uses_hessian"] = entry.uses_hessian;
  facts["options"] = option_list(entry.options);
  facts["fixed"] = to_python(entry.fixed);
  facts["demo"] = to_python(entry.demo);
  facts["theory"] = theory;
  return facts;
}

}  // namespace

void declare_catalog(py::module_& m) {
  m.def("method_names", [] {
    std::vector<std::string> names;
    for (const MethodEntry& entry : method_catalog()) names.push_back(entry.name);
    return names;
  });
  m.def("describe_method", [](const std::string& name) { return describe(find_method(name)); });
  m.def("stop_options", [] { return option_list(describe_options<StopConditions>()); });
  m.def("solver_options", [] { return option_list(describe_options<LocalSolverOptions>()); });
}

}  // namespace driftless::python
