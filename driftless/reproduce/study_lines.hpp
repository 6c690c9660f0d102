// The lines of a study's file: JSON, each with a digest in front so that a changed digit is noticed.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace driftless {

std::string study_line(const nlohmann::ordered_json& json);  // with its end of line

// Calls read(json, number) for every line, counted from 1. DataError with file:line where one is damaged or `read`
// cannot use it, and where there are none.
void read_study_lines(const std::filesystem::path& path,
                      const std::function<void(const nlohmann::ordered_json& json, std::size_t number)>& read);

// For a folder without that file. ConfigError where it has other files.
void check_study_folder(const std::filesystem::path& folder);

// ConfigError where the first line of the file says something else than `asked`, for one of its keys.
void check_study_head(const nlohmann::ordered_json& head, const nlohmann::ordered_json& asked,
                      const std::filesystem::path& path);

}  // namespace driftless
