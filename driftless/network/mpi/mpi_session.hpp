// MPI in this process, from initialisation to finalisation, and the operations that the transport needs. MPI's own
// header is included by the source only. MPI does not survive the loss of a rank, so a rank that fails sends the reason
// to all others, and they fail with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace driftless {

// Messages under way. Their buffers must stay valid until wait() has returned.
class MpiRequests {
 public:
  MpiRequests();
  ~MpiRequests();
  MpiRequests(MpiRequests&&) noexcept;
  MpiRequests& operator=(MpiRequests&&) = delete;

  void cancel();  // after a failed exchange: nothing is written to its buffers any more

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
  ~MpiSession();  // waits for the others, unless one of them has failed
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  std::size_t rank() const;
  std::size_t ranks() const;
  // Cores of this machine that this rank may use, divided by the number of ranks that share them.
  std::size_t cores() const;
  // Collective: whether the rank before this one passed the same value. All values are equal where every rank gets
  // true.
  bool same_as_neighbour(std::uint64_t value);

  void send(std::span<const double> row, std::size_t to, MpiKind kind, MpiRequests& requests);
  void receive(std::span<double> row, std::size_t from, MpiKind kind, MpiRequests& requests);
  // TransportError where a rank has failed meanwhile.
  void wait(MpiRequests& requests);

  // Sends the reason to all other ranks, which fail with it, unless the run has failed already.
  void abort(std::string_view reason) noexcept;
  // The end of a failed run, called on every rank: rank 0 shows one error, its own or that of the first rank that has
  // one, and ends all processes with the exit status given by that rank.
  [[noreturn]] void end_processes(int exit_status, const std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace driftless
