// The directory that a run leaves.
#pragma once

#include "driftless/files/output_file.hpp"
#include "driftless/results/output_config.hpp"

#include <filesystem>
#include <string>

namespace driftless {

// The folder holds at most drafts of config.toml, which a process leaves that is killed during its start.
bool holds_nothing(const std::filesystem::path& folder);

class RunDirectory {
 public:
  // Exactly `out`, or a new folder in output.dir if `out` is empty. Writes config.toml at once, so that a folder that
  // cannot be written to is a ConfigError before anything is computed. ConfigError also where `out` holds files, except
  // for those of a killed start of the same run: drafts, which are removed, and the same config.toml.
  RunDirectory(const OutputConfig& output, const std::string& config_text, const std::string& out,
               Durability durability = Durability::written);

  // The directory of a run that is resumed.
  static RunDirectory existing(const std::filesystem::path& path) { return RunDirectory(path); }

  void write_config(const std::string& text) const;  // again, once the values from theory are known
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path method_folder(const std::string& label) const;  // created if it does not exist
  void sync() const;  // writes its own files to the disk; config.toml first, without which the others are useless
  void discard() const noexcept;  // for a run that never began

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)), begun_(true) {}

  std::filesystem::path path_;
  bool made_ = false;
  bool begun_ = false;  // it held config.toml before
};

}  // namespace driftless
