// The constants of a federation f = (1/n) Σ f_i that the theory asks for; with h_i = f_i − f and, for quadratic f_i
// with Hessians A_i and their mean Ā:
//   L, L_f       gradients of every f_i, and of f, are Lipschitz:  max_i ‖A_i‖, ‖Ā‖
//   mu, mu_f     convexity of every f_i, and of f:                 min_i λ_min(A_i), λ_min(Ā)
//   delta_A      (1/n) Σ ‖∇h_i(x) − ∇h_i(y)‖² <= δ_A²‖x − y‖²:      sqrt(λ_max((1/n) Σ (A_i − Ā)²))
//   delta_A_up   what is often printed for δ_A and is larger:      sqrt((1/n) Σ ‖A_i − Ā‖²)
//   delta_B      ‖∇h_i(x) − ∇h_i(y)‖ <= δ_B‖x − y‖ for every i:     max_i ‖A_i − Ā‖
//   delta_1      the same for the first client alone, Δ_1:         ‖A_1 − Ā‖
//   L_sample     gradients of every single sample's loss, as batches scale it, are Lipschitz; 0 where it is not known
//   noise        variances of the gradients of samples, from which σ of batches follows; measured where a method asks
// Always delta_A <= delta_A_up <= delta_B <= sqrt(n) delta_A, and delta_1 <= delta_B.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace driftless {

// How far the gradients of single samples are from ∇f_i, for every client. Empty where it was not measured.
struct SampleNoise {
  std::vector<double> samples = {};   // m_i, how many samples client i has
  std::vector<double> variance = {};  // (1/m_i) Σ_j ‖∇f_ij − ∇f_i‖²

  bool known() const { return !variance.empty(); }
  // E‖g_i − ∇f_i‖² of batches of different samples; 0 for batches of all samples.
  static double of_batches(double variance, double samples, double size) {
    return size < samples ? variance * (samples - size) / (size * (samples - 1.0)) : 0.0;
  }
  // σ² for batches of this size, the mean over the clients; not a number where it is not known.
  double of_batches(double size) const {
    if (!known()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0.0;
    for (std::size_t i = 0; i < variance.size(); ++i) sum += of_batches(variance[i], samples[i], size);
    return sum / static_cast<double>(variance.size());
  }
};

// The larger of both, client by client.
inline SampleNoise worse_noise(SampleNoise a, const SampleNoise& b) {
  for (std::size_t i = 0; i < a.variance.size(); ++i) a.variance[i] = std::max(a.variance[i], b.variance[i]);
  return a;
}

// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
struct Constants {
  std::size_t clients = 0;  // n
  double L = 0.0;
  double L_f = 0.0;
  double mu = 0.0;
  double mu_f = 0.0;
  double delta_A = 0.0;
  double delta_A_up = 0.0;
  double delta_B = 0.0;
  double delta_1 = 0.0;
  double L_sample = 0.0;
  SampleNoise noise = {};

  // Eigenvalues are rounded relative to L, so an f_i that is convex may have μ a little below 0.
  static constexpr double rounding = 1e-9;
  bool convex() const { return mu >= -rounding * L; }         // every f_i is
  bool mean_convex() const { return mu_f >= -rounding * L; }  // f is
};
// NOLINTEND(readability-identifier-naming)

}  // namespace driftless
