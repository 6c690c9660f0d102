// Vectors and matrices as NumPy files (format 1.0, little-endian float64), which numpy.load reads.
#pragma once

#include "driftless/core/vector.hpp"

#include <filesystem>
#include <string_view>

namespace driftless {

void write_npy(const std::filesystem::path& path, const Vector& v);
void write_npy(const std::filesystem::path& path, const Matrix& m);

// A vector of float64 or float32. DataError if the file is missing, damaged, of another shape or type, or has entries
// that are not finite.
Vector read_npy(const std::filesystem::path& path);
Vector parse_npy(std::string_view bytes, const std::filesystem::path& path);  // the path is for messages

}  // namespace driftless
