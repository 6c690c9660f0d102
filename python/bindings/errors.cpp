#include "python/bindings/errors.hpp"

#include "driftless/core/check.hpp"

#include "python/bindings/declare.hpp"

namespace driftless::python {
namespace {

py::object error_classes() { return py::module_::import("driftless._errors"); }

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::configuration: return "ConfigError";
    case ErrorKind::data: return "DataError";
    case ErrorKind::communication:
    case ErrorKind::deadline: return "TransportError";
    case ErrorKind::internal: return "InternalError";
    case ErrorKind::run_failed:
    case ErrorKind::check_failed:
    case ErrorKind::interrupted:
    case ErrorKind::terminated: break;
  }
  return "RunError";
}

void raise(const char* name, const std::string& what, const std::string& seen, const std::string& advice) {
  const py::object type = error_classes().attr(name);
  const py::object error = type(what, seen, advice);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(std::exception_ptr failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const Error& error) {
    raise(class_of(error.kind()), error.info().what, error.info().seen, error.info().advice);
  } catch (const BrokenInvariant& error) {
    raise("InternalError", error.what(), "", "check the method; if it is one of the catalogue, report this");
  } catch (const RoundAbandoned& error) { PyErr_SetString(error_classes().attr("RoundAbandoned").ptr(), error.what()); }
}

}  // namespace

bool leaves_round(const py::error_already_set& error) { return error.matches(error_classes().attr("RoundAbandoned")); }

void declare_errors(py::module_&) { py::register_exception_translator(&translate); }

}  // namespace driftless::python
