// The constants of a federation from explicit Hessians: those of quadratics, or of other functions at one point.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/core/vector.hpp"

#include <span>

namespace driftless {

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
