// The sum of one exchange over MPI ranks. A long row is divided into chunks that travel one after the other, so that
// one is sent while another is added. Each chunk has another rank as its root, so that all ranks add and send equally
// much.
#pragma once

#include "driftless/network/mpi/mpi_plan.hpp"
#include "driftless/network/mpi/mpi_session.hpp"

#include <array>

namespace driftless {

class MpiSum {
 public:
  MpiSum(MpiSession& mpi, const ClientRanges& ranges) : mpi_(mpi), ranges_(ranges) {}

  // Collective: total ← the sum over `from`; signal ← that of rank 0, or the largest of all ranks. `mine` are the nodes
  // of the clients hosted here; a single one may be stored in `total`.
  enum class SignalOf { rank_0, any_rank };
  void add(std::span<const ClientId> from, std::span<const Node> mine, std::span<double> total, double& signal,
           SignalOf whose, Addition addition = Addition::real);

 private:
  // A chunk under way.
  struct Slot {
    std::vector<double> received;  // rows of the children
    std::vector<double> folded;    // sums of them
    std::vector<double> signals;   // of the children
    MpiRequests parts_here, parts_away, total_here, total_away;
  };
  struct Exchange;
  struct CancelOnExit;

  void make_plans(std::span<const ClientId> from, std::size_t chunks);
  // The steps of a chunk, in this order.
  void open(const Exchange& e, std::size_t chunk);
  void fold(const Exchange& e, std::size_t chunk);
  void await_total(const Exchange& e, std::size_t chunk);
  void pass_on(const Exchange& e, std::size_t chunk);
  void close(std::size_t chunk);

  Slot& slot(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  const MpiPlan& plan(std::size_t chunk) const { return plans_[chunk % ranges_.ranks]; }

  MpiSession& mpi_;
  ClientRanges ranges_;
  std::vector<ClientId> planned_;  // the clients of the plans
  std::vector<MpiPlan> plans_;     // by root, as many as were needed so far
  std::array<Slot, 6> slots_;
  TreeAdder adder_;
};

}  // namespace driftless
