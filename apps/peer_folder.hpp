// The folder of one peer of a networked run. Starting the same command again continues there.
#pragma once

#include <filesystem>
#include <string>

namespace driftless::app {

class PeerFolder {
 public:
  explicit PeerFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path results() const { return path_ / "results"; }  // the run directory
  bool has_results() const;                                            // methods began here
  // What identifies the run that began here, over restarts; empty if none did.
  std::string run() const;
  void begin(const std::string& run);  // makes the folder and remembers what identifies the run

 private:
  std::filesystem::path path_;
};

std::string new_run_name();  // random

}  // namespace driftless::app
