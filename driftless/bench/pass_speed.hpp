// Full gradients of logistic regression, the mean of those of all clients: how long they take, against plain Eigen with
// the same data in one sparse matrix, and against the least time this machine would need.
#pragma once

#include "driftless/bench/machine_speed.hpp"
#include "driftless/data/dataset.hpp"
#include "driftless/federation/federation.hpp"

namespace driftless {

struct PassSpeed {
  std::string data;
  std::string layout;  // of the first client's rows
  std::size_t clients = 0;
  std::size_t rows = 0;
  std::size_t nonzeros = 0;
  std::size_t bytes = 0;  // of all clients' rows
  double one = 0.0;       // seconds of one pass with the mean over the clients, an exchange: one thread
  double all = 0.0;       // all threads
  double product = 0.0;   // the same with a Hessian product for every client, all threads
  double eigen = 0.0;     // the gradient by Eigen, one thread
  double floor = 0.0;     // the least for all threads
  std::string level;      // that holds the rows

  double per_nonzero() const { return all / static_cast<double>(nonzeros); }
};

// The functions of clients among which the rows are dealt at random: logistic, l2 = 1e-3, with intercept.
struct LogisticClients {
  ClientObjectives clients;
  std::string layout;
  std::size_t bytes = 0;
  std::size_t entries = 0;  // that are kept, in one direction
};
LogisticClients logistic_clients(const Dataset& data, std::size_t clients);

PassSpeed measure_pass(const Dataset& data, std::size_t clients, const MachineSpeed& machine, ThreadPool& pool,
                       const Effort& effort);

}  // namespace driftless
