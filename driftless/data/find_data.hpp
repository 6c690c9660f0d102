// From a name such as "a9a" to a file: a path as it is, or the first match in the known folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

// The folders searched, in order: those of $DRIFTLESS_DATA (separated by colons), ../shared/data, ~/.cache/driftless;
// each with its subfolder libsvm.
std::vector<std::filesystem::path> data_folders();

// An existing file, else `name`, `name.zst` or `name.gz` in the folders above.
// DataError with the places searched and similar names found there.
std::filesystem::path find_data(const std::string& name_or_path);

}  // namespace driftless
