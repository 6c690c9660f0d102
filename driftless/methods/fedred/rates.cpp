#include "driftless/methods/fedred/rates.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// λ = δ_A, η = L and p = (λ + μ/2)/(η − μ/2)
RoundCount fedred_gd_rounds(const RateInput& in) {
  const double mu = in.mu();
  const double eta = in.constants.L;
  const double p = std::min(1.0, (in.constants.delta_A + 0.5 * mu) / (eta - 0.5 * mu));
  const double k = geometric_rounds(mu, 2.0 * (eta - mu), 0.5 * in.distance2, in.accuracy());
  return {.rounds = std::max(1.0, std::ceil(p * k)), .local_steps = k};
}

}  // namespace

RateInfo fedred_gd_rate() {
  using enum Quantity;
  return {.rounds = rates::fedred_rounds(),
          .proved_for = Convexity::any,
          .bound = RoundBound{.formula = "μ R_0²/(2((1 + μ/(2 L − 2 μ))^K − 1)), R = p K on average",
                              .source = "Jiang, Rodomanov, Stich, ICML 2024",
                              .count = fedred_gd_rounds,
                              .position = 7,
                              .uses_similarity = true},
          .claims = {rates::similarity_claim(9),
                     {.row = 9,
                      .rate = "L/delta_A",
                      .measured = Measured::local_steps,
                      .exponents = {{smoothness, 1.0}, {dissimilarity, -1.0}}}}};
}

}  // namespace driftless
