// Gossip: K exchanges with the neighbours bring the v_i closer to their mean, which does not change.
//
//   plain:      v ← W^K v
//   chebyshev:  v^{−1} = v⁰ = v;  v^{k+1} = (1 + η) W v^k − η v^{k−1},  η = (1 − s)/(1 + s),  s = √(1 − ρ²);  v ← v^K
//
// W are the Metropolis weights of the graph, ρ the second largest singular value of W, η = eta_. With r = √η = ρ/(1 +
// s):
//   plain ‖v^K − v̄‖ ≤ ρ^K ‖v − v̄‖,   chebyshev ‖v^K − v̄‖ ≤ (1 + K (1 + r)) r^K ‖v − v̄‖,
// since an eigenvalue λ of W gives a combination of the powers of the roots of z² − (1 + η) λ z + η, of modulus at most
// r for |λ| ≤ ρ. So chebyshev wins on graphs with ρ near 1 once K is about 1/√(1 − ρ), and loses to plain with few
// steps. With K = 1 the momentum form would only increase the disagreement: K = 1 is W for either value of `mixing`.
//
// Mixing may change the sign of a disagreement: W has negative eigenvalues on some graphs, and chebyshev with few steps
// creates some. Methods that track gradients tolerate little of that (methods/graph/sonata_graph.hpp). W^K with even K
// and lazy weights, (I + W)/2, have no negative eigenvalues.
//
// Liu, Morse, "Accelerated linear iterations for distributed averaging", Annual Reviews in Control 2011.
#pragma once

#include "driftless/components/graph/graph_options.hpp"
#include "driftless/federation/federation.hpp"

#include <optional>

namespace driftless {

enum class MixingRule { plain, chebyshev };
template <>
struct EnumNames<MixingRule> {
  static constexpr std::array<std::string_view, 2> value{"plain", "chebyshev"};
};

enum class WeightRule { metropolis, lazy };
template <>
struct EnumNames<WeightRule> {
  static constexpr std::array<std::string_view, 2> value{"metropolis", "lazy"};
};

struct MixingOptions {
  GraphOptions graph = {};
  WeightRule weights = WeightRule::metropolis;
  MixingRule mixing = MixingRule::plain;
  std::size_t mixing_steps = 1;

  static Fields fields() {
    using S = MixingOptions;
    return {nested(&S::graph),
            field("weights", &S::weights, anything, "weights of the neighbours' vectors; lazy = half of them"),
            field("mixing", &S::mixing, anything, "how several mixing steps are combined"),
            field("mixing_steps", &S::mixing_steps, at_least_one, "K, exchanges of one mixing")};
  }
  void check() const { graph.check(); }
};

class Mixing {
 public:
  explicit Mixing(const MixingOptions& o) : o_(o) {}

  void prepare(const Federation& fed);                     // makes the graph over the clients
  void operator()(Federation& fed, PerClient<Vector>& v);  // v_i ← Mix(v, K)_i

  const MixingWeights& weights() const { return *W_; }
  std::uint64_t exchanges() const { return o_.mixing_steps; }  // of one mixing
  std::uint64_t messages(std::size_t clients) const { return o_.mixing_steps * o_.graph.make(clients).messages(); }

 private:
  void fast_mix(Federation& fed, PerClient<Vector>& v);

  MixingOptions o_;
  std::optional<MixingWeights> W_;
  double eta_ = 0.0;
  PerClient<Vector> before_, next_;
};

}  // namespace driftless
