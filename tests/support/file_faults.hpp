// Faults of files for a program that a test starts: the preload library of fault_injection.cpp and its variables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

struct FileFaults {
  std::filesystem::path under;  // the folder whose files are concerned
  std::filesystem::path logs;   // a folder elsewhere, for what the library records

  std::uint64_t end_before = 0;  // number of the call before which the process is ended by SIGKILL; 0: none
  std::uint64_t end_after = 0;
  std::uint64_t delayed_rename = 0;  // number among the renames; 0: none
  std::uint64_t delay_milliseconds = 0;
  bool traces = false;         // all file-changing calls, in trace()
  bool records_syncs = false;  // for power_loss.hpp

  std::filesystem::path trace() const { return logs / "trace"; }
  std::filesystem::path sync_log() const { return logs / "syncs"; }
  std::filesystem::path kept() const { return logs / "kept"; }
  // While this file exists the disk has room for as many bytes as it says, and no more.
  std::filesystem::path room() const { return logs / "room"; }
  void fill_disk(std::uint64_t bytes_left) const;
  void make_room() const;

  std::vector<std::pair<std::string, std::string>> environment() const;  // makes the folder `logs`
};

// One file-changing call.
struct FileCall {
  std::uint64_t number = 0;
  std::string name;  // open, write, rename, remove, mkdir, link, truncate, sync
  std::filesystem::path path;
};
std::vector<FileCall> read_trace(const std::filesystem::path& file);

}  // namespace driftless
