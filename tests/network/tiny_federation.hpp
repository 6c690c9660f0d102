// A federation whose run is so short that its start and its end are most of it, with file faults at one of its peers.
#pragma once

#include "tests/network/silos.hpp"
#include "tests/support/file_faults.hpp"

#include <string>

namespace driftless {

// Two clients, two rounds, a checkpoint after each.
std::string tiny_config();
constexpr const char* tiny_label = "scaffold";

// Of all calls one in so many is tried: every one where DRIFTLESS_TEST_ALL_CALLS is set, as scripts/test-faults does.
std::size_t tried_step(std::size_t usual);
std::string text_of(const FileCall& call);  // "killed before call 3, write of …"

class TinyFederation {
 public:
  explicit TinyFederation(std::string victim);  // "server" or "north"

  FileFaults faults() const;  // none yet
  // The calls of an undisturbed run; empty, with a failure of the test, where it does not end as it should.
  std::vector<FileCall> calls();
  // A new run in which the victim is killed before its call of that number, at the latest when it ends; false if hung.
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
