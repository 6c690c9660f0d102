// f_i behind a virtual interface, called once per client and round. Inside, solver and objective are compiled together.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/solvers/local_solver.hpp"

#include <cmath>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace driftless {

class ClientObjective {
 public:
  virtual ~ClientObjective() = default;
  virtual Index dim() const = 0;
  virtual std::size_t samples() const = 0;  // 0 where f_i is not a sum over samples
  virtual double value(VecIn x) const = 0;
  virtual void gradient(VecIn x, VecOut g) const = 0;
  virtual double value_gradient(VecIn x, VecOut g) const = 0;
  virtual void hessian_vector(VecIn x, VecIn v, VecOut hv) const = 0;
  virtual void hessian_diagonal(VecIn x, VecOut diagonal) const = 0;
  virtual bool twice_differentiable() const = 0;
  virtual bool curvature_jumps() const { return false; }              // its Hessian is of little use to Newton's method
  virtual std::size_t hessian(VecIn x, VecOut triangle) const = 0;    // returns the passes that it is worth
  virtual std::optional<CurvatureFloor> curvature_floor() const = 0;  // none if it is not known
  virtual std::optional<double> sample_smoothness() const { return std::nullopt; }           // none if it is not known
  virtual std::optional<double> sample_variance(VecIn /*x*/) const { return std::nullopt; }  // none without samples
  virtual SolveReport minimize(const Subproblem&, VecOut y, const LocalSolver&, SolveContext&) const = 0;
  // What a model at x needs beside x for predictions, such as the running statistics of some networks; mostly nothing.
  virtual Index statistics_size() const { return 0; }
  virtual void statistics(VecIn /*x*/, VecOut /*out*/) const {}
  // What it keeps from one local solve to the next: nothing, except for the running statistics of some networks. A
  // federation begins without any, which is an empty vector.
  virtual Vector memory() const { return {}; }
  virtual void remember(VecIn /*memory*/) const {}
  // One object is used by one thread at a time; concurrent runs need copies.
  virtual std::unique_ptr<ClientObjective> clone() const = 0;
};

template <Objective F>
class ClientObjectiveOf final : public ClientObjective {
 public:
  explicit ClientObjectiveOf(F f) : f_(std::move(f)) {}

  Index dim() const override { return f_.dim(); }
  std::size_t samples() const override {
    if constexpr (FiniteSum<F>) return f_.samples();
    else return 0;
  }
  double value(VecIn x) const override { return value_of(f_, x); }
  void gradient(VecIn x, VecOut g) const override { gradient_of(f_, x, g); }
  double value_gradient(VecIn x, VecOut g) const override { return f_.value_gradient(x, g); }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const override {
    if constexpr (TwiceDifferentiable<F>) f_.hessian_vector(x, v, hv);
    else throw lacks("Hessian products");
  }
  void hessian_diagonal(VecIn x, VecOut diagonal) const override {
    if constexpr (KnowsHessianDiagonal<F>) f_.hessian_diagonal(x, diagonal);
    else throw lacks("the diagonal of its Hessian", "set preconditioner = \"none\", or choose another problem");
  }
  bool twice_differentiable() const override { return TwiceDifferentiable<F>; }
  bool curvature_jumps() const override {
    if constexpr (KnowsCurvatureJumps<F>) return f_.curvature_jumps();
    else return false;
  }
  std::size_t hessian(VecIn x, VecOut triangle) const override {
    if constexpr (KnowsHessian<F>) return f_.hessian(x, triangle);
    else if constexpr (TwiceDifferentiable<F>) return hessian_by_products(x, triangle);
    else throw lacks("Hessian products");
  }
  std::optional<CurvatureFloor> curvature_floor() const override {
    if constexpr (KnowsCurvatureFloor<F>) return f_.curvature_floor();
    else return std::nullopt;
  }
  std::optional<double> sample_smoothness() const override {
    if constexpr (KnowsSampleSmoothness<F>) {
      const double bound = f_.sample_smoothness();
      if (std::isfinite(bound)) return bound;
    }
    return std::nullopt;
  }
  // (1/m) Σ_j ‖∇f_ij(x) − ∇f_i(x)‖² over the samples
  std::optional<double> sample_variance(VecIn x) const override {
    if constexpr (FiniteSum<F>) {
      Vector mean(x.size());
      Vector g(x.size());
      gradient_of(f_, x, mean);
      double sum = 0.0;
      for (std::int32_t j = 0; j < static_cast<std::int32_t>(f_.samples()); ++j) {
        f_.gradient(x, Batch(&j, 1), g);
        sum += (g - mean).squaredNorm();
      }
      return sum / static_cast<double>(f_.samples());
    } else return std::nullopt;
  }
  SolveReport minimize(const Subproblem& s, VecOut y, const LocalSolver& solver, SolveContext& context) const override {
    return std::visit(
        [&](const auto& algorithm) -> SolveReport {
          // An objective may perform a whole solve itself, on the device of its data.
          if constexpr (requires { f_.solve_whole(algorithm, s, y, context); })
            if (const auto report = f_.solve_whole(algorithm, s, y, context)) return *report;
          if constexpr (requires { algorithm(f_, s, y, context); }) return algorithm(f_, s, y, context);
          else throw lacks("what the chosen local solver needs (batches or Hessian products)");
        },
        solver);
  }
  Index statistics_size() const override {
    if constexpr (requires { f_.statistics_size(); }) return f_.statistics_size();
    else return 0;
  }
  void statistics(VecIn x, VecOut out) const override {
    if constexpr (requires { f_.statistics(x, out); }) f_.statistics(x, out);
  }
  Vector memory() const override {
    if constexpr (requires { f_.memory(); }) return f_.memory();
    else return {};
  }
  void remember(VecIn memory) const override {
    if constexpr (requires { f_.remember(memory); }) f_.remember(memory);
  }
  std::unique_ptr<ClientObjective> clone() const override {
    if constexpr (std::copy_constructible<F>) return std::make_unique<ClientObjectiveOf>(f_);
    else throw lacks("copies of its clients");
  }

 private:
  // Row k of the triangle from the product with the k-th unit vector.
  std::size_t hessian_by_products(VecIn x, VecOut triangle) const
    requires TwiceDifferentiable<F>
  {
    Vector unit = Vector::Zero(x.size());
    Vector row(x.size());
    for (Index k = 0; k < x.size(); ++k) {
      unit[k] = 1.0;
      f_.hessian_vector(x, unit, row);
      unit[k] = 0.0;
      triangle.segment(triangle_size(k), k + 1) = row.head(k + 1);
    }
    return static_cast<std::size_t>(x.size());
  }

  static ConfigError lacks(const char* feature,
                           const char* advice = "choose another 'solver' for the method, or another problem") {
    return ConfigError({.what = std::string("this problem does not offer ") + feature, .seen = {}, .advice = advice});
  }

  F f_;
};

template <Objective F>
std::unique_ptr<ClientObjective> make_client(F f) {
  return std::make_unique<ClientObjectiveOf<F>>(std::move(f));
}

}  // namespace driftless
