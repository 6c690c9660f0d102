// Synthetic quadratic federations, f_i(x) = (1/m) Σ_j ½(x − b_ij)'A_ij(x − b_ij) + β Σ_k x_k²/(1 + x_k²), with their
// exact constants, start and minimiser. The centres b_ij are uniform on [0, 10], the start is normal with mean 30 and
// variance 1.
#pragma once

#include "driftless/objectives/quadratic/constants.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"
#include "driftless/objectives/quadratic/quadratic_spec.hpp"
#include "driftless/objectives/quadratic/rotated_quadratic.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace driftless {

struct QuadraticProblem {
  // The second for the rotated and the dense structure.
  using Clients = std::variant<std::vector<DiagonalQuadratic>, std::vector<RotatedQuadratic>>;

  QuadraticSpec spec;  // resolved
  Clients clients;
  Vector start;
  Constants constants;              // exact; with β > 0 bounds as with_bounded_regularizer says
  std::optional<Vector> minimizer;  // where it has a closed form: β = 0 and a definite mean matrix
  std::optional<double> minimum;
};

QuadraticProblem generate_quadratic(const QuadraticSpec& spec);

}  // namespace driftless
