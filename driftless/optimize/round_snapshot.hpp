// The state of a run between two rounds in memory, so that a round that is abandoned leaves no trace.
#pragma once

#include "driftless/methods/method.hpp"

#include <vector>

namespace driftless {

class RoundSnapshot {
 public:
  void take(Method& method, Federation& fed, Vector& x) { visit(method, fed, x, Direction::into_snapshot); }
  void restore(Method& method, Federation& fed, Vector& x) { visit(method, fed, x, Direction::out_of_snapshot); }

 private:
  enum class Direction { into_snapshot, out_of_snapshot };
  class Visitor;

  // The values of one type in the order of the visit; their memory is used again in the next round.
  template <class T>
  struct Values {
    std::vector<T> kept;
    std::size_t next = 0;
  };

  void visit(Method& method, Federation& fed, Vector& x, Direction direction);

  Values<Vector> vectors_;
  Values<double> numbers_;
  Values<std::uint64_t> counts_;
  Values<PerClient<Vector>> client_vectors_;
  Values<PerClient<double>> client_numbers_;
  Values<PerClient<std::uint64_t>> client_counts_;
};

}  // namespace driftless
