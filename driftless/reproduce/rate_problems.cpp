#include "driftless/reproduce/rate_problems.hpp"

#include "driftless/core/random.hpp"
#include "driftless/objectives/quadratic/constants.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"
#include "driftless/objectives/quadratic/quadratic_generator.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/quadratic_kind.hpp"

#include <cmath>

namespace driftless {
namespace {

constexpr Index halvings = 20;

QuadraticSpec spec_of(const RateSetting& s) {
  return {.clients = s.clients, .samples = 1, .dim = 40, .L = s.L, .mu = s.mu, .delta = s.delta, .delta_A = s.delta_A};
}

Problem convex_problem(const RateSetting& s) {
  QuadraticSpec spec = spec_of(s);
  spec.convexity = QuadraticClass::convex;
  spec.mu.reset();
  ThreadPool pool(1);
  return make_problem(quadratic_setup(spec), pool);
}

// How the clients deviate along one coordinate: as recipe R2 has it on the first one that is free.
Vector deviations_of_clients(const RateSetting& s) {
  const QuadraticProblem problem = generate_quadratic(spec_of(s));
  const auto& clients = std::get<0>(problem.clients);
  constexpr Index first_free = 2;
  Vector curvature(static_cast<Index>(clients.size()));
  for (Index i = 0; i < curvature.size(); ++i)
    curvature[i] = clients[static_cast<std::size_t>(i)].mean_curvature()[first_free];
  return curvature.array() - curvature.mean();
}

// Column i: what client i adds to the linear term of f, 0; so clients have gradients of their own at the optimum.
Matrix linear_terms(Index dim, Index clients) {
  Stream stream(1, Purpose::generator, 0, 0);
  Matrix terms = Matrix::NullaryExpr(dim, clients, [&] { return stream.uniform(-1.0, 1.0); });
  return terms.colwise() - terms.rowwise().mean();
}

Problem non_convex_problem(const RateSetting& s) {
  const Index d = halvings + 1;
  const Index n = static_cast<Index>(s.clients);
  const Vector deviation = deviations_of_clients(s);
  const Matrix linear = linear_terms(d, n);
  Vector mean(d);
  for (Index j = 0; j < d; ++j) mean[j] = std::ldexp(s.L, -static_cast<int>(j));
  Matrix spectra = mean.replicate(1, n);
  spectra.bottomRows(d - 1).rowwise() += deviation.transpose();
  Problem problem;
  problem.n = s.clients;
  for (Index i = 0; i < n; ++i) {
    // two samples a ± 1 with centres ±b have the linear term b
    Matrix curvature(d, 2);
    Matrix centre(d, 2);
    curvature << spectra.col(i).array() + 1.0, spectra.col(i).array() - 1.0;
    centre << linear.col(i), -linear.col(i);
    problem.clients.push_back(make_client(DiagonalQuadratic(std::move(curvature), std::move(centre))));
  }
  problem.start = mean.cwiseSqrt().cwiseInverse();
  problem.constants = constants_of_spectra(spectra);
  problem.hessians.constant = true;
  return problem;
}

}  // namespace

Problem rate_problem(RateColumn column, const RateSetting& setting) {
  if (column == RateColumn::non_convex) return non_convex_problem(setting);
  if (column == RateColumn::convex) return convex_problem(setting);
  ThreadPool pool(1);
  return make_problem(quadratic_setup(spec_of(setting)), pool);
}

}  // namespace driftless
