// Figure 2 of Jiang, Rodomanov, Stich, ICML 2024: regularised logistic regression on public data sets divided by a
// Dirichlet draw; every method tuned within the same budget.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/reproduce/study_case.hpp"
#include "driftless/tuning/setting_search.hpp"

#include <array>

namespace driftless {

// Parts of the first gap.
inline constexpr std::array<double, 3> figure2_targets{1e-2, 1e-4, 1e-6};

// The winner of a method that tosses coins runs with so many seeds; the search knows the first alone.
inline constexpr std::size_t figure2_seeds = 5;

struct Figure2Set {
  std::string name;
  std::size_t rows = 0;
  std::size_t variables = 0;
  Constants at_zero;
  Constants at_optimum;
};

struct Figure2Line {
  std::string data;
  std::string method;
  std::string options;  // those searched, with their best values
  BestSetting found;
  // Mean rounds to each target over figure2_seeds seeds of the coins; negative where a seed did not come there within
  // the budget. Empty for a method without coins.
  std::vector<double> rounds_over_seeds;
};

struct Figure2 {
  std::vector<Figure2Set> sets;
  std::vector<Figure2Line> lines;
  std::vector<std::string> missing;  // data sets that were not found
  bool complete = false;             // false: interrupted
};

enum class Figure2Split { dirichlet, iid };
template <>
struct EnumNames<Figure2Split> {
  static constexpr std::array<std::string_view, 2> value{"dirichlet", "iid"};
};

struct Figure2Plan {
  std::vector<std::string> sets;  // "generated" is made from a seed; the others are looked up as everywhere
  Figure2Split split = Figure2Split::dirichlet;
  std::size_t rounds = 100;
  std::size_t gradients = 2000;  // of the busiest client
  std::size_t settings = 30;     // tried per method
};

std::vector<std::string> figure2_sets();  // four public sets, and the generated one
// These and every other set of two classes that `driftless data get` knows, test parts left out.
std::vector<std::string> figure2_all_sets();

// Leaves for every set: NAME-search.toml (where the search began), NAME-search.csv (every setting tried), NAME.toml and
// NAME (the winners, run), figure2-NAME.svg; and figure2.md.
Figure2 reproduce_figure2(const Figure2Plan& plan, const StudyOptions& options);

std::string figure2_markdown(const Figure2& figure, const Figure2Plan& plan);
std::string figure2_json(const Figure2& figure, const Figure2Plan& plan);

}  // namespace driftless
