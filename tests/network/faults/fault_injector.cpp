#include "tests/network/faults/fault_injector.hpp"

#include "tests/support/power_loss.hpp"

#include <algorithm>
#include <csignal>
#include <span>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr double patience = 120;      // seconds until a process counts as hung
constexpr std::size_t more_rows = 3;  // measured after a damage: then the damaged peer takes part again

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Names, sizes and times of all files, which a process must not change.
std::string listing(const fs::path& folder) {
  std::vector<std::string> rows;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    rows.push_back(entry.path().string() + " " +
                   (entry.is_regular_file() ? std::to_string(entry.file_size()) : "folder") + " " +
                   std::to_string(entry.last_write_time().time_since_epoch().count()));
  std::ranges::sort(rows);
  std::string text;
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

bool saves_now(const fs::path& results) {
  std::error_code ignored;
  for (const fs::directory_entry& method : fs::directory_iterator(results, ignored))
    for (const fs::directory_entry& entry : fs::directory_iterator(method.path(), ignored))
      if (entry.path().filename().string().starts_with("state.bin.part-")) return true;
  return false;
}

std::string ended_with(const std::string& who, const ProgramResult& result) {
  return who + " ended with " +
         (result.signal != 0 ? "signal " + std::to_string(result.signal)
                             : "exit code " + std::to_string(result.exit_code)) +
         "\n" + result.err;
}

// A site with a full disk ends the run for all, possibly just before a signal does.
bool met_full_disk(const ProgramResult& result) { return result.err.find("cannot be written") != std::string::npos; }

}  // namespace

std::vector<std::string> FaultInjector::victims(std::size_t count) {
  std::vector<std::string> list = supervisor_.running();
  chance_.shuffle(std::span<std::string>(list));
  if (list.size() > count) list.resize(count);
  return list;
}

void FaultInjector::pause(std::size_t most_milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(chance_.index(most_milliseconds + 1)));
}

void FaultInjector::start_again_in_any_order(std::vector<std::string> peers) {
  chance_.shuffle(std::span<std::string>(peers));
  for (const std::string& who : peers) supervisor_.start_again(who);
}

bool FaultInjector::inject(FaultKind kind, CampaignRecord& record) {
  switch (kind) {
    case FaultKind::kill_one: return kill_some(1);
    case FaultKind::kill_two: return kill_some(2);
    case FaultKind::kill_all: return kill_some(silos_.peers().size());
    case FaultKind::kill_at_start: return kill_at_start();
    case FaultKind::kill_in_save: return kill_in_save();
    case FaultKind::kill_late: return kill_some(1 + chance_.index(silos_.peers().size()));
    case FaultKind::terminate_site: return terminate_site();
    case FaultKind::terminate_server: return terminate_server();
    case FaultKind::stop: return stop();
    case FaultKind::second_server: return start_second_server();
    case FaultKind::disk_full: return fill_disk();
    case FaultKind::power_loss: return lose_power_of_some();
    case FaultKind::flip: return damage(DamageKind::flip, record);
    case FaultKind::cut: return damage(DamageKind::cut, record);
    case FaultKind::swap: return damage(DamageKind::swap, record);
  }
  return false;
}

bool FaultInjector::kill_some(std::size_t count) {
  const std::vector<std::string> killed = victims(count);
  bool any = false;
  for (const std::string& who : killed) any = supervisor_.kill(who) || any;
  pause(200);
  start_again_in_any_order(killed);
  return any;
}

bool FaultInjector::kill_at_start() {
  const std::vector<std::string> killed = victims(1);
  if (killed.empty()) return false;
  supervisor_.kill(killed.front());
  supervisor_.start_again(killed.front());
  pause(200);
  const bool in_time = supervisor_.kill(killed.front());
  supervisor_.start_again(killed.front());
  return in_time;
}

bool FaultInjector::kill_in_save() {
  const std::vector<std::string> killed = victims(1);
  if (killed.empty()) return false;
  const fs::path results = silos_.results(killed.front());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (!saves_now(results) && silos_.still_runs(killed.front()) && std::chrono::steady_clock::now() < end) continue;
  const bool in_time = supervisor_.kill(killed.front());
  supervisor_.start_again(killed.front());
  return in_time;
}

bool FaultInjector::terminate_site() {
  std::vector<std::string> list = supervisor_.running();
  std::erase(list, "server");
  if (list.empty()) return false;
  const std::string who = list[chance_.index(list.size())];
  silos_.send(who, SIGTERM);
  const std::optional<ProgramResult> result = supervisor_.end_of(who, patience);
  if (!result) supervisor_.fail(CampaignVerdict::hung, who + " does not end by SIGTERM");
  else if (result->exit_code == 143 || result->signal == SIGTERM || met_full_disk(*result))
    supervisor_.start_again(who);
  else if (result->exit_code != 0)
    supervisor_.fail(CampaignVerdict::wrong, "after SIGTERM " + ended_with(who, *result));
  else supervisor_.take(who, *result, {});
  return result.has_value() && result->exit_code != 0;
}

// Ends the run for all; the supervisor starts the sites again.
bool FaultInjector::terminate_server() {
  if (std::ranges::count(supervisor_.running(), "server") == 0) return false;
  const int signal = chance_.bernoulli(0.5) ? SIGTERM : SIGINT;
  silos_.send("server", signal);
  supervisor_.excuse_errors();
  const std::optional<ProgramResult> result = supervisor_.end_of("server", patience);
  if (!result) supervisor_.fail(CampaignVerdict::hung, "the server does not end by a signal");
  else if (result->exit_code == 128 + signal || result->signal == signal || met_full_disk(*result))
    supervisor_.start_again("server");
  else if (result->exit_code != 0)
    supervisor_.fail(CampaignVerdict::wrong, "after a signal " + ended_with("server", *result));
  else supervisor_.take("server", *result, {});
  return result.has_value() && result->exit_code != 0;
}

bool FaultInjector::stop() {
  const std::vector<std::string> stopped = victims(1 + chance_.index(2));
  if (stopped.empty()) return false;
  // One in ten is long enough for connections to be dropped.
  const double most = chance_.bernoulli(0.1) ? longest_stop_ : std::min(longest_stop_, 2.0);
  for (const std::string& who : stopped) silos_.send(who, SIGSTOP);
  sleep_for(chance_.uniform(0.1, most));
  for (const std::string& who : stopped) silos_.send(who, SIGCONT);
  supervisor_.restart_clock();
  return true;
}

// The first server is stopped meanwhile, so that every change in its folder is one of the second.
bool FaultInjector::start_second_server() {
  if (std::ranges::count(supervisor_.running(), "server") == 0) return false;
  // A server that does not listen yet may not hold its folder either; then the second one is the first.
  if (!silos_.prints("server", "listening at ", 20) || !silos_.still_runs("server")) return false;
  const fs::path home = silos_.folder() / "second";
  fs::create_directories(home);
  silos_.send("server", SIGSTOP);
  const std::string before = listing(silos_.home("server") / "run");
  const std::string listen = chance_.bernoulli(0.5) ? silos_.address() : "127.0.0.1:0";
  Program second({.arguments = silos_.serve_arguments(listen, silos_.home("server") / "run"), .folder = home});
  const std::optional<ProgramResult> result = second.wait_for(30);
  const std::string after = listing(silos_.home("server") / "run");
  const bool first_lives = silos_.still_runs("server");
  silos_.send("server", SIGCONT);
  supervisor_.restart_clock();
  if (!first_lives) return false;
  if (!result) supervisor_.fail(CampaignVerdict::wrong, "a second server runs in the folder of the first");
  else if (result->exit_code != 2) supervisor_.fail(CampaignVerdict::wrong, "second " + ended_with("server", *result));
  else if (before != after)
    supervisor_.fail(CampaignVerdict::wrong, "a rejected second server changed files:\n" + after);
  return true;
}

bool FaultInjector::fill_disk() {
  const std::vector<std::string> list = victims(1);
  if (list.empty()) return false;
  const std::string& who = list.front();
  const FileFaults faults = supervisor_.faults(who);
  supervisor_.excuse_errors();
  faults.fill_disk(chance_.index(100'000));
  // A program may also wait for free space.
  std::optional<ProgramResult> result = supervisor_.end_of(who, 10);
  faults.make_room();
  // A peer that has just failed on the full disk takes a while to disconnect from the server.
  if (!result) result = supervisor_.end_of(who, 12);
  if (!result) return true;
  const bool by_another_disk = result->exit_code == 3 && result->err.find("cannot be written") != std::string::npos;
  if (result->exit_code == 0 || by_another_disk) supervisor_.take(who, *result, {});
  else if ((result->exit_code != 5 && result->exit_code != 2) || result->err.find("run/") == std::string::npos)
    supervisor_.fail(CampaignVerdict::wrong, "on a full disk " + ended_with(who, *result));
  else supervisor_.start_again(who);
  return true;
}

bool FaultInjector::lose_power_of_some() {
  const std::size_t count = chance_.bernoulli(0.3) ? silos_.peers().size() : 1;
  const std::vector<std::string> killed = victims(count);
  bool any = false;
  for (const std::string& who : killed) any = supervisor_.kill(who) || any;
  for (const std::string& who : killed)
    lose_power(supervisor_.faults(who), chance_.bernoulli(0.5) ? Names::lost : Names::kept);
  start_again_in_any_order(killed);
  return any;
}

bool FaultInjector::damage(DamageKind kind, CampaignRecord& record) {
  const std::vector<std::string> list = chance_.bernoulli(0.5) && silos_.runs("server") && silos_.still_runs("server")
                                            ? std::vector<std::string>{"server"}
                                            : victims(1);
  if (list.empty()) return false;
  const std::string& who = list.front();
  supervisor_.kill(who);
  const std::optional<Damage> damage = Damage::make(kind, silos_.home(who), who, other_, chance_);
  make_durable(supervisor_.faults(who));
  supervisor_.start_again(who);
  if (!damage) return false;
  record.history += "  " + damage->text() + "\n";
  await_rejection(*damage, who, record);
  return true;
}

void FaultInjector::await_rejection(const Damage& damage, const std::string& who, CampaignRecord& record) {
  const std::size_t before = supervisor_.progress();
  bool rejected = false;
  std::optional<std::chrono::steady_clock::time_point> deadline;  // once the damaged peer has ended without naming it
  std::string ends;
  const auto on_error = [&](const std::string& peer, const ProgramResult& result) {
    if (met_full_disk(result)) return false;  // an earlier fault, which the supervisor repairs
    rejected = rejected || damage.rejected_by(result.exit_code, result.err);
    ends += ended_with(peer, result);
    if (peer == who) deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    return true;
  };
  const auto over = [&] {
    const bool silent = deadline && std::chrono::steady_clock::now() > *deadline;
    return rejected || silent || supervisor_.running().empty() || supervisor_.progress() >= before + more_rows;
  };
  supervisor_.excuse_errors();
  supervisor_.advance(over, on_error);
  if (supervisor_.failed()) return;
  if (!rejected && !ends.empty())
    return supervisor_.fail(CampaignVerdict::wrong, damage.text() + ", and nobody names it:\n" + ends);
  ++(rejected ? record.rejected : record.harmless);
  if (rejected) {
    supervisor_.kill(who);
    damage.undo();
    make_durable(supervisor_.faults(who));
  }
  supervisor_.start_missing();
  supervisor_.excuse_errors();
}

}  // namespace driftless
