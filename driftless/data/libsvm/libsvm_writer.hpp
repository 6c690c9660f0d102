// Rows as LIBSVM text. Numbers are the shortest that read back as the same double, so nothing is lost on the way. The
// dimension is not part of the format: where the last columns are empty, give it again when reading.
#pragma once

#include "driftless/data/dataset.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace driftless {

std::string libsvm_text(const Dataset& data);
std::string libsvm_text(const Dataset& data, std::span<const std::int32_t> rows);

void write_libsvm(const std::filesystem::path& path, const Dataset& data);
void write_libsvm(const std::filesystem::path& path, const Dataset& data, std::span<const std::int32_t> rows);

}  // namespace driftless
