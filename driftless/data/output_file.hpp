// Files appear whole or not at all: written beside their place under another name, then renamed.
#pragma once

#include <filesystem>
#include <string_view>

namespace driftless {

// Replaces an existing file. DataError if the folder is missing or cannot be written to.
void write_output_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace driftless
