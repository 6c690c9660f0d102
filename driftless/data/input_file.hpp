// Whole files in memory. Files packed with zstd or gzip are unpacked on the way, recognised by their first bytes.
#pragma once

#include <filesystem>
#include <string>

namespace driftless {

// DataError if the file is missing, a folder, unreadable, cut short, damaged, or packed in a way not read here.
std::string read_input_file(const std::filesystem::path& path);

}  // namespace driftless
