// The directory that a run leaves.
#pragma once

#include "driftless/run/run_config.hpp"

#include <filesystem>
#include <string>

namespace driftless {

class RunDirectory {
 public:
  // Exactly `out`, or a new folder in output.dir if that is empty; config.toml is written at once, so that a place that
  // cannot be written to is found before anything is computed. ConfigError then, and where `out` holds files already.
  RunDirectory(const RunConfig& config, const std::string& out);
  RunDirectory(const OutputConfig& output, const std::string& config_text, const std::string& out);

  // That of a run which is to go on.
  static RunDirectory existing(const std::filesystem::path& path) { return RunDirectory(path); }

  void write_config(const RunConfig& config) const;  // again, once values from the theory are known
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path method_folder(const std::string& label) const;  // made if it is not there
  void discard() const noexcept;                                        // for a run that never began

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)), begun_(true) {}

  std::filesystem::path path_;
  bool made_ = false;
  bool begun_ = false;  // it holds an earlier part of the run
};

}  // namespace driftless
