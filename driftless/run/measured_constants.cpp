#include "driftless/run/measured_constants.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr Index most_variables = 2000;

// ∇²f_i(x), one product with a unit vector for each column.
Matrix hessian_of(const ClientObjective& f, const Vector& x) {
  Matrix hessian(f.dim(), f.dim());
  Vector unit = Vector::Zero(f.dim());
  Vector column(f.dim());
  for (Index j = 0; j < f.dim(); ++j) {
    unit[j] = 1.0;
    f.hessian_vector(x, unit, column);
    hessian.col(j) = column;
    unit[j] = 0.0;
  }
  return 0.5 * (hessian + hessian.transpose());  // rounding aside, it is symmetric
}

Constants worse(const Constants& a, const Constants& b) {
  return {.clients = a.clients,
          .L = std::max(a.L, b.L),
          .L_f = std::max(a.L_f, b.L_f),
          .mu = std::min(a.mu, b.mu),
          .mu_f = std::min(a.mu_f, b.mu_f),
          .delta_A = std::max(a.delta_A, b.delta_A),
          .delta_A_up = std::max(a.delta_A_up, b.delta_A_up),
          .delta_B = std::max(a.delta_B, b.delta_B),
          .delta_1 = std::max(a.delta_1, b.delta_1)};
}

}  // namespace

Constants measured_constants(const ClientObjectives& clients, std::span<const Vector> points, ThreadPool& pool) {
  const Index dim = clients.front()->dim();
  if (dim > most_variables)
    throw ConfigError({.what = "too many variables to form the Hessians of the clients",
                       .seen = std::to_string(dim) + " variables, at most " + std::to_string(most_variables),
                       .advice =
                           "give parameters as numbers in place of \"theory\" and leave out 'certificate', or use a "
                           "smaller problem of the same kind"});
  std::vector<Matrix> hessians(clients.size());
  const auto at = [&](const Vector& x) {
    pool.for_each(clients.size(), [&](std::size_t i, std::size_t) { hessians[i] = hessian_of(*clients[i], x); });
    return constants_of_hessians(hessians);
  };
  Constants constants = at(points.front());
  for (const Vector& x : points.subspan(1)) constants = worse(constants, at(x));
  return constants;
}

}  // namespace driftless
