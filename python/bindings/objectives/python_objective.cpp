#include "driftless/core/error.hpp"

#include "python/bindings/arrays.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/objectives/makers.hpp"
#include "python/bindings/python_calls.hpp"

namespace driftless::python {
namespace {

// The object with the functions that it offers; null objects: it does not.
struct Oracle {
  py::object object;
  py::object value_gradient;
  py::object value;
  py::object gradient;
  py::object hessian_vector;
  py::object gradient_batch;
  py::object sgd_steps;
  Index dim = 0;
  std::size_t samples = 0;
  std::string name;
};

// The last reference may be dropped by any thread.
struct DropOracle {
  void operator()(const Oracle* oracle) const {
    const py::gil_scoped_acquire lock;
    delete oracle;
  }
};

[[noreturn]] void reject_result(const Oracle& oracle, const char* function, const std::string& seen,
                                const std::string& wanted) {
  throw DataError({.what = function + std::string("() of ") + oracle.name + " did not return " + wanted,
                   .seen = seen,
                   .advice = "return " + wanted});
}

double number_of(const Oracle& oracle, const char* function, const py::handle& value) {
  const bool readable = PyNumber_Check(value.ptr()) != 0 && !PyComplex_Check(value.ptr());
  const double number = readable ? PyFloat_AsDouble(value.ptr()) : 0.0;
  if (readable && PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  reject_result(oracle, function, type_name(value), "a number");
}

// Python's f_i as C++ sees it. Every call takes the interpreter's lock, so clients of Python run one after the other;
// the arrays that it gives are copies, which the object may keep.
class OracleCalls {
 protected:
  explicit OracleCalls(std::shared_ptr<const Oracle> oracle) : oracle_(std::move(oracle)) {}

  template <class Call>
  auto locked(const Call& call) const {
    const py::gil_scoped_acquire lock;
    const PythonCall registered;
    return call_python(call);
  }
  void copy(const char* function, const py::handle& value, VecOut to) const {
    copy_vector(value, "the vector that " + std::string(function) + "() of " + oracle_->name + " returns", to);
  }

  std::shared_ptr<const Oracle> oracle_;
};

class PythonFunction : protected OracleCalls {
 public:
  explicit PythonFunction(std::shared_ptr<const Oracle> oracle) : OracleCalls(std::move(oracle)) {}

  Index dim() const { return oracle_->dim; }

  double value(VecIn x) const {
    if (!oracle_->value) {
      Vector gradient(x.size());
      return value_gradient(x, gradient);
    }
    return locked([&] { return number_of(*oracle_, "value", oracle_->value(to_array(x))); });
  }
  void gradient(VecIn x, VecOut g) const {
    if (oracle_->gradient) locked([&] { copy("gradient", oracle_->gradient(to_array(x)), g); });
    else value_gradient(x, g);
  }
  double value_gradient(VecIn x, VecOut g) const {
    return locked([&] {
      const py::object result = oracle_->value_gradient(to_array(x));
      if (!py::isinstance<py::tuple>(result) || py::len(result) != 2)
        reject_result(*oracle_, "value_gradient", type_name(result), "a tuple (f, g)");
      const auto pair = py::reinterpret_borrow<py::tuple>(result);
      copy("value_gradient", pair[1], g);
      return number_of(*oracle_, "value_gradient", pair[0]);
    });
  }
};

template <class Base>
class WithProducts : public Base {
 public:
  using Base::Base;

  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    this->locked([&] { this->copy("hessian_vector", this->oracle_->hessian_vector(to_array(x), to_array(v)), hv); });
  }
};

template <class Base>
class WithBatches : public Base {
 public:
  using Base::Base;
  using Base::gradient;

  std::size_t samples() const { return this->oracle_->samples; }
  void gradient(VecIn x, Batch batch, VecOut g) const {
    this->locked([&] { this->copy("gradient_batch", this->oracle_->gradient_batch(to_array(x), to_array(batch)), g); });
  }
  // All steps of a solve in one call, where the object offers that: its vectors stay on the device of its data.
  std::optional<SolveReport> solve_whole(const Sgd& sgd, const Subproblem& s, VecOut y, SolveContext& context) const {
    if (!this->oracle_->sgd_steps || s.record != nullptr || s.anchor.point != nullptr) return std::nullopt;
    const double step = 1.0 / (sgd.eta + s.lambda);
    this->locked([&] {
      py::list batches;
      for (std::size_t k = 0; k < sgd.steps; ++k)
        batches.append(to_array(context.batches.next(samples(), sgd.batch, sgd.draw)));
      const py::object end = this->oracle_->sgd_steps(to_array(y), batches, step, array_or_none(s.shift),
                                                      array_or_none(s.center), s.lambda);
      this->copy("sgd_steps", end, y);
    });
    return SolveReport{sgd.steps, sgd.steps, SolveEnd::steps_done};
  }

 private:
  static py::object array_or_none(const Vector* v) {
    if (v == nullptr) return py::none();
    return to_array(*v);
  }
};

class PythonObjective final : public Objective {
 public:
  explicit PythonObjective(std::shared_ptr<const Oracle> oracle) : oracle_(std::move(oracle)) {}

  Index dim() const override { return oracle_->dim; }
  std::string text() const override { return oracle_->name + ": " + std::to_string(dim()) + " variables"; }
  std::unique_ptr<ClientObjective> client(double /*row_weight*/) const override {
    const bool batches = static_cast<bool>(oracle_->gradient_batch);
    if (oracle_->hessian_vector && batches) return make_client(WithBatches<WithProducts<PythonFunction>>(oracle_));
    if (oracle_->hessian_vector) return make_client(WithProducts<PythonFunction>(oracle_));
    if (batches) return make_client(WithBatches<PythonFunction>(oracle_));
    return make_client(PythonFunction(oracle_));
  }

 private:
  std::shared_ptr<const Oracle> oracle_;
};

py::object function_of(const py::object& object, const char* name) {
  const py::object function = py::getattr(object, name, py::none());
  if (function.is_none()) return {};
  if (PyCallable_Check(function.ptr()) != 0) return function;
  throw ConfigError({.what = "'" + std::string(name) + "' of an objective is not a function",
                     .seen = type_name(function),
                     .advice = "define it with def " + std::string(name) + "(self, x)"});
}

// A property or a method without arguments.
std::size_t count_of(const py::object& object, const char* name, const std::string& of) {
  py::object value = py::getattr(object, name);
  if (PyCallable_Check(value.ptr()) != 0) value = value();
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  const long long count = whole ? PyLong_AsLongLong(whole.ptr()) : -1;
  PyErr_Clear();
  if (count >= 1 && count < 2147483647) return static_cast<std::size_t>(count);
  throw ConfigError({.what = "'" + std::string(name) + "' of " + of + " is not a number of at least 1",
                     .seen = py::repr(value).cast<std::string>().substr(0, 80),
                     .advice = "make it a whole number, or a method that returns one"});
}

}  // namespace

std::shared_ptr<Objective> python_objective(const py::object& object) {
  const std::string name = py::str(py::type::handle_of(object).attr("__name__"));
  std::shared_ptr<Oracle> oracle(new Oracle, DropOracle());
  oracle->object = object;
  oracle->name = name;
  oracle->value_gradient = function_of(object, "value_gradient");
  if (!oracle->value_gradient || !py::hasattr(object, "dim"))
    throw ConfigError({.what = "a client is no objective",
                       .seen = type_name(object),
                       .advice = "give driftless.logistic(...), driftless.quadratic(...) or an object with "
                                 "value_gradient(x) -> (f, g) and dim"});
  oracle->value = function_of(object, "value");
  oracle->gradient = function_of(object, "gradient");
  oracle->hessian_vector = function_of(object, "hessian_vector");
  oracle->gradient_batch = function_of(object, "gradient_batch");
  oracle->sgd_steps = function_of(object, "sgd_steps");
  oracle->dim = static_cast<Index>(count_of(object, "dim", name));
  if (oracle->gradient_batch) {
    if (!py::hasattr(object, "samples"))
      throw ConfigError({.what = name + " has gradient_batch() and no number of samples",
                         .seen = "no 'samples'",
                         .advice = "define samples, the number of terms of which f_i is the mean"});
    oracle->samples = count_of(object, "samples", name);
  }
  return std::make_shared<PythonObjective>(std::move(oracle));
}

}  // namespace driftless::python
