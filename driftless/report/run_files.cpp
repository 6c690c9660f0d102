#include "driftless/report/run_files.hpp"

#include "driftless/data/input_file.hpp"
#include "driftless/run/link_model.hpp"
#include "driftless/run/method_config.hpp"
#include "driftless/run/metrics_file.hpp"

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

Json read_if_there(const fs::path& file) { return fs::exists(file) ? read_json(file) : Json(nullptr); }

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

// What a program of another version wrote is the directory's fault, not that of the command line.
ConfigDocument read_config_of(const fs::path& file) {
  try {
    return read_document(file);
  } catch (const ConfigError& error) { throw DataError(error.trouble()); }
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

MethodFiles read_method(const fs::path& directory, const ConfigTable& table, const std::string& label,
                        const Json& record) {
  const fs::path folder = directory / label;
  MethodFiles method{.label = label,
                     .name = text_of(table, "name"),
                     .seed = text_of(table, "seed"),
                     .options = {},
                     .rows = {},
                     .stop_reason = stop_reason_of(record, label),
                     .certificate = read_if_there(folder / "certificate.json")};
  constexpr std::array<std::string_view, 3> apart{"name", "label", "seed"};
  for (const ConfigKey& key : table.keys)
    if (std::ranges::find(apart, key.name) == apart.end()) method.options.emplace_back(key.name, to_text(key.value));
  if (fs::exists(folder / "metrics.csv")) method.rows = read_metrics(folder / "metrics.csv");
  return method;
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

RunFiles read_run(const fs::path& directory) {
  check_directory(directory);
  RunFiles run{.name = fs::absolute(directory).lexically_normal().filename().string(),
               .config = read_config_of(directory / "config.toml"),
               .record = read_json(directory / "run.json"),
               .split = read_if_there(directory / "split.json"),
               .constants = read_if_there(directory / "constants.json"),
               .methods = {},
               .links = {}};
  if (run.name.empty()) run.name = fs::absolute(directory).lexically_normal().parent_path().filename().string();
  const std::vector<std::string> labels = method_labels(run.config.methods);
  for (std::size_t i = 0; i < labels.size(); ++i)
    run.methods.push_back(read_method(directory, run.config.methods[i], labels[i], run.record));
  return run;
}

}  // namespace driftless
