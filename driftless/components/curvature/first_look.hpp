// The first exchange of methods that adapt to the problem: f and ∇f at the start, with the whole Hessian where it is
// asked for, and what the clients know of the Hessian of their f_i. These facts are single numbers, sent with the rest.
#pragma once

#include "driftless/components/curvature/symmetric.hpp"
#include "driftless/federation/federation.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace driftless {

struct FirstLook {
  double f = 0.0;
  Vector g;
  Matrix H;                      // empty where it was not asked for
  std::vector<Vector> products;  // ∇²f(x) u for the directions u that were asked for
  bool hessians = false;         // of all clients, and continuous; if not, H and products have no meaning
  bool jumps = false;            // all clients have Hessians that jump
  std::optional<double> rank;    // Σ_i rank(∇²f_i − σ_i I) at every x; none where a client does not know
};

// What is asked for besides f and ∇f.
struct LookAlso {
  bool hessian = false;
  std::vector<Vector> directions = {};
};

inline FirstLook first_look(Federation& fed, const Vector& x, const LookAlso& also = {}) {
  const std::size_t products = also.directions.size();
  RowMean mean = fed.mean_rows({fed.everyone(), fed.everyone()},
                               {.vectors = 1 + products, .matrices = also.hessian ? 1U : 0U, .scalars = 4},
                               {.vectors = 1, .scalars = 4}, [&](Client& i, Row& row) {
                                 const std::optional<CurvatureFloor> floor = i.curvature_floor();
                                 auto facts = row.scalars();
                                 facts[0] = i.value_gradient(x, row.vector());
                                 facts[1] = i.curvature_jumps() ? -1.0 : (i.twice_differentiable() ? 1.0 : 0.0);
                                 facts[2] = floor ? 1.0 : 0.0;
                                 facts[3] = floor ? static_cast<double>(floor->rank) : 0.0;
                                 i.count_step();
                                 for (std::size_t k = 0; k < products; ++k)
                                   if (i.twice_differentiable())
                                     i.hessian_vector(x, also.directions[k], row.vector(1 + k));
                                   else row.vector(1 + k).setZero();
                                 if (!also.hessian) return;
                                 if (i.twice_differentiable()) i.hessian(x, row.matrix());
                                 else row.matrix().setZero();
                               });
  FirstLook look;
  look.f = mean.scalar(0);
  look.g = mean.vector();
  look.hessians = mean.scalar(1) == 1.0;
  look.jumps = mean.scalar(1) == -1.0;
  if (also.hessian && look.hessians) look.H = unpacked(mean.matrix(), fed.dim());
  for (std::size_t k = 0; k < products; ++k) look.products.emplace_back(mean.vector(1 + k));
  if (mean.scalar(2) == 1.0) look.rank = std::round(mean.scalar(3) * static_cast<double>(fed.everyone().size()));
  return look;
}

}  // namespace driftless
