#include "driftless/problems/reference.hpp"

#include "driftless/core/text.hpp"
#include "driftless/solvers/newton_cg.hpp"

#include <cmath>

namespace driftless {
namespace {

// f as one objective: every peer makes the same steps on the same means. This is no work of a method, so it is not
// counted.
class MeanOfClients {
 public:
  explicit MeanOfClients(Federation& fed) : fed_(fed) {}

  Index dim() const { return fed_.dim(); }
  double value(VecIn x) const { return fed_.measure(x).value; }
  void gradient(VecIn x, VecOut g) const { g = fed_.measure(x).gradient; }
  double value_gradient(VecIn x, VecOut g) const {
    const Measurement at = fed_.measure(x);
    g = at.gradient;
    return at.value;
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    hv = fed_.mean([&](Client& i, VecOut row) { i.hessian_vector(x, v, row); });
  }

 private:
  Federation& fed_;  // a separate one, whose counts are ignored
};

constexpr std::size_t most_products = 5000;

// The bound of the header for mu = 0; none where the quadratic model at x does not hold over the Newton step.
std::optional<double> error_by_newton_step(const MeanOfClients& f, const Vector& x, const Vector& g) {
  if (g.squaredNorm() == 0.0) return 0.0;
  Vector v(g.size()), r = g, u(g.size()), hu(g.size()), s(g.size());
  const auto product = [&](const Vector& direction, Vector& result) { f.hessian_vector(x, direction, result); };
  constexpr double tolerance = 0.1;
  conjugate_gradients(product, no_preconditioner, {v, r, u, hu, s}, {most_products, tolerance});
  if (!(r.norm() <= tolerance * g.norm())) return std::nullopt;
  f.hessian_vector(x - v, v, hu);
  const double curvature = v.dot(g - r);
  if (!(v.dot(hu) >= 0.8 * curvature)) return std::nullopt;
  return g.dot(v);
}

std::optional<double> error_at(const MeanOfClients& f, double mu, const Vector& x, const Vector& g) {
  return mu > 0.0 ? g.squaredNorm() / (2.0 * mu) : error_by_newton_step(f, x, g);
}

void descend_to_optimum(const MeanOfClients& f, double tolerance, Vector& x) {
  Workspace scratch(f.dim());
  BatchSampler no_batches(0, 0);
  SolveContext context{scratch, no_batches};
  const NewtonCg newton{.stop = {.kind = StopRule::Kind::absolute, .max_steps = 200, .tolerance = tolerance},
                        .max_products = most_products};
  newton(f, Subproblem{}, x, context);
}

}  // namespace

ReferenceSearch exact_reference(Federation& fed, double mu) {
  constexpr double tolerance = 1e-12;
  constexpr double rounding = 1e-9;  // tolerance for a solve that stalls because of rounding
  const MeanOfClients f(fed);
  Vector x = Vector::Zero(f.dim());
  Vector g(f.dim());
  f.gradient(x, g);
  const double scale = 1.0 + g.norm();
  if (std::isfinite(scale)) descend_to_optimum(f, tolerance * scale, x);

  const double minimum = f.value_gradient(x, g);
  FoundReference found;
  found.optimum.minimizer = x;
  found.optimum.minimum = minimum;
  found.grad_norm = g.norm();
  if (!std::isfinite(scale) || !found.finite())
    return {.reason = "f or its gradient is not finite; scale the features, or leave rows with huge values out"};
  if (found.grad_norm > rounding * scale)
    return {.reason = "the gradient norm is " + number(found.grad_norm) + " where Newton's method ended"};
  const std::optional<double> error = error_at(f, mu, x, g);
  if (!error)
    return {.reason = "f has no minimiser, or one too far away to be found: it still falls where its gradient "
                      "vanishes, as on separable data; give l2 > 0"};
  found.optimum.error = *error;
  return {.found = std::move(found)};
}

ReferenceSearch cached_reference(Federation& fed, double mu, const ReferenceCache& cache, bool fresh) {
  constexpr double slack = 10.0;  // for the rounding of another machine
  if (auto known = fresh ? std::nullopt : cache.read(fed.dim())) {
    Vector g(fed.dim());
    MeanOfClients(fed).gradient(known->optimum.minimizer, g);
    if (g.norm() <= slack * known->grad_norm) return {.found = std::move(known)};
    cache.report_unusable("its point is not an optimum of this problem");
  }
  ReferenceSearch search = exact_reference(fed, mu);
  if (search.found) cache.write(*search.found);
  return search;
}

}  // namespace driftless
