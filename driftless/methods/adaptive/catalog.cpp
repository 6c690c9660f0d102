#include "driftless/methods/adaptive/adaptive_dane_plus.hpp"
#include "driftless/methods/adaptive/adaptive_fedred.hpp"
#include "driftless/methods/catalog_entry.hpp"

namespace driftless {

std::vector<MethodEntry> adaptive_entries() {
  const std::string jiang = "after Jiang, Rodomanov, Stich, ICML 2024";
  return {
      entry<AdaptiveDanePlus>(
          {.name = "adaptive-dane+",
           .summary = "DANE+ that finds λ on the way and tests its steps; needs no constant",
           .paper = jiang,
           .messages = {"x_i, then ∇f_i with f_i, ‖D_i‖², |f_i|, M_i", "x⁺, then ∇f"},
           .rate = {.rounds = {rates::remark("f falls in every accepted round; no rate for a λ that is found")},
                    .proved_for = Convexity::nothing},
           .ranges = {{.option = "factor", .multiples = {0.5, 1.0, 2.0}}}}),
      entry<AdaptiveFedRed>(
          {.name = "adaptive-fedred",
           .summary = "FedRed-GD that finds η, λ and p on the way and tests its steps",
           .paper = jiang,
           .messages = {"x_i, then ∇f_i with f_i, ‖D_i‖², |f_i|, M_i", "x⁺, then ∇f"},
           .rate = {.rounds = {rates::remark("f falls in every accepted round; no rate for parameters that are found")},
                    .proved_for = Convexity::nothing},
           .ranges = {{.option = "factor", .multiples = {0.5, 1.0, 2.0}}}}),
  };
}

}  // namespace driftless
