#include "python/bindings/run/python_method.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/python_calls.hpp"
#include "python/bindings/run/federation_handle.hpp"

namespace driftless::python {
namespace {

class PythonMethod final : public Method {
 public:
  explicit PythonMethod(py::object object) : object_(std::move(object)) {
    name_ = py::str(py::type::handle_of(object_).attr("__name__"));
    if (py::hasattr(object_, "state")) read_state(object_.attr("state"));
  }
  // A run ends in the thread that called it, which has no lock then.
  ~PythonMethod() override {
    const py::gil_scoped_acquire lock;
    object_.release().dec_ref();
  }

  void start(Federation& fed, Vector& x) override {
    if (has("start")) step("start", fed, x);
  }
  void round(Federation& fed, Vector& x) override { step("round", fed, x); }
  Traffic round_traffic(std::size_t /*clients*/) const override { return {.at_least = true}; }

  void visit_state(StateVisitor& visit) override {
    const py::gil_scoped_acquire lock;
    for (const std::string& name : state_) visit_attribute(visit, name);
  }
  std::string options_text() const override { return "method = " + name_ + "\n"; }

 private:
  void read_state(const py::object& names) {
    const bool listed = py::isinstance<py::tuple>(names) || py::isinstance<py::list>(names);
    if (listed)
      for (const py::handle name : names)
        if (py::isinstance<py::str>(name)) state_.push_back(name.cast<std::string>());
    if (!listed || state_.size() != py::len(names))
      throw ConfigError({.what = "'state' of a method is no tuple of names of attributes",
                         .seen = py::repr(names).cast<std::string>().substr(0, 80),
                         .advice = "give the names of what the next round needs: state = (\"previous\",)"});
  }
  bool has(const char* function) const {
    const py::gil_scoped_acquire lock;
    return py::hasattr(object_, function);
  }

  void step(const char* function, Federation& fed, Vector& x) {
    const py::gil_scoped_acquire lock;
    const PythonCall call;
    call_python([&] {
      with_handle(fed, [&](const py::object& handle) {
        const py::object next = object_.attr(function)(handle, to_array(x));
        const bool stays = next.is_none() && std::string(function) == "start";
        if (!stays) copy_vector(next, "the point that " + std::string(function) + "() of " + name_ + " returns", x);
      });
    });
  }

  // Whole numbers and numbers are saved as such; everything else is a vector, and None is an empty one.
  void visit_attribute(StateVisitor& visit, const std::string& name) {
    const py::object value = py::getattr(object_, name.c_str(), py::none());
    if (PyLong_Check(value.ptr()) != 0) {
      if (PyObject_RichCompareBool(value.ptr(), py::int_(0).ptr(), Py_LT) != 0)
        throw ConfigError({.what = "a whole number that a method keeps is below 0",
                           .seen = name + " = " + py::repr(value).cast<std::string>(),
                           .advice = "keep it as a float"});
      auto count = value.cast<std::uint64_t>();
      visit.count(name, count);
      object_.attr(name.c_str()) = count;
    } else if (PyFloat_Check(value.ptr()) != 0) {
      auto number = value.cast<double>();
      visit.number(name, number);
      object_.attr(name.c_str()) = number;
    } else {
      Vector vector = value.is_none() ? Vector() : to_vector(value, name);
      visit.vector(name, vector);
      object_.attr(name.c_str()) = vector.size() > 0 ? py::object(to_array(vector)) : py::object(py::none());
    }
  }

  py::object object_;
  std::string name_;
  std::vector<std::string> state_;
};

}  // namespace

std::unique_ptr<Method> python_method(const py::object& object) {
  if (!py::hasattr(object, "round") || PyCallable_Check(object.attr("round").ptr()) == 0)
    throw ConfigError({.what = "'method' is neither the name of a method nor one written in Python",
                       .seen = type_name(object),
                       .advice = "give a name that driftless.methods() lists, or an object with round(fed, x)"});
  return std::make_unique<PythonMethod>(object);
}

}  // namespace driftless::python
