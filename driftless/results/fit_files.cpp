#include "driftless/results/fit_files.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <vector>

namespace driftless {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The labels of the methods in a run directory that have the file, in alphabetical order.
std::vector<std::string> labels_with(const fs::path& directory, const std::string& name) {
  std::vector<std::string> labels;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (is_file(entry->path() / name)) labels.push_back(entry->path().filename().string());
  std::ranges::sort(labels);
  return labels;
}

std::optional<fs::path> find_in_run(const fs::path& directory, const std::string& name, const std::string& method) {
  const std::vector<std::string> labels = labels_with(directory, name);
  if (labels.empty()) return std::nullopt;
  if (method.empty() && labels.size() == 1) return directory / labels.front() / name;
  if (std::ranges::find(labels, method) != labels.end()) return directory / method / name;
  throw ConfigError({.what = method.empty() ? "the run fitted several models" : "the run has no model of this method",
                     .seen = directory.string() + ": " + (method.empty() ? join(labels) : "--method " + method),
                     .advice = "give --method with one of: " + join(labels)});
}

}  // namespace

std::optional<fs::path> find_fit_file(const fs::path& given, const std::string& name, const std::string& method) {
  if (is_file(given)) return given;
  if (is_file(given / name)) return given / name;
  // The folder of a server or site has its run directory inside.
  for (const fs::path& directory : {given, given / "results"})
    if (std::optional<fs::path> file = find_in_run(directory, name, method)) return file;
  return std::nullopt;
}

fs::path fit_file(const fs::path& given, const std::string& name, const std::string& method) {
  if (std::optional<fs::path> file = find_fit_file(given, name, method)) return *std::move(file);
  std::error_code error;
  if (name == "inference.json" && find_fit_file(given, "model.json", method))
    throw DataError({.what = "this run left no standard errors",
                     .seen = given.string() + ": no " + name,
                     .advice = "they are left out with problem.standard_errors = false and beyond 2000 coefficients; "
                               "'driftless export' shows the model"});
  throw DataError({.what = fs::exists(given, error) ? "no model of tables was fitted here" : "there is no such file",
                   .seen = given.string() + ": no " + name,
                   .advice = "give the directory of a finished run with kind = \"glm\", or its " + name});
}

}  // namespace driftless
