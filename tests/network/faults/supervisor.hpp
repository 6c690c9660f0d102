// Supervises the peers of one run, as an operator does: restarts every peer that ends with an error with the same
// command, and detects a run without progress.
#pragma once

#include "tests/network/faults/campaign_case.hpp"
#include "tests/network/silos.hpp"
#include "tests/support/file_faults.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace driftless {

enum class CampaignVerdict { right, wrong, lost, hung };
constexpr std::array<std::string_view, 4> verdict_names{"right", "wrong", "lost", "hung"};

class Supervisor {
 public:
  // True: the end of the peer was handled, and it is not restarted.
  using OnError = std::function<bool(const std::string& who, const ProgramResult& result)>;

  Supervisor(Silos& silos, const CampaignCase& tested);

  void start();  // a new run
  FileFaults faults(const std::string& who) const;
  std::vector<std::string> running() const;
  bool finished() const { return done_.size() == silos_.peers().size(); }
  std::size_t progress() const;  // rows of metrics, at the peer that has most
  // Waits until the condition holds; false where the run ends or fails before.
  bool advance(const std::function<bool()>& until, const OnError& on_error = {});

  bool kill(const std::string& who);  // false if it had ended before
  void start_again(const std::string& who);
  void start_missing();  // all peers that neither run nor have finished
  std::optional<ProgramResult> end_of(const std::string& who, double seconds);  // without restarting it
  void take(const std::string& who, const ProgramResult& result, const OnError& on_error);
  // Errors are expected until the run makes progress again.
  void excuse_errors() { excused_ = true; }
  void restart_clock();  // nothing could happen meanwhile

  void fail(CampaignVerdict verdict, const std::string& reason);  // the first one counts
  bool failed() const { return verdict_ != CampaignVerdict::right; }
  CampaignVerdict verdict() const { return verdict_; }
  const std::string& reason() const { return reason_; }
  const std::vector<std::string>& surprises() const { return surprises_; }  // errors that no fault explains
  std::size_t journal_files() const { return journal_files_.size(); }       // seen in the whole run

 private:
  std::size_t rows_at(const std::string& who) const;
  void look(const OnError& on_error);
  void watch_clock();

  Silos& silos_;
  CampaignCase case_;
  std::set<std::string> done_;
  std::map<std::string, int> failed_starts_;  // since the last progress
  std::set<std::string> journal_files_;
  std::vector<std::string> surprises_;
  std::size_t seen_progress_ = 0;
  std::chrono::steady_clock::time_point last_change_;
  bool excused_ = false;
  CampaignVerdict verdict_ = CampaignVerdict::right;
  std::string reason_;
};

}  // namespace driftless
