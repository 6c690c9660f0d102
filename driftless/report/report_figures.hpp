// The figures of a report as files for papers.
#pragma once

#include "driftless/report/figure.hpp"
#include "driftless/results/run_files.hpp"

#include <span>
#include <string>
#include <vector>

namespace driftless {

struct ReportFigure {
  std::string name;           // "f_gap": against several costs side by side; "f_gap-round": against one
  std::vector<Panel> panels;  // every problem has its own
  std::size_t columns = 1;    // of panels side by side
};

// What was asked for; empty lists: everything.
struct FigureChoice {
  std::vector<std::string> figures;  // names
  std::vector<std::string> curves;   // labels of methods
};

// For everything that was reached and is known: the gap, the gradient norm, f and the distance. ConfigError where a
// chosen figure or curve does not exist.
std::vector<ReportFigure> report_figures(std::span<const RunFiles> runs, const FigureChoice& choice = {});

}  // namespace driftless
