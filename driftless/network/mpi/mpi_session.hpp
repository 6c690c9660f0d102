// MPI from its start to its end in this process, and what the transport needs of it; MPI's own header stays in the
// source. MPI survives no loss of a rank, so a rank that fails tells all others why, and they end as well.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

// Messages under way. Their memory must stay until wait() has returned.
class MpiRequests {
 public:
  MpiRequests();
  ~MpiRequests();
  MpiRequests(MpiRequests&&) noexcept;
  MpiRequests& operator=(MpiRequests&&) = delete;

  void call_off();  // what is left of a failed exchange: nothing is written to its memory any more

 private:
  friend class MpiSession;
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

// Messages of one kind from one rank to another arrive in the order in which they were sent.
enum class MpiKind : int { part = 1, total = 2, signal = 3 };

class MpiSession {
 public:
  MpiSession();   // once per process
  ~MpiSession();  // waits for the others, unless one of them failed
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  std::size_t rank() const;
  std::size_t ranks() const;
  // Cores of this machine that this rank may use, divided by the ranks that may use them too.
  std::size_t cores() const;
  // Collective: whether the rank before this one gave the same word. All are alike where nobody says no.
  bool same_as_neighbour(std::uint64_t word);

  void send(std::span<const double> row, std::size_t to, MpiKind kind, MpiRequests& requests);
  void receive(std::span<double> row, std::size_t from, MpiKind kind, MpiRequests& requests);
  // TransportError where a rank failed meanwhile.
  void wait(MpiRequests& requests);

  // Tells all others to end with this reason, unless they know already.
  void abort(std::string_view reason) noexcept;
  // The end of a failed run, called on every rank: rank 0 shows one error, its own or that of the first rank that has
  // one, and ends all processes with the exit status given by that rank.
  [[noreturn]] void end_processes(int exit_status, const std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace driftless
