// A federation with a very short run, mostly start and end, and with file faults at one of its peers.
#pragma once

#include "tests/network/silos.hpp"
#include "tests/support/file_faults.hpp"

#include <string>

namespace driftless {

// Two clients, two rounds, a checkpoint after each.
std::string tiny_config();
constexpr const char* tiny_label = "scaffold";

// Tests one in so many calls; every call where DRIFTLESS_TEST_ALL_CALLS is set, as scripts/test-faults does.
std::size_t tried_step(std::size_t usual);
std::string text_of(const FileCall& call);  // "killed before call 3, write of …"

class TinyFederation {
 public:
  explicit TinyFederation(std::string victim);  // "server" or "north"

  FileFaults faults() const;  // none yet
  // The calls of an undisturbed run; empty, with a test failure, where it fails.
  std::vector<FileCall> calls();
  // A new run in which the victim is killed before the call with this number, or when it ends; false if it hangs.
  bool run_until(std::uint64_t call, bool records_syncs = false);
  std::size_t kills() const { return kills_; }  // of victims that had not ended before
  void start_victim_again();
  // What is wrong with how the peers ended; empty if nothing is.
  std::string fault_of_all();

 private:
  void start_all(const FileFaults& of_victim);
  std::string fault_of(const std::string& who);

  std::string victim_;
  Silos silos_;
  std::string bits_;
  std::size_t kills_ = 0;
};

}  // namespace driftless
