// The folder of one peer of a networked run. Starting the same command again continues there. What a peer writes (its
// checkpoint tells of its data) is for its owner alone: folders have mode 0700, files 0600.
#pragma once

#include "driftless/results/directory_lock.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless::app {

class PeerFolder {
 public:
  // Makes the folder and keeps other processes out of it; ConfigError where one works there. From here on the process
  // makes private files only. A folder in which a run began is made private with all in it.
  explicit PeerFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path results() const { return path_ / "results"; }  // the run directory
  std::filesystem::path audit_file() const { return path_ / "audit.jsonl"; }
  bool has_results() const;  // methods began here

  // What identifies the run that began here, over restarts; empty if none did. DataError where it was begun with
  // another configuration than the one with this digest.
  std::string run(const std::string& configuration_digest) const;
  // Remembers what identifies the run. ConfigError where other files are here than the drafts that a killed start left.
  void begin(const std::string& run, const std::string& configuration_digest);

  // At the server: the sites that have everything they came for, over restarts.
  std::vector<std::string> finished_sites() const;
  void add_finished_site(const std::string& site) const;

 private:
  std::filesystem::path path_;
  std::optional<DirectoryLock> lock_;
};

std::string new_run_name();  // random

}  // namespace driftless::app
