// The constants of a federation f = (1/n) Σ f_i that the theory asks for, from the Hessians of quadratic f_i.
// With h_i = f_i − f and Ā the mean of the A_i:
//   L, L_f       gradients of every f_i, and of f, are Lipschitz:  max_i ‖A_i‖, ‖Ā‖
//   mu, mu_f     convexity of every f_i, and of f:                 min_i λ_min(A_i), λ_min(Ā)
//   delta_A      (1/n) Σ ‖∇h_i(x) − ∇h_i(y)‖² <= δ_A²‖x − y‖²:      sqrt(λ_max((1/n) Σ (A_i − Ā)²))
//   delta_A_up   what is often printed for δ_A and is larger:      sqrt((1/n) Σ ‖A_i − Ā‖²)
//   delta_B      ‖∇h_i(x) − ∇h_i(y)‖ <= δ_B‖x − y‖ for every i:     max_i ‖A_i − Ā‖
// Always delta_A <= delta_A_up <= delta_B <= sqrt(n) delta_A.
#pragma once

#include "driftless/core/vector.hpp"

#include <span>

namespace driftless {

// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
struct Constants {
  double L = 0.0;
  double L_f = 0.0;
  double mu = 0.0;
  double mu_f = 0.0;
  double delta_A = 0.0;
  double delta_A_up = 0.0;
  double delta_B = 0.0;
};
// NOLINTEND(readability-identifier-naming)

// Matrices that share their eigenvectors: column i holds the eigenvalues of A_i, in one order for all.
Constants constants_of_spectra(const Matrix& spectra);

// Any symmetric matrices, by eigenvalue decompositions.
Constants constants_of_hessians(std::span<const Matrix> hessians);

// ‖A‖ of a symmetric matrix: its largest eigenvalue in absolute value.
double spectral_norm(const Matrix& symmetric);

// The constants once β Σ_k x_k²/(1 + x_k²) is added to every client. Its second derivative lies in [−β/2, 2β], so L and
// L_f become upper bounds and mu and mu_f lower bounds; being common to all clients it leaves every δ as it was.
Constants with_bounded_regularizer(Constants constants, double beta);

}  // namespace driftless
