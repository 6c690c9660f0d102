// A function f_i that only its site knows, for problems of kind "own": a program that embeds the library hands it over
// when it joins.
#pragma once

#include "driftless/federation/client_objective.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace driftless {

// f_i in a form from which runs make objectives of their own. All sites learn these facts, and nothing else of f_i.
struct OwnClient {
  Index dim = 0;
  std::size_t rows = 0;          // of data; 0: it has none
  double mass = 0.0;             // the sum of the weights of its rows; 0: each has the weight 1
  bool weighted_by_all = false;  // a row of weight w weighs w n/S, S over the rows of all n clients
  double l2 = 0.0;               // the weight of ½‖x‖² in f_i, where it is known
  double beta = 0.0;             // likewise of Σ_k x_k²/(1 + x_k²)
  std::function<std::unique_ptr<ClientObjective>(double row_weight)> make;
};

// Any objective without rows whose weight depends on other clients.
template <Objective F>
OwnClient own_client(F f) {
  const Index dim = f.dim();
  return {.dim = dim,
          .make = [shared = std::make_shared<const F>(std::move(f))](double) { return make_client(F(*shared)); }};
}

}  // namespace driftless
