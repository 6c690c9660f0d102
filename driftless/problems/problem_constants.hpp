// L, μ and δ of a problem: from its closed form where it has one, otherwise measured at single points by Lanczos on
// products with the Hessians, as `driftless inspect` does.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/theory/federated_constants.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>

namespace driftless {

// The constants under the names that files and messages use.
struct ConstantInfo {
  const char* name;
  double Constants::* member;
  bool largest_is_worst;  // otherwise the smallest
};
inline constexpr std::array<ConstantInfo, 8> constant_list{{{"L", &Constants::L, true},
                                                            {"L_f", &Constants::L_f, true},
                                                            {"mu", &Constants::mu, false},
                                                            {"mu_f", &Constants::mu_f, false},
                                                            {"delta_A", &Constants::delta_A, true},
                                                            {"delta_A_up", &Constants::delta_A_up, true},
                                                            {"delta_B", &Constants::delta_B, true},
                                                            {"delta_1", &Constants::delta_1, true}}};

struct ProblemConstants {
  Constants values;
  bool exact = true;      // valid everywhere; otherwise measured, and the Hessians at other points may be worse
  std::string at;         // "everywhere", "start and optimum", "start", or the point of an inspection
  Constants errors = {};  // of the measurement; 0 for exact constants
  double tolerance = 0.0;
  bool converged = true;  // otherwise some errors are above the tolerance
  // Bounds that are valid at every point: upper ones of L and δ, lower ones of μ. None where they are not known, were
  // not asked for, or the values are exact.
  std::optional<Constants> everywhere = {};
};

struct MeasuringOptions {
  bool everywhere = false;  // also bounds that are valid at every point
  bool noise = false;       // also the noise of samples, at the start and at the optimum; a pass for every sample
  bool progress = false;
  StopToken stop_token = {};
};

// H_i = l2 I + D + G_i with 0 ≼ G_i ≼ κ G_i(0) and the Hessian D of the bounded term. Hence −Ḡ ≼ H_i − H̄ ≼ G_i, and
// (1/n) Σ (H_i − H̄)² ≼ (1/n) Σ G_i² ≼ max_i ‖G_i‖ Ḡ. `zero` needs L_i and L_f at 0 alone.
Constants bounds_from_zero(const FederatedConstants& zero, double kappa, const Problem& problem);

// Measured constants are the worst of the start and, where it is known, the optimum: largest L and δ, smallest μ; with
// the bounded non-convex term μ is no more than its bound at all points. None where the measurement was interrupted.
std::optional<ProblemConstants> problem_constants(const Problem& problem, ThreadPool& pool,
                                                  const MeasuringOptions& options = {});
// The same for clients of several peers; collective. The noise is not known everywhere even where the rest is exact.
std::optional<ProblemConstants> problem_constants(const Problem& problem, Transport& transport, ThreadPool& pool,
                                                  const MeasuringOptions& options = {});

// DataError where a constant is not a finite number: names the largest feature.
void require_finite(const FederatedConstants& found, const Problem& problem);

// A warning for constants whose `converged` is false.
inline constexpr const char* unfinished_constants =
    "some eigenvalues are less accurate than the tolerance; the errors beside them are upper bounds";

// A warning where L/δ_A is so small that drift correction with theory's λ hardly pays, with what to do; "" elsewhere.
std::string similarity_warning(const Constants& constants);

std::string origin_of(const ProblemConstants& constants);       // "exact", "measured by Lanczos at …, to 1e-09 of L"
std::string constants_line(const ProblemConstants& constants);  // "L = 100, …, delta_1 = 5 (exact)"

}  // namespace driftless
