// What an objective f_i must offer, and what it may offer besides. The contract is static: loops over samples live
// inside the objective, and a local solver is compiled together with it, so a local step makes no virtual call.
#pragma once

#include "driftless/core/vector.hpp"

#include <concepts>
#include <cstdint>
#include <span>

namespace driftless {

using Batch = std::span<const std::int32_t>;  // indices of samples of one client

template <class F>
concept Objective = requires(const F& f, VecIn x, VecOut g) {
  { f.dim() } -> std::convertible_to<Index>;
  { f.value_gradient(x, g) } -> std::convertible_to<double>;  // returns f(x) and overwrites g with ∇f(x)
};

// f(x) alone, and ∇f(x) alone: by functions of the objective where it has them, which may be cheaper.
template <Objective F>
double value_of(const F& f, VecIn x) {
  if constexpr (requires { f.value(x); }) {
    return f.value(x);
  } else {
    Vector gradient(x.size());
    return f.value_gradient(x, gradient);
  }
}
template <Objective F>
void gradient_of(const F& f, VecIn x, VecOut g) {
  if constexpr (requires { f.gradient(x, g); }) f.gradient(x, g);
  else f.value_gradient(x, g);
}

// f is a sum over samples; the batch gradient is scaled so that its mean over batches is ∇f.
template <class F>
concept FiniteSum = Objective<F> && requires(const F& f, VecIn x, Batch batch, VecOut g) {
  { f.samples() } -> std::convertible_to<std::size_t>;
  { f.gradient(x, batch, g) };
};

template <class F>
concept TwiceDifferentiable = Objective<F> && requires(const F& f, VecIn x, VecIn v, VecOut hv) {
  { f.hessian_vector(x, v, hv) };  // overwrites hv with ∇²f(x) v
};

template <class F>
concept KnowsHessianDiagonal = Objective<F> && requires(const F& f, VecIn x, VecOut diagonal) {
  { f.hessian_diagonal(x, diagonal) };  // overwrites it with that of ∇²f(x)
};

// The number of entries of a symmetric matrix on and below its diagonal. They are kept row after row: entry (i, j), j ≤
// i, has the index i (i + 1)/2 + j.
constexpr Index triangle_size(Index dim) { return dim * (dim + 1) / 2; }

// The whole Hessian at less than the cost of dim products: overwrites `triangle` with ∇²f(x) and returns the number of
// passes over the data that this is worth.
template <class F>
concept KnowsHessian = Objective<F> && requires(const F& f, VecIn x, VecOut triangle) {
  { f.hessian(x, triangle) } -> std::convertible_to<std::size_t>;
};

// ∇²f(x) = least I + G with G ≽ 0 of rank at most `rank`, at every x.
struct CurvatureFloor {
  double least = 0.0;
  Index rank = 0;

  bool reached(Index dim) const { return rank < dim; }  // G v = 0 for some v, so λ_min(∇²f(x)) = least
};

template <class F>
concept KnowsCurvatureFloor = Objective<F> && requires(const F& f) {
  { f.curvature_floor() } -> std::convertible_to<CurvatureFloor>;
};

// Whether ∇²f jumps, and may be zero where ∇f is not, as that of Huber's loss far from the labels: Newton's steps have
// no length there.
template <class F>
concept KnowsCurvatureJumps = Objective<F> && requires(const F& f) {
  { f.curvature_jumps() } -> std::convertible_to<bool>;
};

// A bound at every x of the curvature of each sample's loss, scaled as the batch gradient of this sample is; infinite
// where there is none.
template <class F>
concept KnowsSampleSmoothness = FiniteSum<F> && requires(const F& f) {
  { f.sample_smoothness() } -> std::convertible_to<double>;
};

// f knows argmin_y f(y) − ⟨h, y⟩ + (λ/2)‖y − c‖² in closed form. Returns false where it has no finite minimiser.
// A null h is zero. Factorisations are kept between calls with the same λ.
template <class F>
concept ExactlySolvable = Objective<F> && requires(const F& f, const Vector* h, double lambda, VecIn c, VecOut y) {
  { f.solve(h, lambda, c, y) } -> std::convertible_to<bool>;
};

}  // namespace driftless
