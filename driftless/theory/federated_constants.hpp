// L, μ and δ of a federation at a point, from products with the Hessians H_i = ∇²f_i(x) alone. No peer sees the data of
// another: each client computes L_i and μ_i itself, the rest follows by Lanczos on means of products, and every peer
// makes the same steps. Memory: one Lanczos basis (lanczos_columns), and one vector per client.
//
//   H̄ v          = (1/n) Σ_j H_j v                                         one mean
//   (H_i − H̄) v  = (1/n) Σ_j s_j H_j v,  s_i = n − 1, others −1            one mean, which reveals no single H_i v
//   (1/n) Σ_i (H_i − H̄)² v = (1/n) Σ_i H_i (H_i v − H̄ v)                   two means
//
// Where f_i knows H_i = least_i I + G_i with G_i ≽ 0 of a rank below d, μ_i = least_i needs no search. The rank of Ḡ is
// at most the sum of theirs.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/federation/federation.hpp"
#include "driftless/solvers/lanczos.hpp"

#include <limits>
#include <string>
#include <vector>

namespace driftless {

// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
struct ClientConstants {
  Eigenvalue L;
  Eigenvalue mu;
  Eigenvalue delta;  // ‖H_i − H̄‖
};

struct FederatedConstants {
  std::vector<ClientConstants> clients;
  Eigenvalue L_f;
  Eigenvalue mu_f;
  Eigenvalue delta_A;
  double L_sample = 0.0;  // valid at every point; 0 where a client does not know it
  bool converged = true;
  bool interrupted = false;     // then the values are not valid
  std::uint64_t exchanges = 0;  // used for it

  Eigenvalue L() const;
  Eigenvalue mu() const;
  Eigenvalue delta_A_up() const;
  Eigenvalue delta_B() const;
  Constants values() const;
  Constants errors() const;
};
// NOLINTEND(readability-identifier-naming)

struct InspectOptions {
  double tolerance = 1e-8;
  std::size_t most_products = 500;  // for each eigenvalue problem
  // How many clients have their δ_i measured, the first ones; the others count as 0 in δ_B and in δ_A's upper bound.
  std::size_t similarity_of = std::numeric_limits<std::size_t>::max();
  StopToken stop_token = {};
  std::function<void(const std::string& stage)> on_stage = {};
};

// The numbers that body(Client&, VecOut) writes for each client, `count` of them, as a column each; one exchange.
Matrix gather_scalars(Federation& fed, std::size_t count, const std::function<void(Client&, VecOut)>& body);

FederatedConstants federated_constants(Federation& fed, const Vector& x, const InspectOptions& options);

// The same without what needs other clients' curvature: L_i, μ_i, L_f and μ_f; every δ is left 0.
FederatedConstants federated_curvature(Federation& fed, const Vector& x, const InspectOptions& options);

// How noisy the gradients of single samples are at x; not known where a client has none. One exchange.
SampleNoise sample_noise(Federation& fed, const Vector& x);

}  // namespace driftless
