#include "driftless/reproduce/study_lines.hpp"

#include "driftless/core/error.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& line, const std::string& location) {
  const std::size_t digits = 8;
  const bool whole =
      line.size() > digits && line[digits] == ' ' && short_hash(line.substr(digits + 1)) == line.substr(0, digits);
  if (!whole)
    throw DataError(
        {.what = "the file of the study is damaged",
         .seen = location + ": the line does not match its digest",
         .advice = "remove the line, and what it holds is run again; a damaged first line costs the study"});
  return Json::parse(line.substr(digits + 1));
}

}  // namespace

std::string study_line(const Json& json) {
  const std::string text = json.dump();
  return short_hash(text) + " " + text + "\n";
}

void read_study_lines(const std::filesystem::path& path, const std::function<void(const Json&, std::size_t)>& read) {
  std::istringstream lines(read_input_file(path));
  std::string line;
  std::size_t number = 0;
  while (std::getline(lines, line)) {
    const std::string location = fmt::format("{}:{}", path.string(), ++number);
    try {
      read(parsed(line, location), number);
    } catch (const nlohmann::json::exception& error) {
      throw DataError({.what = "the file of the study cannot be read by this version",
                       .seen = location + ": " + error.what(),
                       .advice = "use the version that began the study, or begin another one in a new folder"});
    }
  }
  if (number == 0)
    throw DataError({.what = "the file of the study is empty",
                     .seen = path.string(),
                     .advice = "remove the file, and the study starts from the beginning"});
}

void check_study_folder(const std::filesystem::path& folder) {
  if (std::filesystem::is_empty(folder)) return;
  throw ConfigError({.what = "the folder has other files and no study",
                     .seen = "--out: " + folder.string(),
                     .advice = "give a folder that is new or empty, or that of a study, which is continued"});
}

void check_study_head(const Json& head, const Json& asked, const std::filesystem::path& path) {
  for (const auto& [key, value] : asked.items()) {
    const Json known = head.contains(key) ? head.at(key) : Json("nothing");
    if (known != value)
      throw ConfigError(
          {.what = "the folder holds a study of something else",
           .seen = fmt::format("{}: {} = {}, asked for {}", path.string(), key, known.dump(), value.dump()),
           .advice = "give the options that the study began with, or another folder with --out"});
  }
}

}  // namespace driftless
