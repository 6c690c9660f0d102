// One call for a program that has objectives: f = (1/n) Σ f_i is minimised by a method, with all clients in this
// process.
//
//   const driftless::Summary s = driftless::minimize(objectives, {.stop = {.grad_norm = 1e-8}});
//
// or, with a method of one's choice,
//
//   driftless::FedRed method({.lambda = 0.5, .eta = 8.0, .p = 0.05, .solver = driftless::FedRedSolver::gd});
//   const driftless::Summary s = driftless::minimize(objectives, method, {.stop = {.rounds = 200, .grad_norm = 1e-8}});
//
// The result depends on the objectives, the method, its options and the seed alone, never on the number of threads.
#pragma once

#include "driftless/core/reference.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/optimize/checkpoint_store.hpp"
#include "driftless/optimize/summary.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

// A round that has just ended. Where it was not measured, f and grad_norm are NaN; see MinimizeOptions::every.
struct RoundInfo : TraceRow {
  const Vector& x;
};

struct MinimizeOptions {
  StopConditions stop = {};
  std::size_t threads = 0;  // 0: one per core
  std::uint64_t seed = 1;   // of coins, cohorts, batches and compressors
  OutputPoint output = OutputPoint::last;
  std::size_t every = 1;                                // measure f and ‖∇f‖ in every k-th round, and the last
  Vector start = {};                                    // x⁰; empty: zero
  std::optional<Reference> reference = {};              // x* and f*, where they are known: for gaps and distances
  std::function<bool(const RoundInfo&)> on_round = {};  // called after every round; false stops the run
  StopToken stop_token = {};                            // polled between rounds and in long ones; `interrupted`
  CheckpointStore* checkpoint = nullptr;                // resumes what it holds, and saves
};

// ConfigError where options are missing, out of range or do not fit the clients. A run whose f or ‖∇f‖ grows beyond all
// bounds is no error: it ends with StopReason::diverged. A method may be used again, and starts afresh.
Summary minimize(const ClientObjectives& clients, Method& method, const MinimizeOptions& options);
// By `Auto`, which needs no options: it chooses a method for these clients, and stop.grad_norm is its goal.
Summary minimize(const ClientObjectives& clients, const MinimizeOptions& options);
// By its name in the catalogue, with the options that `driftless describe NAME` lists.
Summary minimize(const ClientObjectives& clients, const std::string& method, const Settings& settings,
                 const MinimizeOptions& options);

template <Objective F>
ClientObjectives make_clients(std::vector<F> objectives) {
  ClientObjectives clients;
  clients.reserve(objectives.size());
  for (F& f : objectives) clients.push_back(make_client(std::move(f)));
  return clients;
}

// For clients of one type: one objective for each client.
template <Objective F>
Summary minimize(std::vector<F> objectives, Method& method, const MinimizeOptions& options) {
  return minimize(make_clients(std::move(objectives)), method, options);
}
template <Objective F>
Summary minimize(std::vector<F> objectives, const MinimizeOptions& options) {
  return minimize(make_clients(std::move(objectives)), options);
}
template <Objective F>
Summary minimize(std::vector<F> objectives, const std::string& method, const Settings& settings,
                 const MinimizeOptions& options) {
  return minimize(make_clients(std::move(objectives)), method, settings, options);
}

}  // namespace driftless
