// The directory of a search: what it was asked, what is finished, and in the end the result.
#pragma once

#include "driftless/tuning/trials_file.hpp"
#include "driftless/tuning/tuning_result.hpp"

#include <map>

namespace driftless {

// Before anything is computed: a folder that is neither new nor that of a search is rejected. ConfigError.
void check_search_folder(const std::string& out, bool must_exist);

class SearchDirectory {
 public:
  // A new directory, or that of the same search, whose finished trials are then known. ConfigError where it is that of
  // another one; DataError where its trials cannot be understood.
  SearchDirectory(const TuneConfig& config, const Problem& problem, const std::string& out);

  const std::filesystem::path& path() const { return path_; }
  std::optional<TrialResult> find(const Trial& trial) const;  // from before
  void add(const TrialResult& result);
  void finish(const TuningResult& result);  // trials.csv in order, tune.json, best.toml

 private:
  const TuneConfig& config_;
  std::filesystem::path path_;
  std::optional<TrialsFile> trials_;
  std::map<std::string, std::pair<std::size_t, std::string>> found_;  // by trial_key: line number and line
};

}  // namespace driftless
