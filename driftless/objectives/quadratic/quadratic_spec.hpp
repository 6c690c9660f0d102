// The description of a synthetic quadratic problem: the keys of the [problem] table and of `driftless data generate
// quadratic`.
//
// R2 has the requested constants exactly: L, mu, delta_B = delta, and delta_A, or the largest delta_A that n allows.
// R1 is the recipe of earlier work: it takes sizes and L only; its mu and delta are random.
#pragma once

#include "driftless/core/options.hpp"

#include <optional>

namespace driftless {

enum class QuadraticRecipe { r1, r2 };
enum class QuadraticClass { strongly_convex, convex, non_convex };
enum class QuadraticStructure {
  diagonal,  // all matrices diagonal
  rotated,   // all matrices in one common random basis
  dense,     // client deviations in bases of their own, so that matrices do not commute (R2 only)
};

template <>
struct EnumNames<QuadraticRecipe> {
  static constexpr std::array<std::string_view, 2> value{"R1", "R2"};
};
template <>
struct EnumNames<QuadraticClass> {
  static constexpr std::array<std::string_view, 3> value{"strongly-convex", "convex", "non-convex"};
};
template <>
struct EnumNames<QuadraticStructure> {
  static constexpr std::array<std::string_view, 3> value{"diagonal", "rotated", "dense"};
};

struct QuadraticSpec {
  QuadraticRecipe recipe = QuadraticRecipe::r2;
  QuadraticClass convexity = QuadraticClass::strongly_convex;
  QuadraticStructure structure = QuadraticStructure::diagonal;
  std::size_t clients = 5;
  std::size_t samples = 10;
  std::size_t dim = 1000;
  double L = 100.0;  // NOLINT(readability-identifier-naming): the letter of the papers
  std::optional<double> mu;
  std::optional<double> delta;
  std::optional<double> delta_A;  // NOLINT(readability-identifier-naming): the letter of the papers
  std::optional<double> spread;
  std::optional<double> beta;
  std::size_t seed = 1;

  static Fields fields() {
    using S = QuadraticSpec;
    return {
        field("recipe", &S::recipe, anything, "R2 has exactly the requested constants, R1 is the older recipe"),
        field("class", &S::convexity, anything, "convexity of the problem"),
        field("structure", &S::structure, anything,
              "diagonal, one common rotation, or client matrices that do not commute"),
        field("clients", &S::clients, at_least_one, "n, number of clients"),
        field("samples", &S::samples, at_least_one, "m, samples of each client"),
        field("dim", &S::dim, at_least_one, "d, number of variables"),
        field("L", &S::L, positive, "smoothness of the quadratic part of every client"),
        field("mu", &S::mu, positive, "strong convexity of every client; 1 if not given (strongly-convex R2 only)"),
        field("delta", &S::delta, nonnegative,
              "Hessian dissimilarity delta_B; 5 if not given, 0 for one client (R2 only)"),
        field("delta_A", &S::delta_A, nonnegative,
              "mean Hessian dissimilarity, from delta/√(n − 1) on: one client differs by delta, the others by less; "
              "as large as n allows if not given (R2 that is not dense)"),
        field("spread", &S::spread, nonnegative,
              "largest deviation of a sample inside its client; 9 if not given, 0 for one sample (R2 only)"),
        field("beta", &S::beta, nonnegative,
              "weight of the bounded term x²/(1 + x²); 400 if not given (non-convex only)"),
        field("seed", &S::seed, anything, "everything random follows from it")};
  }
};

// A number of a resolved spec (resolve_quadratic.hpp); zero where its recipe or class has no such number.
inline double given(const std::optional<double>& value) { return value.value_or(0.0); }

}  // namespace driftless
