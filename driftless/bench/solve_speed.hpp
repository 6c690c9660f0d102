// Whole solves: logistic regression, l2 = 1e-3, with intercept, from 0 to ‖∇f‖ ≤ 1e-9, by newton-cg; and the cost of an
// exchange in which clients have nothing to compute.
#pragma once

#include "driftless/bench/pass_speed.hpp"

namespace driftless {

struct SolveSpeed {
  std::string data;
  std::string method;
  std::size_t clients = 0;
  double seconds = 0.0;  // in which the method works, the best of several solves
  std::size_t rounds = 0;
  std::size_t exchanges = 0;
  double grad_norm = 0.0;
};

SolveSpeed measure_solve(const Dataset& data, std::size_t clients, ThreadPool& pool, std::size_t repeats);

struct RoundSpeed {
  std::string data;
  std::size_t clients = 0;
  double seconds = 0.0;
};

// One round of DANE+ with ten local gradient steps.
RoundSpeed measure_dane_round(const Dataset& data, std::size_t clients, ThreadPool& pool, std::size_t repeats);

struct ExchangeSpeed {
  std::size_t clients = 0;
  Index dim = 0;
  double seconds = 0.0;
};

ExchangeSpeed measure_exchange(std::size_t clients, Index dim, ThreadPool& pool, const Effort& effort);

}  // namespace driftless
