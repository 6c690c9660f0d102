// Figure 2 of Jiang, Rodomanov, Stich, ICML 2024: regularised logistic regression on public data sets divided by
// Dirichlet draws; every method tuned within the same budget.
#pragma once

#include "driftless/core/constants.hpp"
#include "driftless/reproduce/study_case.hpp"
#include "driftless/tuning/setting_search.hpp"

#include <array>

namespace driftless {

// Parts of the first gap.
inline constexpr std::array<double, 3> figure2_targets{1e-2, 1e-4, 1e-6};

enum class Figure2Split { dirichlet, iid };
template <>
struct EnumNames<Figure2Split> {
  static constexpr std::array<std::string_view, 2> value{"dirichlet", "iid"};
};

struct Figure2Plan {
  std::vector<std::string> sets;  // "generated" is made from a seed; the others are looked up as everywhere
  Figure2Split split = Figure2Split::dirichlet;
  std::vector<double> alphas{0.5, 1.0};  // of the Dirichlet split
  std::size_t draws = 5;                 // of each split
  std::size_t seeds = 5;                 // of a method that tosses coins, in the search and on every draw
  std::size_t rounds = 100;
  std::size_t gradients = 2000;  // of the busiest client
  std::size_t settings = 30;     // tried per method
};
// Two sets, two draws and a shorter search: a minute.
Figure2Plan quick_figure2_plan();

// One way to divide one data set: every method is tuned on its first draw.
struct Figure2Case {
  std::string data;
  std::optional<double> alpha;  // none: iid
  std::size_t rows = 0;
  std::size_t variables = 0;
  std::vector<Constants> at_zero;  // by draw
  std::vector<Constants> at_optimum;

  std::string name() const;  // of its files: "w8a-alpha0.5", "w8a-iid"
};

// The costs to the targets of one run, as far as the budget allows.
using Figure2Run = std::array<std::optional<Cost>, figure2_targets.size()>;

struct Figure2Line {
  std::size_t of = 0;  // the case
  std::string method;
  std::string options;  // those searched, with their best values as multiples of L
  BestSetting found;
  std::vector<Figure2Run> runs;  // over draws, and for a method that tosses coins over seeds
};

struct Figure2 {
  std::vector<Figure2Case> cases;
  std::vector<Figure2Line> lines;
  std::vector<std::string> missing;  // data sets that were not found
  bool complete = false;             // false: interrupted
};

// The middle of a cost over runs and its range, where a run that did not reach the target counts as infinite.
struct Figure2Median {
  std::optional<double> middle;  // none: fewer than half of the runs reached it
  std::optional<double> least;
  std::optional<double> most;
};
Figure2Median median_of(const std::vector<Figure2Run>& runs, std::size_t target, std::uint64_t Cost::* count);

std::vector<std::string> figure2_sets();  // four public sets, and the generated one
// These and every other set of two classes that `driftless data get` knows, test parts left out.
std::vector<std::string> figure2_all_sets();

// Steps, η and λ that were found with constants `from`, for clients with constants `to`: the same multiples of 1/L
// (gd: 1/L_f) and of L.
Settings rescaled(const std::string& method, Settings chosen, const Constants& from, const Constants& to);

// Leaves for every case: NAME-search.toml (where the search began), NAME-search.csv (every setting tried),
// NAME-draw1.toml … and their folders (the winners, run), figure2-NAME.svg; and figure2.md.
Figure2 reproduce_figure2(const Figure2Plan& plan, const StudyOptions& options);

std::string figure2_markdown(const Figure2& figure, const Figure2Plan& plan);
std::string figure2_json(const Figure2& figure, const Figure2Plan& plan);

}  // namespace driftless
