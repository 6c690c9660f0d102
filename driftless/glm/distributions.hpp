// Tail probabilities and quantiles of the distributions that tests of coefficients refer to. Relative errors are
// below 1e-14 for normal tails and for all quantiles, and for Student's t where the probability is above 1e-12; below
// 1e-13 for chi-squared.
#pragma once

namespace driftless {

double normal_tail(double x);                // P(X > x)
double normal_quantile(double probability);  // x with P(X ≤ x) = probability, which is in (0, 1)

// Student's t; any degrees of freedom > 0, an infinite number is the normal distribution.
double student_tail(double t, double degrees);
double student_quantile(double probability, double degrees);

double chi_squared_tail(double x, double degrees);  // P(X > x)

}  // namespace driftless
