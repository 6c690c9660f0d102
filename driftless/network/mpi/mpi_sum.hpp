// The sum of one exchange over MPI ranks. A long row is cut into segments that travel one after the other, so that one
// is sent while another is added; each segment has its own rank as root, so that all ranks add and send alike.
#pragma once

#include "driftless/network/mpi/mpi_plan.hpp"
#include "driftless/network/mpi/mpi_session.hpp"

#include <array>

namespace driftless {

class MpiSum {
 public:
  MpiSum(MpiSession& mpi, const Shares& shares) : mpi_(mpi), shares_(shares) {}

  // Collective: total ← the sum over `from`; signal ← rank 0's. `mine` are the nodes of the clients hosted here; a lone
  // one may lie in `total`.
  void add(std::span<const ClientId> from, std::span<const Node> mine, std::span<double> total, double& signal);

 private:
  // A segment on its way.
  struct Slot {
    std::vector<double> received;  // rows of the children
    std::vector<double> folded;    // rows that are sums
    MpiRequests parts_here, parts_away, total_here, total_away;
  };
  struct Exchange;
  struct CallOff;

  void make_plans(std::span<const ClientId> from, std::size_t segments);
  // What happens to a segment, in this order.
  void open(const Exchange& e, std::size_t segment);
  void fold(const Exchange& e, std::size_t segment);
  void await_total(const Exchange& e, std::size_t segment);
  void pass_on(const Exchange& e, std::size_t segment);
  void close(std::size_t segment);

  Slot& slot(std::size_t segment) { return slots_[segment % slots_.size()]; }
  const MpiPlan& plan(std::size_t segment) const { return plans_[segment % shares_.ranks]; }

  MpiSession& mpi_;
  Shares shares_;
  std::vector<ClientId> planned_;  // for whom the plans are
  std::vector<MpiPlan> plans_;     // by root; as many as were needed so far
  std::array<Slot, 6> slots_;
  TreeAdder adder_;
};

}  // namespace driftless
