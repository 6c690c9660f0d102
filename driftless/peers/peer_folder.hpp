// The folder of one peer of a networked run. The same command, started again, continues the run in it. Only the owner
// may read it, because checkpoints contain information about the data: folders have mode 0700, files 0600.
#pragma once

#include "driftless/results/directory_lock.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

class PeerFolder {
 public:
  // Creates the folder and locks it; ConfigError where another process uses it. Until the end of this object the
  // process creates private files only. The folder of an earlier start is made private with all its files.
  explicit PeerFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path results() const { return path_ / "results"; }  // the run directory
  std::filesystem::path audit_file() const;
  bool has_results() const;  // methods have started

  // Identifies the run of this folder over restarts; empty if there is none. DataError where it was started with
  // another configuration than the one with this digest.
  std::string run(const std::string& configuration_digest) const;
  // Records the identifier of the run. ConfigError where the folder holds other files than those of a start that led to
  // no run: drafts, and the log of what was declined.
  void begin(const std::string& run, const std::string& configuration_digest);

  // At the server: the sites that have finished, over restarts.
  std::vector<std::string> finished_sites() const;
  void add_finished_site(const std::string& site) const;
  // Likewise those that it has dropped.
  std::vector<std::string> dropped_sites() const;
  void add_dropped_site(const std::string& site) const;

 private:
  // While one exists, the process creates files that only its owner can read.
  struct PrivateFiles {
    PrivateFiles();
    ~PrivateFiles();
    PrivateFiles(const PrivateFiles&) = delete;
    PrivateFiles& operator=(const PrivateFiles&) = delete;
  };

  std::vector<std::string> names_in(const char* file) const;
  void add_name(const char* file, const std::string& name) const;

  PrivateFiles private_files_;
  std::filesystem::path path_;
  std::optional<DirectoryLock> lock_;
};

std::string new_run_name();  // random

}  // namespace driftless
