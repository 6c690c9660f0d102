#include "python/bindings/arrays.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>
#include <cstring>

namespace driftless::python {
namespace {

template <class Number>
py::array_t<Number> copied(const Number* from, std::size_t count) {
  py::array_t<Number> array(static_cast<py::ssize_t>(count));
  std::copy_n(from, count, array.mutable_data());
  return array;
}

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

[[noreturn]] void reject(const std::string& name, const std::string& seen, Index size) {
  const std::string wanted = size < 0 ? "numbers" : std::to_string(size) + " numbers";
  throw DataError({.what = "'" + name + "' is not a vector of " + wanted,
                   .seen = seen,
                   .advice = "give a NumPy array of shape (" + (size < 0 ? std::string("d") : std::to_string(size)) +
                             ",) and dtype float64"});
}

// Numbers alone: what numpy would make of texts, objects or complex numbers is nobody's intention.
Array checked_array(const py::handle& value, const std::string& name, Index size) {
  if (value.is_none()) reject(name, "None", size);
  const py::array plain = py::array::ensure(value);
  if (!plain) {
    PyErr_Clear();
    reject(name, type_name(value), size);
  }
  if (std::string("fiub").find(plain.dtype().kind()) == std::string::npos)
    reject(name, "dtype " + std::string(py::str(plain.dtype())), size);
  if (plain.ndim() != 1 || (size >= 0 && plain.shape(0) != size)) reject(name, "shape " + shape_text(plain), size);
  return py::cast<Array>(plain);
}

}  // namespace

std::string type_name(const py::handle& value) {
  return "a value of type " + std::string(py::str(py::type::handle_of(value).attr("__name__")));
}

Array to_array(VecIn v) { return copied(v.data(), static_cast<std::size_t>(v.size())); }
py::array_t<std::int32_t> to_array(std::span<const std::int32_t> numbers) {
  return copied(numbers.data(), numbers.size());
}
Array to_array(std::span<const double> numbers) { return copied(numbers.data(), numbers.size()); }

Vector to_vector(const py::handle& value, const std::string& name, Index size) {
  const Array array = checked_array(value, name, size);
  Vector v(array.shape(0));
  for (Index k = 0; k < v.size(); ++k) std::memcpy(&v[k], array.data(k), sizeof(double));  // it may not be aligned
  return v;
}

void copy_vector(const py::handle& value, const std::string& name, VecOut to) {
  // The usual case needs no look at types beyond the array's own.
  if (py::isinstance<Array>(value)) {
    const auto array = py::reinterpret_borrow<Array>(value);
    if (array.ndim() == 1 && array.shape(0) == to.size() && array.strides(0) == sizeof(double)) {
      if (to.size() > 0) std::memcpy(to.data(), array.data(), sizeof(double) * static_cast<std::size_t>(to.size()));
      return;
    }
  }
  to = to_vector(value, name, to.size());
}

}  // namespace driftless::python
