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

// What is varied: the quantities of the catalogue's claims, and those of the other columns and of the footnotes.
// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
enum class Varied {
  smoothness,
  convexity,
  dissimilarity,  // δ_A and δ_B together
  delta_A,        // while δ_B stays
  delta_B,        // while δ_A stays
  clients,
  digits,   // log(1/ε)
  epsilon,  // ε
  local_steps,
  coin,  // p, the probability of an exchange
};
// NOLINTEND(readability-identifier-naming)
template <>
struct EnumNames<Varied> {
  static constexpr std::array<std::string_view, 10> value{
      "L", "mu", "delta", "delta_A alone", "delta_B alone", "n", "log(1/eps)", "eps", "K", "p"};
};

enum class Counted { exchanges, local_steps };
template <>
struct EnumNames<Counted> {
  static constexpr std::array<std::string_view, 2> value{"exchanges", "local steps per round"};
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
  Counted counted = Counted::exchanges;
  Varied varied = Varied::smoothness;
  double exponent = 0.0;
  bool upper_bound = false;  // a smaller exponent agrees as well
  RateOptions options = {};
  RateSetting base = {};
  std::vector<double> values = {};  // of the quantity
  std::size_t seeds_factor = 1;     // times the seeds of other rows, where runs differ more
};

std::vector<RateClaim> table1_claims();  // by column, and in each in the order of the table

}  // namespace driftless
