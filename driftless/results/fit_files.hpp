// Finds the files of a fitted model of tables: people name the file, its folder, or the run directory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

// The file with this name in a run directory (also that of a server or site), in the folder of a method, or `given`
// itself where it is a file. `method` is the label of a method; it may be empty where the run fitted one model. None
// where nothing was fitted there; ConfigError where there are several and none is named.
std::optional<std::filesystem::path> find_fit_file(const std::filesystem::path& given, const std::string& name,
                                                   const std::string& method);

// The same. DataError where there is none.
std::filesystem::path fit_file(const std::filesystem::path& given, const std::string& name, const std::string& method);

}  // namespace driftless
