// The directory of a search: its configuration, the finished trials, and at the end the result.
#pragma once

#include "driftless/tuning/trials_file.hpp"
#include "driftless/tuning/tuning_result.hpp"

#include <map>

namespace driftless {

// Called before anything is computed. ConfigError for a folder that is neither new nor that of a search.
void check_search_folder(const std::string& out, bool must_exist);

class SearchDirectory {
 public:
  // A new directory, or that of the same search, whose finished trials are reused. ConfigError where it belongs to
  // another search; DataError where its trials cannot be read.
  SearchDirectory(const TuneConfig& config, const Problem& problem, const std::string& out);

  const std::filesystem::path& path() const { return path_; }
  std::optional<TrialResult> find(const Trial& trial) const;  // among those finished before
  void add(const TrialResult& result);
  void finish(const TuningResult& result);  // trials.csv in order, tune.json, best.toml

 private:
  const TuneConfig& config_;
  std::filesystem::path path_;
  std::optional<TrialsFile> trials_;
  std::map<std::string, std::pair<std::size_t, std::string>> found_;  // by trial_key: line number and line
};

}  // namespace driftless
