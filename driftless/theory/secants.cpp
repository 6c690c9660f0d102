#include "driftless/theory/secants.hpp"

#include "driftless/theory/federated_constants.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

SecantSampler::SecantSampler(Federation& fed)
    : gradient_(fed.per_client(Vector(Vector::Zero(fed.dim())))), change_(gradient_) {}

void SecantSampler::add(Federation& fed, const Vector& x) {
  // A shorter step is mostly rounding: D_i would be off by more than 1e-8 L.
  constexpr double too_short = 1e-8;
  const bool moved = previous_ && (x - *previous_).norm() > too_short * (1.0 + x.norm());
  if (previous_ && !moved) return;
  fed.for_each_client([&](Client& i) {
    change_[i] = gradient_[i];
    i.gradient(x, gradient_[i]);
    change_[i] = gradient_[i] - change_[i];  // D_i
  });
  if (moved) take(fed, x - *previous_);
  previous_ = x;
}

void SecantSampler::take(Federation& fed, const Vector& step) {
  const Vector mean = fed.mean(change_);  // D̄
  const double square = step.squaredNorm();
  const Matrix found = gather_scalars(fed, 3, [&](Client& i, VecOut numbers) {
    numbers << change_[i].squaredNorm(), change_[i].dot(step), (change_[i] - mean).squaredNorm();
  });
  ++bounds_.steps;
  bounds_.L = std::max(bounds_.L, std::sqrt(found.row(0).maxCoeff() / square));
  bounds_.mu = std::min(bounds_.mu, found.row(1).minCoeff() / square);
  bounds_.last_delta_A = std::sqrt(found.row(2).mean() / square);
  bounds_.delta_A = std::max(bounds_.delta_A, bounds_.last_delta_A);
  bounds_.delta_B = std::max(bounds_.delta_B, std::sqrt(found.row(2).maxCoeff() / square));
}

}  // namespace driftless
