#include "driftless/peers/server_status.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/core/error.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/results/directory_lock.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* status_name = "status.json";

Json site_json(const SiteStatus& site) {
  return {{"site", site.site},
          {"state", enum_name(site.state)},
          {"seconds", site.seconds},
          {"bytes_received", site.bytes_received},
          {"bytes_sent", site.bytes_sent},
          {"checkpoint", site.checkpoint}};
}

// The file of a server that was killed still says "running", but its lock has ended.
bool is_in_use(const fs::path& folder) {
  try {
    const DirectoryLock lock(folder);
    return false;
  } catch (const ConfigError&) { return true; }
}

Json read_status(const fs::path& folder) {
  Json json = Json::parse(read_input_file(folder / status_name));
  if (!is_in_use(folder)) json.at("running") = false;
  return json;
}

std::string text_of_sites(const Json& sites) {
  std::string text = fmt::format("{:<24}{:<12}{:>10}{:>14}{:>14}{:>12}\n", "site", "state", "for, s", "received",
                                 "sent", "checkpoint");
  for (const Json& site : sites)
    text += fmt::format("{:<24}{:<12}{:>10.0f}{:>14}{:>14}{:>12}\n", site.at("site").get<std::string>(),
                        site.at("state").get<std::string>(), site.at("seconds").get<double>(),
                        site.at("bytes_received").get<std::uint64_t>(), site.at("bytes_sent").get<std::uint64_t>(),
                        site.at("checkpoint").get<std::uint64_t>());
  return text;
}

std::string text_of_status(const Json& json) {
  std::string text =
      fmt::format("run {} at {}: {}, round {} of '{}', exchange {}\n", json.at("run").get<std::string>(),
                  json.at("time").get<std::string>(), json.at("running").get<bool>() ? "running" : "not running",
                  json.at("round").get<std::size_t>(), json.at("method").get<std::string>(),
                  json.at("exchange").get<std::uint64_t>());
  if (const std::string ended = json.at("ended"); !ended.empty()) text += "ended: " + ended + "\n";
  return text + text_of_sites(json.at("sites"));
}

// use(what the file of a server says)
template <class Use>
std::string with_status(const fs::path& folder, const Use& use) {
  std::error_code ignored;
  const fs::path file = folder / status_name;
  if (!fs::exists(file, ignored))
    throw ConfigError({.what = "no server has used this folder",
                       .seen = "--out: " + folder.string(),
                       .advice = "give the folder of the server with --out DIR"});
  try {
    return use(read_status(folder));
  } catch (const Json::exception& error) {
    throw DataError({.what = "the status of the server is damaged",
                     .seen = file.string() + ": " + error.what(),
                     .advice = "ask again: a running server writes it every second"});
  }
}

}  // namespace

StatusWriter::StatusWriter(const Hub& hub, std::string run, const fs::path& folder)
    : hub_(hub), run_(std::move(run)), file_(folder / status_name) {
  write(true);
  thread_ = std::thread([this] {
    constexpr int steps = 10;  // short ones, so that the thread ends soon
    for (int step = 1; !stopping_; ++step) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (step % steps == 0) write(true);
    }
  });
}

StatusWriter::~StatusWriter() {
  stopping_ = true;
  thread_.join();
  write(false);
}

void StatusWriter::at_round(const std::string& label, const TraceRow& row) {
  const std::lock_guard lock(mutex_);
  method_ = label;
  round_ = row.round;
}

void StatusWriter::write(bool running) {
  const HubStatus status = hub_.status();
  Json json{{"schema_version", 1}, {"time", utc_time()}, {"run", run_}, {"running", running}};
  {
    const std::lock_guard lock(mutex_);
    json["method"] = method_;
    json["round"] = round_;
  }
  json["exchange"] = status.exchange;
  json["durable"] = status.durable;
  json["waiting_s"] = status.waiting;
  json["ended"] = status.ended;
  json["sites"] = Json::array();
  for (const SiteStatus& site : status.sites) json["sites"].push_back(site_json(site));
  try {
    write_output_file(file_, json.dump(2) + "\n");
  } catch (const DataError&) {}  // a full disk is reported where results are written
}

std::string status_json(const fs::path& folder) {
  return with_status(folder, [](const Json& json) { return json.dump(2) + "\n"; });
}

std::string status_text(const fs::path& folder) { return with_status(folder, text_of_status); }

}  // namespace driftless
