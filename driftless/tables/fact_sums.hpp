// Means over clients of numbers about their tables, by the same exchanges as those of a method.
#pragma once

#include "driftless/federation/federation.hpp"

#include <functional>

namespace driftless {

class FactSums {
 public:
  FactSums(Transport& transport, ThreadPool& pool)
      : objectives_(functions(transport.layout().hosted.size())), fed_(objectives_, 1, transport, pool, 0) {}

  // Collective: the mean over the clients of the `count` numbers that write(slot, numbers) sets for each hosted one.
  Vector mean(std::size_t count, const std::function<void(std::size_t slot, VecOut numbers)>& write) {
    return fed_.mean_scalars({fed_.everyone(), fed_.everyone()}, count,
                             [&](Client& i, VecOut numbers) { write(i.slot(), numbers); });
  }

  std::size_t exchanges() const { return fed_.ledger().exchanges; }

 private:
  // The clients have no function yet.
  struct NoFunction {
    static Index dim() { return 1; }
    static double value_gradient(VecIn, VecOut g) {
      g.setZero();
      return 0.0;
    }
  };
  static ClientObjectives functions(std::size_t count) {
    ClientObjectives all;
    for (std::size_t k = 0; k < count; ++k) all.push_back(make_client(NoFunction{}));
    return all;
  }

  ClientObjectives objectives_;
  Federation fed_;
};

}  // namespace driftless
