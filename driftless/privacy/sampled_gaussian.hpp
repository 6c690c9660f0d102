// Rényi differential privacy of the Gaussian mechanism on a Poisson sample. Mironov, Talwar, Zhang, "Rényi differential
// privacy of the sampled Gaussian mechanism", 2019: with noise N(0, z²), sensitivity 1 and each record in the sample
// with chance q,
//
//   ρ(α) = log A_α / (α − 1),  A_α = E_{t ~ N(0, z²)} ((1 − q) + q e^{(2t − 1)/(2z²)})^α
//
// for data sets of which one has a record more than the other, in either order.
#pragma once

namespace driftless {

double sampled_gaussian_rdp(double order, double noise, double rate);  // α > 1, z > 0, 0 < q ≤ 1

}  // namespace driftless
