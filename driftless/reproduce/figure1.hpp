// Figure 1 of Jiang, Rodomanov, Stich, ICML 2024: gradient descent against DANE+-GD and FedRed-GD on quadratics with
// L/δ = 20, strongly convex, convex and non-convex.
#pragma once

#include "driftless/reproduce/study_case.hpp"

namespace driftless {

struct Figure1Line {
  std::string problem;
  std::string variant;
  double part = 0.0;  // of the first gap (non-convex: gradient norm) that was to be reached
  Spent spent;
  std::optional<double> rounds_of_gd = {};     // how many times fewer rounds than gd, where both reached it
  std::optional<double> gradients_of_gd = {};  // how many times the gradients of gd
};

struct Figure1 {
  std::vector<Figure1Line> lines;
  bool complete = false;  // false: interrupted
};

// Leaves in options.out: three configurations, their run directories, figure1-NAME.svg for each, and figure1.md with
// what the paper reports beside what was found.
Figure1 reproduce_figure1(const StudyOptions& options);

std::string figure1_markdown(const Figure1& figure);
std::string figure1_json(const Figure1& figure);

}  // namespace driftless
