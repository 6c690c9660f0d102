// What the preload library does with the file-changing calls of a program. Everything is asked for by environment
// variables, which survive exec; see file_faults.hpp for the side of the test.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>

namespace driftless {

class FaultPlan {
 public:
  FaultPlan();  // from the environment

  // Calls on other paths are neither counted nor changed.
  bool concerns(const std::string& path) const;

  // Before a call: counts it, records it in the trace and ends the process if this is the call asked for.
  std::uint64_t begin(const char* call, const std::string& path);
  void end(std::uint64_t number) const;  // after the call: ends the process if it was to be ended after this one
  void before_rename();                  // waits if this is the rename to be delayed

  // How many of `bytes` still fit on the disk; all of them unless a full disk is asked for.
  std::size_t room_for(std::size_t bytes);

  bool records_syncs() const { return !sync_log_.empty(); }
  void record_file_sync(ino_t inode, off_t size) const;
  void record_folder_sync(const std::string& folder) const;

 private:
  struct NthCall {
    std::uint64_t number = 0;  // counted from 1; 0: none
    std::uint64_t milliseconds = 0;
  };
  static NthCall nth_call(const char* variable);

  std::string under_;
  std::string trace_;
  std::string sync_log_;
  std::string kept_;  // hard links to files whose name is durable, so that they outlive a removal that is not
  std::string room_file_;
  NthCall end_before_;
  NthCall end_after_;
  NthCall delayed_rename_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> renames_ = 0;
  mutable std::mutex writing_;  // of the logs
  std::mutex counting_room_;
  std::optional<std::size_t> room_;  // none while the disk has plenty
};

FaultPlan& fault_plan();  // that of this process

}  // namespace driftless
