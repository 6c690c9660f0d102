// The folder of one peer of a networked run. Starting the same command again continues there. What a peer writes (its
// checkpoint tells of its data) is for its owner alone: folders have mode 0700, files 0600.
#pragma once

#include <filesystem>
#include <string>

namespace driftless::app {

class PeerFolder {
 public:
  // From here on the process makes private files only. A folder in which a run began is made private with all in it.
  explicit PeerFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path results() const { return path_ / "results"; }  // the run directory
  bool has_results() const;                                            // methods began here
  // What identifies the run that began here, over restarts; empty if none did.
  std::string run() const;
  // Makes the folder and remembers what identifies the run. ConfigError where other files are there than the drafts
  // that a killed start left.
  void begin(const std::string& run);

 private:
  std::filesystem::path path_;
};

std::string new_run_name();  // random

}  // namespace driftless::app
