// Figure 2 of Jiang, Rodomanov, Stich, ICML 2024: regularised logistic regression on public data sets divided by a
// Dirichlet draw; every method tuned over a grid within the same budget.
#pragma once

#include "driftless/studies/study_case.hpp"

namespace driftless {

struct Figure2Line {
  std::string data;
  std::string method;
  std::string settings;  // those found by the search
  Spent spent;           // until `figure2_target`
  double part = 1.0;     // of the first gap that is left after the budget
};

struct Figure2 {
  std::vector<Figure2Line> lines;
  std::vector<std::string> missing;  // data sets that are not at hand
  bool complete = false;             // false: interrupted
};

inline constexpr double figure2_target = 1e-6;

// "generated" is made from a seed; the others are looked up as everywhere.
std::vector<std::string> figure2_sets();

// Leaves for every set: NAME-search (the search), NAME.toml and NAME (the winners, run), figure2-NAME.svg; and
// figure2.md.
Figure2 reproduce_figure2(const std::vector<std::string>& sets, const StudyOptions& options);

std::string figure2_markdown(const Figure2& figure);
std::string figure2_json(const Figure2& figure);

}  // namespace driftless
