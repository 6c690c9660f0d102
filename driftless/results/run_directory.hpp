// The directory that a run leaves.
#pragma once

#include "driftless/files/output_file.hpp"
#include "driftless/results/output_config.hpp"

#include <filesystem>
#include <string>

namespace driftless {

// The folder has no files but drafts of config.toml, which a process leaves that is killed when it starts.
bool holds_nothing(const std::filesystem::path& folder);

class RunDirectory {
 public:
  // Exactly `out`, or a new folder in output.dir if that is empty; config.toml is written at once, so that a folder
  // that cannot be written to is found before anything is computed. ConfigError then, and where `out` holds files other
  // than those of the same start that was killed: drafts, which are removed, and the same config.toml.
  RunDirectory(const OutputConfig& output, const std::string& config_text, const std::string& out,
               Durability durability = Durability::written);

  // That of a run which is to be resumed.
  static RunDirectory existing(const std::filesystem::path& path) { return RunDirectory(path); }

  void write_config(const std::string& text) const;  // again, once values from the theory are known
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path method_folder(const std::string& label) const;  // made if it is not there
  void sync() const;  // its own files to the disk; config.toml first, without which the others are of no use
  void discard() const noexcept;  // for a run that never began

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)), begun_(true) {}

  std::filesystem::path path_;
  bool made_ = false;
  bool begun_ = false;  // it held config.toml before
};

}  // namespace driftless
