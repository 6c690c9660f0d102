// W = (w_ij) of a federation without a server: client i replaces its vector v_i by Σ_j w_ij v_j over its neighbours and
// itself. W is symmetric and doubly stochastic, so that the mean over all clients does not change.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/federation/client.hpp"

#include <span>
#include <utility>
#include <vector>

namespace driftless {

class MixingWeights {
 public:
  using Entry = std::pair<ClientId, double>;  // j, w_ij

  // Rows sum to one and w_ij = w_ji; a row lists its nonzeros by increasing j. BrokenInvariant otherwise.
  explicit MixingWeights(std::vector<std::vector<Entry>> rows);

  std::size_t clients() const { return rows_.size(); }
  std::span<const Entry> row(ClientId i) const { return rows_[i]; }
  std::size_t messages() const { return messages_; }  // of one mixing: two for each edge
  double rho() const { return rho_; }                 // ρ, second largest singular value of W

 private:
  std::vector<std::vector<Entry>> rows_;
  std::size_t messages_ = 0;
  double rho_ = 0.0;
};

}  // namespace driftless
