#include "driftless/components/graph/mixing.hpp"

#include <cmath>

namespace driftless {

void Mixing::prepare(const Federation& fed) {
  const Graph graph = o_.graph.make(fed.clients());
  W_ = o_.weights == WeightRule::lazy ? lazy_metropolis_weights(graph) : metropolis_weights(graph);
  const double s = std::sqrt(1.0 - W_->rho() * W_->rho());
  eta_ = (1.0 - s) / (1.0 + s);
}

void Mixing::operator()(Federation& fed, PerClient<Vector>& v) {
  if (o_.mixing == MixingRule::chebyshev && o_.mixing_steps > 1) return fast_mix(fed, v);
  for (std::size_t k = 0; k < o_.mixing_steps; ++k) fed.mix(*W_, v);
}

void Mixing::fast_mix(Federation& fed, PerClient<Vector>& v) {
  before_ = v;  // v^{−1} = v⁰
  for (std::size_t k = 0; k < o_.mixing_steps; ++k) {
    next_ = v;
    fed.mix(*W_, next_);
    fed.for_each_client([&](Client& i) { next_[i] = (1.0 + eta_) * next_[i] - eta_ * before_[i]; });
    std::swap(before_, v);
    std::swap(v, next_);
  }
}

}  // namespace driftless
