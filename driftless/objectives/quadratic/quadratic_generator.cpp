#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/product_blocks.hpp"
#include "driftless/objectives/quadratic/quadratic_recipes.hpp"
#include "driftless/objectives/quadratic/resolve_quadratic.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <memory>
#include <utility>

namespace driftless {
namespace {

// Uniform over all orthogonal matrices: the Q of a Gaussian matrix, with the signs that make R's diagonal positive.
Matrix random_basis(Stream stream, Index d) {
  const Matrix gaussian = Matrix::NullaryExpr(d, d, [&] { return stream.normal(); });
  const Eigen::HouseholderQR<Matrix> qr(gaussian);
  Matrix q = qr.householderQ();
  for (Index k = 0; k < d; ++k)
    if (qr.matrixQR()(k, k) < 0.0) q.col(k) *= -1.0;
  return q;
}

Matrix draw_centres(const QuadraticSpec& spec, std::size_t client) {
  Stream stream = chance(spec, QuadraticChance::centre, client);
  return Matrix::NullaryExpr(static_cast<Index>(spec.dim), static_cast<Index>(spec.samples),
                             [&] { return stream.uniform(0.0, 10.0); });
}

Vector draw_start(const QuadraticSpec& spec) {
  Stream stream = chance(spec, QuadraticChance::start);
  return Vector::NullaryExpr(static_cast<Index>(spec.dim), [&] { return 30.0 + stream.normal(); });
}

// Eigenvalues do not depend on the basis, so the constants follow from the draw.
Constants constants_of_means(const QuadraticDraw& draw) {
  if (draw.coupling.empty()) {
    Matrix spectra(draw.curvature[0].rows(), static_cast<Index>(draw.curvature.size()));
    for (Index i = 0; i < spectra.cols(); ++i)
      spectra.col(i) = draw.curvature[static_cast<std::size_t>(i)].rowwise().mean();
    return constants_of_spectra(spectra);
  }
  std::vector<Matrix> hessians = draw.coupling;
  for (std::size_t i = 0; i < hessians.size(); ++i) hessians[i].diagonal() += draw.curvature[i].rowwise().mean();
  return constants_of_hessians(hessians);
}

// ‖A_j‖ of the largest sample; with a coupling the bound ‖A‖ + ‖A_j − A‖, A the client's mean.
double sample_smoothness(const QuadraticDraw& draw, double L) {
  double largest = 0.0;
  for (const Matrix& a : draw.curvature)
    largest = std::max(largest, draw.coupling.empty() ? a.cwiseAbs().maxCoeff()
                                                      : L + (a.colwise() - a.rowwise().mean()).cwiseAbs().maxCoeff());
  return largest;
}

Constants quadratic_constants(const QuadraticDraw& draw) {
  Constants constants = constants_of_means(draw);
  constants.L_sample = sample_smoothness(draw, constants.L);
  return constants;
}

// Where the mean matrix has a negative eigenvalue, f is unbounded below in spite of the bounded regulariser.
void require_bounded_below(const QuadraticSpec& spec, const Constants& quadratic) {
  if (spec.convexity != QuadraticClass::non_convex || quadratic.mu_f > 0.0) return;
  throw ConfigError(
      {.what = "the mean matrix of this draw is not positive definite, so f has no minimum",
       .seen = "smallest eigenvalue " + number(quadratic.mu_f) + " with seed = " + std::to_string(spec.seed),
       .advice = "set delta > 0 or use another seed"});
}

std::vector<DiagonalQuadratic> diagonal_clients(const QuadraticSpec& spec, QuadraticDraw draw) {
  std::vector<DiagonalQuadratic> clients;
  for (std::size_t i = 0; i < spec.clients; ++i)
    clients.emplace_back(std::move(draw.curvature[i]), draw_centres(spec, i), given(spec.beta));
  return clients;
}

std::vector<RotatedQuadratic> rotated_clients(const QuadraticSpec& spec, QuadraticDraw draw) {
  const auto basis =
      std::make_shared<const Matrix>(random_basis(chance(spec, QuadraticChance::basis), static_cast<Index>(spec.dim)));
  draw.coupling.resize(spec.clients);
  std::vector<RotatedQuadratic> clients;
  for (std::size_t i = 0; i < spec.clients; ++i)
    clients.emplace_back(basis, std::move(draw.curvature[i]), draw_centres(spec, i),
                         std::exchange(draw.coupling[i], {}), given(spec.beta));
  return clients;
}

Vector minimizer_of_mean(const std::vector<DiagonalQuadratic>& clients) {
  Vector curvature = Vector::Zero(clients[0].dim());
  Vector linear = curvature;
  for (const DiagonalQuadratic& f : clients) {
    curvature += f.mean_curvature();
    linear += f.linear();
  }
  return linear.cwiseQuotient(curvature);
}

Vector minimizer_of_mean(const std::vector<RotatedQuadratic>& clients) {
  Matrix hessian = Matrix::Zero(clients[0].dim(), clients[0].dim());
  Vector linear = Vector::Zero(clients[0].dim());
  for (const RotatedQuadratic& f : clients) {
    hessian += f.mean().hessian();
    linear += f.mean().linear();
  }
  const Eigen::LLT<Matrix> factor(hessian);
  DRIFTLESS_ASSERT(factor.info() == Eigen::Success, "a definite mean matrix has a factor");
  return factor.solve(linear);
}

template <class Clients>
double mean_value(const Clients& clients, const Vector& x) {
  double sum = 0.0;
  for (const auto& f : clients) sum += f.value(x);
  return sum / static_cast<double>(clients.size());
}

}  // namespace

QuadraticProblem generate_quadratic(const QuadraticSpec& wanted) {
  fix_product_blocks();
  QuadraticProblem problem;
  problem.spec = resolved(wanted);
  const QuadraticSpec& spec = problem.spec;
  QuadraticDraw draw = spec.recipe == QuadraticRecipe::r1 ? draw_r1(spec) : draw_r2(spec);
  const Constants quadratic = quadratic_constants(draw);
  require_bounded_below(spec, quadratic);
  problem.constants = with_bounded_regularizer(quadratic, given(spec.beta));
  problem.start = draw_start(spec);
  if (spec.structure == QuadraticStructure::diagonal) problem.clients = diagonal_clients(spec, std::move(draw));
  else problem.clients = rotated_clients(spec, std::move(draw));
  if (given(spec.beta) == 0.0 && quadratic.mu_f > 0.0) {
    std::visit(
        [&](const auto& clients) {
          const Vector& minimizer = problem.minimizer.emplace(minimizer_of_mean(clients));
          problem.minimum = mean_value(clients, minimizer);
        },
        problem.clients);
  }
  return problem;
}

}  // namespace driftless
