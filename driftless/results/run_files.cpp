#include "driftless/results/run_files.hpp"

#include "driftless/config/method_config.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/results/fitted_model.hpp"
#include "driftless/results/link_model.hpp"
#include "driftless/results/metrics_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json read_json(const fs::path& file) {
  Json json = Json::parse(read_input_file(file), nullptr, false);
  if (json.is_discarded())
    throw DataError({.what = "a file of the run is not JSON",
                     .seen = file.string(),
                     .advice = "give the directory as 'driftless run' left it"});
  return json;
}

Json read_if_exists(const fs::path& file) { return fs::exists(file) ? read_json(file) : Json(nullptr); }

void check_directory(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    throw DataError({.what = fs::exists(directory, error) ? "this is not a directory" : "there is no such directory",
                     .seen = directory.string(),
                     .advice = "give directories that 'driftless run' left"});
  for (const char* name : {"config.toml", "run.json"})
    if (!fs::exists(directory / name, error))
      throw DataError({.what = "this is not the directory of a run",
                       .seen = directory.string() + ": no file " + name,
                       .advice = "give directories that 'driftless run' left; each has config.toml and run.json"});
}

// An invalid configuration in a run directory is an error of the data, not of the command line.
ConfigDocument read_config_of(const fs::path& file) {
  try {
    return read_document(file);
  } catch (const ConfigError& error) { throw DataError(error.info()); }
}

std::string text_of(const ConfigTable& table, std::string_view key) {
  const ConfigKey* found = table.find(key);
  if (found == nullptr) return "";
  const auto* text = std::get_if<std::string>(&found->value);
  return text != nullptr ? *text : to_text(found->value);
}

std::string stop_reason_of(const Json& record, const std::string& label) {
  if (!record.contains("methods")) return "";
  for (const Json& method : record["methods"])
    if (method.value("label", "") == label) return method.value("stop_reason", "");
  return "";
}

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool has_ended(const Json& record) { return record.contains("exit_code") && !record["exit_code"].is_null(); }

// Compares the rows with the digest in the summary; see read_run. An interrupted method may have more rows since then,
// and summaries of older versions have no digest.
std::string metrics_warning(const fs::path& folder, const Json& summary, const Json& record) {
  if (!summary.is_object() || text_of(summary, "stop_reason") == "interrupted") return "";
  const std::string digest = text_of(summary, "metrics_sha256");
  if (digest.empty() || digest == digest_of_metrics(folder / "metrics.csv")) return "";
  const DataError error({.what = "the metrics of a finished method are not those that it wrote",
                         .seen = (folder / "metrics.csv").string() + ": its digest is not the one in summary.json",
                         .advice = "put back the file, or run the configuration again"});
  if (has_ended(record)) throw error;
  return error.what();
}

MethodFiles read_method(const fs::path& directory, const ConfigTable& table, const std::string& label,
                        const Json& record, const std::string& config_text) {
  const fs::path folder = directory / label;
  const Json summary = read_if_exists(folder / "summary.json");
  const std::string title = text_of(table, "title");
  MethodFiles method{.label = label,
                     .title = title.empty() ? label : title,
                     .name = text_of(table, "name"),
                     .seed = text_of(table, "seed"),
                     .options = {},
                     .theory = noted_formulas(table, config_text),
                     .rows = {},
                     .stop_reason = stop_reason_of(record, label),
                     .certificate = read_if_exists(folder / "certificate.json"),
                     .decision = summary.is_object() ? summary.value("decision", Json(nullptr)) : Json(nullptr),
                     .fit = read_fitted_model(folder),
                     .warning = metrics_warning(folder, summary, record)};
  constexpr std::array<std::string_view, 4> apart{"name", "label", "title", "seed"};
  for (const ConfigKey& key : table.keys)
    if (std::ranges::find(apart, key.name) == apart.end()) method.options.emplace_back(key.name, to_text(key.value));
  if (fs::exists(folder / "metrics.csv")) method.rows = read_metrics(folder / "metrics.csv");
  return method;
}

// The folder of a server or site has its run directory inside.
fs::path run_directory_in(const fs::path& folder) {
  std::error_code error;
  const bool of_peer = !fs::exists(folder / "run.json", error) && fs::exists(folder / "results" / "run.json", error);
  return of_peer ? folder / "results" : folder;
}

std::size_t count_of(const RunFiles& run, const Json& object, const char* key) {
  const Json count = object.is_object() ? object.value(key, Json(nullptr)) : Json(nullptr);
  if (count.is_number_unsigned() && count > 0U) return count.get<std::size_t>();
  throw DataError({.what = "a run without its number of " + std::string(key) + " cannot be timed on a link",
                   .seen = run.name + "/run.json: " + key + " = " + count.dump(),
                   .advice = "give the directory as 'driftless run' left it"});
}

std::uint64_t seed_of(const MethodFiles& method) {
  std::uint64_t seed = 0;
  std::from_chars(method.seed.data(), method.seed.data() + method.seed.size(), seed);
  return seed;
}

}  // namespace

void replay(RunFiles& run, std::span<const Link> links) {
  if (links.empty()) return;
  Simulation simulation{.clients = count_of(run, run.record.value("problem", Json(nullptr)), "clients"),
                        .threads = count_of(run, run.record, "threads"),
                        .seed = 0};
  for (MethodFiles& method : run.methods) {
    simulation.seed = seed_of(method);
    replay(links, simulation, method.rows);
  }
  run.links.assign(links.begin(), links.end());
}

RunFiles read_run(const fs::path& folder) {
  const fs::path directory = run_directory_in(folder);
  check_directory(directory);
  RunFiles run{.name = fs::absolute(folder).lexically_normal().filename().string(),
               .config = read_config_of(directory / "config.toml"),
               .record = read_json(directory / "run.json"),
               .split = read_if_exists(directory / "split.json"),
               .constants = read_if_exists(directory / "constants.json"),
               .methods = {},
               .links = {}};
  if (run.name.empty()) run.name = fs::absolute(folder).lexically_normal().parent_path().filename().string();
  const std::vector<std::string> labels = method_labels(run.config.methods);
  const std::string config_text = read_input_file(directory / "config.toml");
  for (std::size_t i = 0; i < labels.size(); ++i)
    run.methods.push_back(read_method(directory, run.config.methods[i], labels[i], run.record, config_text));
  return run;
}

}  // namespace driftless
