#include "tests/network/faults/supervisor.hpp"

#include <algorithm>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr double patience = 120;  // seconds without progress until a run counts as hung
constexpr int most_failed_starts = 5;

std::size_t lines_of(const fs::path& file) {
  const std::string text = TempFolder::read(file);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

Supervisor::Supervisor(Silos& silos, const CampaignCase& tested) : silos_(silos), case_(tested) {}

void Supervisor::start() {
  silos_.forget_run();
  for (const std::string& who : silos_.peers()) {
    fs::remove_all(faults(who).logs);
    silos_.set_environment(who, faults(who).environment());
    silos_.launch(who);
  }
  restart_clock();
}

FileFaults Supervisor::faults(const std::string& who) const {
  return {.under = silos_.home(who) / "run", .logs = silos_.home(who) / "logs", .records_syncs = true};
}

std::vector<std::string> Supervisor::running() const {
  std::vector<std::string> list = silos_.peers();
  std::erase_if(list, [&](const std::string& who) { return !silos_.runs(who) || !silos_.still_runs(who); });
  return list;
}

std::size_t Supervisor::rows_at(const std::string& who) const {
  std::size_t rows = 0;
  for (const std::string& label : case_.labels()) {
    const std::size_t lines = lines_of(silos_.results(who) / label / "metrics.csv");
    rows += lines > 0 ? lines - 1 : 0;
  }
  return rows;
}

std::size_t Supervisor::progress() const { return std::max(rows_at("server"), rows_at(silos_.sites().front())); }

bool Supervisor::advance(const std::function<bool()>& until, const OnError& on_error) {
  while (!failed()) {
    look(on_error);
    if (failed()) return false;
    if (until()) return true;
    if (finished()) return false;
    watch_clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  return false;
}

bool Supervisor::kill(const std::string& who) { return silos_.runs(who) && silos_.kill(who); }

void Supervisor::start_again(const std::string& who) {
  silos_.launch(who);
  restart_clock();
}

void Supervisor::start_missing() {
  for (const std::string& who : silos_.peers())
    if (!silos_.runs(who) && !done_.contains(who)) start_again(who);
}

std::optional<ProgramResult> Supervisor::end_of(const std::string& who, double seconds) {
  if (!silos_.runs(who)) return std::nullopt;
  return silos_.wait_for(who, seconds);
}

void Supervisor::take(const std::string& who, const ProgramResult& result, const OnError& on_error) {
  restart_clock();
  if (result.exit_code == 0) {
    done_.insert(who);
    return;
  }
  const std::string how =
      result.signal != 0 ? "signal " + std::to_string(result.signal) : "exit code " + std::to_string(result.exit_code);
  const std::string text = who + " ended with " + how + "\n" + result.err;
  if (result.signal != 0 || result.exit_code == 6) return fail(CampaignVerdict::wrong, text);
  if (on_error && on_error(who, result)) return;
  const bool by_full_disk = result.err.find("cannot be written") != std::string::npos;  // of a site, which ends all
  if (!excused_ && !by_full_disk && std::ranges::find(surprises_, text) == surprises_.end()) surprises_.push_back(text);
  if (++failed_starts_[who] > most_failed_starts) return fail(CampaignVerdict::lost, text);
  start_again(who);
}

void Supervisor::look(const OnError& on_error) {
  for (const std::string& who : silos_.peers())
    if (!failed() && silos_.runs(who) && !silos_.still_runs(who)) take(who, silos_.wait(who), on_error);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(silos_.home("server") / "run" / "journal", ignored))
    journal_files_.insert(entry.path().filename().string());
}

void Supervisor::watch_clock() {
  const std::size_t now = progress();
  if (now > seen_progress_) {
    seen_progress_ = now;
    failed_starts_.clear();
    excused_ = false;
    restart_clock();
  }
  if (std::chrono::steady_clock::now() - last_change_ < std::chrono::duration<double>(patience)) return;
  std::string text = "no progress for " + std::to_string(static_cast<int>(patience)) + " s";
  for (const std::string& who : running()) text += "\n" + who + " says:\n" + silos_.standard_error_of(who);
  fail(CampaignVerdict::hung, text);
}

void Supervisor::restart_clock() { last_change_ = std::chrono::steady_clock::now(); }

void Supervisor::fail(CampaignVerdict verdict, const std::string& reason) {
  if (failed()) return;
  verdict_ = verdict;
  reason_ = reason;
}

}  // namespace driftless
