// L, μ and δ from Hessians formed in full and their eigenvalue decompositions: what searches are compared with.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/objectives/quadratic/constants.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace driftless::test {

inline Matrix dense_hessian(const ClientObjective& f, const Vector& x) {
  Matrix hessian(f.dim(), f.dim());
  Vector column(f.dim());
  for (Index j = 0; j < f.dim(); ++j) {
    f.hessian_vector(x, Vector::Unit(f.dim(), j), column);
    hessian.col(j) = column;
  }
  return 0.5 * (hessian + hessian.transpose());  // rounding aside, it is symmetric
}

inline Constants dense_constants(const ClientObjectives& clients, const Vector& x) {
  std::vector<Matrix> hessians;
  for (const auto& f : clients) hessians.push_back(dense_hessian(*f, x));
  return constants_of_hessians(hessians);
}

inline void expect_close(const Constants& a, const Constants& b, double relative, const std::string& name) {
  const auto close = [&](double x, double y) { EXPECT_NEAR(x, y, relative * std::abs(y) + 1e-13 * b.L) << name; };
  close(a.L, b.L);
  close(a.L_f, b.L_f);
  close(a.mu, b.mu);
  close(a.mu_f, b.mu_f);
  close(a.delta_A, b.delta_A);
  close(a.delta_A_up, b.delta_A_up);
  close(a.delta_B, b.delta_B);
  close(a.delta_1, b.delta_1);
}

}  // namespace driftless::test
