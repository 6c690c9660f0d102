#include "driftless/tuning/search_directory.hpp"

#include "driftless/console/log.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/results/run_directory.hpp"
#include "driftless/tuning/tuning_report.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr const char* config_name = "config.toml";
constexpr const char* trials_name = "trials.csv";
constexpr std::string_view digest_mark = "# digest of the search: ";

// Everything that determines the results; threads and names of folders do not.
std::string digest_of(TuneConfig config, const Problem& problem) {
  config.run.federation.threads = 0;
  config.run.output.dir = config.run.output.name = "any";
  return driftless::digest_of(canonical_text(config), problem);
}

bool holds_search(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / config_name, error) && read_input_file(folder / config_name).starts_with(digest_mark);
}

// The key as trial_key writes it; the whole line where it has none.
std::string key_of(const std::string& line) {
  const std::size_t first = line.find(',');
  const std::size_t second = first == std::string::npos ? first : line.find(',', first + 1);
  return second == std::string::npos ? line : line.substr(0, second + 1);
}

void require_same(const fs::path& folder, const std::string& digest) {
  const std::string text = read_input_file(folder / config_name);
  const std::string before = text.substr(digest_mark.size(), digest.size());
  if (before == digest) return;
  constexpr std::size_t digits = 12;
  throw ConfigError({.what = "the folder holds the search of another configuration",
                     .seen = folder.string() + ": digest " + before.substr(0, digits) + "…, this configuration has " +
                             digest.substr(0, digits) + "…",
                     .advice = "compare with " + (folder / config_name).string() +
                               ", also data and program version count; or give another folder with --out"});
}

}  // namespace

void check_search_folder(const std::string& out, bool must_exist) {
  std::error_code error;
  const bool begun = !out.empty() && holds_search(out);
  if (must_exist && !begun)
    throw ConfigError({.what = "there is no search to resume",
                       .seen = "--resume " + out,
                       .advice = "give the directory that a search left; it has config.toml and trials.csv"});
  const bool used = !out.empty() && fs::exists(out, error) && !holds_nothing(out);
  if (used && !begun)
    throw ConfigError({.what = "the folder for the results is not empty, and nothing is overwritten",
                       .seen = "--out: " + out,
                       .advice = "give a new folder, or that of the same search"});
}

SearchDirectory::SearchDirectory(const TuneConfig& config, const Problem& problem, const std::string& out)
    : config_(config) {
  const std::string digest = digest_of(config, problem);
  if (!out.empty() && holds_search(out)) {
    path_ = out;
    require_same(path_, digest);
  } else {
    const std::string text = std::string(digest_mark) + digest + "\n" + canonical_text(config);
    path_ = RunDirectory(config.run.output, text, out).path();
  }
  trials_.emplace(path_ / trials_name, trials_header(config));
  std::size_t number = 1;
  for (const std::string& line : trials_->found()) { found_[key_of(line)] = {++number, line}; }
  if (!found_.empty()) log_info(std::to_string(found_.size()) + " trials were finished before");
}

std::optional<TrialResult> SearchDirectory::find(const Trial& trial) const {
  const auto found = found_.find(trial_key(trial));
  if (found == found_.end()) return std::nullopt;
  const auto& [number, line] = found->second;
  std::optional<TrialResult> result = parse_trial(trial, line, config_);
  if (!result)
    throw DataError({.what = "a line does not belong to this search or is damaged",
                     .seen = (path_ / trials_name).string() + ":" + std::to_string(number) + ": " + line,
                     .advice = "remove the line: its trial will be run again"});
  return result;
}

void SearchDirectory::add(const TrialResult& result) { trials_->append(trial_line(result, config_)); }

void SearchDirectory::finish(const TuningResult& result) {
  std::string lines = trials_header(config_) + "\n";
  for (const TrialResult& each : result.trials) lines += trial_line(each, config_) + "\n";
  write_output_file(path_ / trials_name, lines);
  write_output_file(path_ / "best.toml", best_toml(result));
  write_output_file(path_ / "tune.json", tuning_json(result));
}

}  // namespace driftless
