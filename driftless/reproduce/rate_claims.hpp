// What Table 1 of Jiang, Rodomanov, Stich (ICML 2024) claims, as numbers: the exchanges, or the local steps between two
// of them, grow like a quantity to a power.
#pragma once

#include "driftless/methods/rate.hpp"

#include <functional>
#include <string>
#include <vector>

namespace driftless {

// The columns of the table: the class of the functions, and with it what ε means.
enum class RateColumn {
  strongly_convex,  // the gap falls by another factor ε
  convex,           // f(x) − f* ≤ ε
  non_convex,       // ‖∇f(x)‖² ≤ ε
};
template <>
struct EnumNames<RateColumn> {
  static constexpr std::array<std::string_view, 3> value{"strongly convex", "general convex", "non-convex"};
};

// The problem and the accuracy of one measurement.
struct RateSetting {
  double L = 400.0;                    // NOLINT(readability-identifier-naming): the letter of the papers
  double mu = 0.5;                     // of the strongly convex column
  double delta = 10.0;                 // δ_B
  std::optional<double> delta_A = {};  // NOLINT(readability-identifier-naming): as large as n allows if not given
  std::size_t clients = 5;
  double accuracy = 1e-4;  // ε
  double local_steps = 10.0;
  double p = 0.1;

  auto operator<=>(const RateSetting&) const = default;
};

// Options that the theory of the catalogue does not give, or gives otherwise.
using RateOptions = std::function<Settings(const RateSetting&, const Constants&)>;

struct RateClaim {
  RateColumn column = RateColumn::strongly_convex;
  std::string method;  // of the catalogue
  std::string label;   // of this row: the method, and which options it has
  std::string rate;    // as printed
  Measured measured = Measured::exchanges;
  Quantity quantity = Quantity::smoothness;
  double exponent = 0.0;
  bool upper_bound = false;  // a smaller exponent agrees as well
  RateOptions options = {};
  RateSetting base = {};
  std::vector<double> values = {};  // of the quantity
  std::size_t seeds_factor = 1;     // times the seeds of other rows, where runs differ more
};

std::vector<RateClaim> table1_claims();  // by column, and in each in the order of the table

}  // namespace driftless
