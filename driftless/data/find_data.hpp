// From a name such as "a9a" to a file: a path as it is, or the first match in the known folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

// In order: those of $DRIFTLESS_DATA (separated by colons), ~/.cache/driftless.
std::vector<std::filesystem::path> data_roots();

// The folders searched for rows: the roots, each with its subfolder libsvm.
std::vector<std::filesystem::path> data_folders();

// The file of that path, or the same with the suffix of a compressed file.
std::optional<std::filesystem::path> packed_or_plain(const std::filesystem::path& path);

// An existing file, else `name`, `name.zst` or `name.gz` in the folders above.
// DataError with the folders searched and similar names found there.
std::filesystem::path find_data(const std::string& name_or_path);

}  // namespace driftless
