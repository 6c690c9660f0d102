#include "driftless/network/mpi/mpi_session.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <mpi.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace driftless {
namespace {

constexpr int notice_tag = 11;        // why a rank failed
constexpr int final_report_tag = 12;  // how a rank ended, to rank 0
constexpr std::size_t longest_text = 3000;

// How long rank 0 waits for the reports of the others, and they for their end; some may be in a long local solve.
constexpr auto timeout_of_rank_0 = std::chrono::seconds(5);
constexpr auto timeout_of_others = std::chrono::seconds(30);

struct FinalReport {
  int exit_status = 0;
  bool own = false;  // the error occurred on this rank
  std::array<char, longest_text + 1> text{};
};

void copy_text(std::string_view text, std::array<char, longest_text + 1>& out) {
  const std::size_t size = std::min(text.size(), longest_text);
  std::copy_n(text.begin(), size, out.begin());
  out[size] = '\0';
}

// Waits for `done`; false after the timeout. Sleeps in between, so that a rank that still computes has the core.
bool wait_for(const std::function<bool()>& done, std::chrono::steady_clock::duration timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

bool is_done(MPI_Request& request) {
  int flag = 0;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

void cancel(MPI_Request& receive) {
  if (receive == MPI_REQUEST_NULL) return;
  MPI_Cancel(&receive);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
}

// A launcher may bind each rank to cores of its own, or let all ranks use all cores.
std::size_t cores_of_rank(MPI_Comm world) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int ranks = 1;
  MPI_Comm_size(machine, &ranks);
  std::vector<cpu_set_t> sets(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, sets.data(), sizeof mine, MPI_BYTE, machine);
  MPI_Comm_free(&machine);
  const auto sharing = std::ranges::count_if(sets, [&](const cpu_set_t& other) {
    cpu_set_t both;
    CPU_AND(&both, &mine, &other);
    return CPU_COUNT(&both) > 0;
  });
  return std::max<std::size_t>(1, static_cast<std::size_t>(CPU_COUNT(&mine) / std::max<std::ptrdiff_t>(1, sharing)));
}

}  // namespace

struct MpiRequests::Handles {
  std::vector<MPI_Request> receives;
  std::vector<MPI_Request> sends;
};

MpiRequests::MpiRequests() : handles_(std::make_unique<Handles>()) {}
MpiRequests::MpiRequests(MpiRequests&&) noexcept = default;
MpiRequests::~MpiRequests() {
  if (handles_) cancel();
}

// MPI cannot cancel a send; the process will end before that matters.
void MpiRequests::cancel() {
  for (MPI_Request& receive : handles_->receives) driftless::cancel(receive);
  for (MPI_Request& send : handles_->sends)
    if (send != MPI_REQUEST_NULL) MPI_Request_free(&send);
  handles_->receives.clear();
  handles_->sends.clear();
}

struct MpiSession::State {
  MPI_Comm world = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 1;
  std::size_t cores = 1;

  MPI_Request notice = MPI_REQUEST_NULL;  // receives the reason of the first rank that fails
  std::array<char, longest_text + 1> reason{};
  bool failed = false;       // on this or another rank
  bool sent_notice = false;  // the error occurred on this rank
  std::vector<MPI_Request> notices_sent;

  bool notice_arrived() {
    if (!failed && is_done(notice)) failed = true;
    return failed;
  }

  // Waits for all requests, or until a rank fails.
  void wait(std::vector<MPI_Request>& requests) {
    requests.push_back(notice);
    const int count = static_cast<int>(requests.size());
    for (int done = 0; done < count - 1 && !failed; ++done) {
      int which = 0;
      MPI_Waitany(count, requests.data(), &which, MPI_STATUS_IGNORE);
      failed = which == count - 1;
    }
    notice = requests.back();
    requests.pop_back();
    if (failed) throw_failure();
    requests.clear();
  }

  [[noreturn]] void throw_failure() const {
    throw TransportError({.what = "a rank aborted the run: " + std::string(reason.data()),
                          .seen = "rank " + std::to_string(rank) + " of " + std::to_string(ranks),
                          .advice = "see the error of that rank"});
  }
};

MpiSession::MpiSession() : state_(std::make_unique<State>()) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED)
    throw TransportError({.what = "this MPI does not allow other threads beside the one that calls it",
                          .seen = "MPI_Init_thread gives level " + std::to_string(provided),
                          .advice = "use an MPI with MPI_THREAD_FUNNELED"});
  State& s = *state_;
  MPI_Comm_dup(MPI_COMM_WORLD, &s.world);
  MPI_Comm_rank(s.world, &s.rank);
  MPI_Comm_size(s.world, &s.ranks);
  s.cores = cores_of_rank(s.world);
  MPI_Irecv(s.reason.data(), longest_text, MPI_CHAR, MPI_ANY_SOURCE, notice_tag, s.world, &s.notice);
}

MpiSession::~MpiSession() {
  State& s = *state_;
  // A launcher may end all processes as soon as one has ended with an error code.
  if (!s.failed) MPI_Barrier(s.world);
  cancel(s.notice);
  MPI_Waitall(static_cast<int>(s.notices_sent.size()), s.notices_sent.data(), MPI_STATUSES_IGNORE);
  if (!s.failed) MPI_Comm_free(&s.world);
  MPI_Finalize();
}

std::size_t MpiSession::rank() const { return static_cast<std::size_t>(state_->rank); }
std::size_t MpiSession::ranks() const { return static_cast<std::size_t>(state_->ranks); }
std::size_t MpiSession::cores() const { return state_->cores; }

bool MpiSession::same_as_neighbour(std::uint64_t value) {
  MpiRequests requests;
  const double mine = std::bit_cast<double>(value);
  double other = 0.0;
  receive({&other, 1}, (rank() + ranks() - 1) % ranks(), MpiKind::signal, requests);
  send({&mine, 1}, (rank() + 1) % ranks(), MpiKind::signal, requests);
  wait(requests);
  return std::bit_cast<std::uint64_t>(other) == value;
}

void MpiSession::send(std::span<const double> row, std::size_t to, MpiKind kind, MpiRequests& requests) {
  MPI_Isend(row.data(), static_cast<int>(row.size()), MPI_DOUBLE, static_cast<int>(to), static_cast<int>(kind),
            state_->world, &requests.handles_->sends.emplace_back());
}

void MpiSession::receive(std::span<double> row, std::size_t from, MpiKind kind, MpiRequests& requests) {
  MPI_Irecv(row.data(), static_cast<int>(row.size()), MPI_DOUBLE, static_cast<int>(from), static_cast<int>(kind),
            state_->world, &requests.handles_->receives.emplace_back());
}

void MpiSession::wait(MpiRequests& requests) {
  if (state_->failed) state_->throw_failure();
  state_->wait(requests.handles_->receives);
  state_->wait(requests.handles_->sends);
}

void MpiSession::abort(std::string_view reason) noexcept {
  State& s = *state_;
  if (s.notice_arrived()) return;
  s.failed = s.sent_notice = true;
  cancel(s.notice);
  copy_text(reason, s.reason);
  for (int other = 0; other < s.ranks; ++other)
    if (other != s.rank)
      MPI_Isend(s.reason.data(), static_cast<int>(std::strlen(s.reason.data())) + 1, MPI_CHAR, other, notice_tag,
                s.world, &s.notices_sent.emplace_back());
}

void MpiSession::end_processes(int exit_status, const std::string& text) {
  State& s = *state_;
  abort(text);
  FinalReport mine{.exit_status = exit_status, .own = s.sent_notice};
  copy_text(text, mine.text);
  std::string failed_rank;
  if (s.rank != 0) {
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(&mine, sizeof mine, MPI_BYTE, 0, final_report_tag, s.world, &sent);
    // Rank 0 ends this process.
    wait_for(
        [&] {
          is_done(sent);
          return false;
        },
        timeout_of_others);
  } else {
    std::vector<FinalReport> reports(static_cast<std::size_t>(s.ranks));
    std::vector<MPI_Request> requests(reports.size(), MPI_REQUEST_NULL);
    for (int other = 1; other < s.ranks; ++other)
      MPI_Irecv(&reports[static_cast<std::size_t>(other)], sizeof(FinalReport), MPI_BYTE, other, final_report_tag,
                s.world, &requests[static_cast<std::size_t>(other)]);
    wait_for([&] { return std::ranges::all_of(requests, is_done); }, timeout_of_rank_0);
    reports[0] = mine;
    const auto first = std::ranges::find_if(reports, &FinalReport::own);
    if (first != reports.end()) mine = *first;
    if (first != reports.end() && first != reports.begin())
      failed_rank = "\n  rank: " + std::to_string(first - reports.begin()) + " of " + std::to_string(s.ranks);
  }
  std::cerr << mine.text.data() << failed_rank << std::endl;
  MPI_Abort(s.world, mine.exit_status);
  std::exit(mine.exit_status);
}

}  // namespace driftless
