// How `auto` chooses among methods that need no parameter: from what it knows of the problem it estimates what each
// would need to bring ‖∇f‖ from its first value down by nine digits, in the unit of what is to be saved.
//
//   method           exchanges           vectors up of a client            passes of a client
//   newton           8                   8 (1 + (d + 1)/2)                 8 (1 + min(d, 8))
//   newton-in-span   11                  R + 5 + 9 (1 + R²/(2 d))          10 (R + 1)
//   newton-cg-5      30                  180                               180
//   newton-cg        45                  45                                45
//   l-bfgs           80                  80                                80
//   acc-s-dane       80 √(5/ρ)           1.5 for each exchange             10 for each exchange
//
// newton-cg-5 is newton-cg with directions = 5. R is the dimension of the span of the data, ρ = L/δ as measured. The
// exchanges are medians of docs/auto.md; those of newton and newton-in-span vary little between problems, those of
// newton-cg from 15 to 300. Vectors down: one for each exchange, two for newton-cg-5.
#pragma once

#include "driftless/methods/automatic/auto_options.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace driftless {

inline constexpr std::size_t merged_directions = 5;

enum class AutoChoice : std::uint64_t { newton, newton_in_span, merged_newton_cg, newton_cg, lbfgs, acc_s_dane };
template <>
struct EnumNames<AutoChoice> {
  static constexpr std::array<std::string_view, 6> value{"newton",    "newton-in-span", "newton-cg with 5 directions",
                                                         "newton-cg", "l-bfgs",         "acc-s-dane"};
};

struct AutoFacts {
  double clients = 1.0;
  double dim = 1.0;                       // d
  bool hessians = true;                   // all clients offer products with their Hessian
  std::optional<double> rank = {};        // R, where clients know it
  std::optional<double> similarity = {};  // ρ, where it was measured
};

struct AutoEstimate {
  AutoChoice choice;
  double amount;  // of what is to be saved
};

// Of the methods that are possible, the best first.
std::vector<AutoEstimate> auto_estimates(const AutoFacts& facts, const AutoOptions& options);

}  // namespace driftless
