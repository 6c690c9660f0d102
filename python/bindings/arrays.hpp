// NumPy arrays and the library's vectors.
#pragma once

#include "driftless/core/vector.hpp"

#include <cstdint>
#include <pybind11/numpy.h>
#include <span>
#include <string>
#include <vector>

namespace driftless::python {

namespace py = pybind11;

using Array = py::array_t<double>;

Array to_array(VecIn v);
py::array_t<std::int32_t> to_array(std::span<const std::int32_t> numbers);
Array to_array(std::span<const double> numbers);

// A vector of `size` finite or infinite numbers; −1: any size. `name` is for the message of the DataError.
Vector to_vector(const py::handle& value, const std::string& name, Index size = -1);
// The same into a row of the right size.
void copy_vector(const py::handle& value, const std::string& name, VecOut to);

std::string type_name(const py::handle& value);

}  // namespace driftless::python
