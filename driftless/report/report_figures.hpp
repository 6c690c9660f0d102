// The figures of a report as files for papers.
#pragma once

#include "driftless/report/report_figure.hpp"
#include "driftless/results/run_files.hpp"

#include <span>
#include <string>
#include <vector>

namespace driftless {

// What was asked for; empty lists: everything.
struct FigureChoice {
  std::vector<std::string> figures;  // names
  std::vector<std::string> curves;   // labels of methods
};

// For everything that was reached and is known: the gap, the gradient norm, f and the distance; of models of tables
// those of fit_figures(). ConfigError where a chosen figure or curve does not exist.
std::vector<ReportFigure> report_figures(std::span<const RunFiles> runs, const FigureChoice& choice = {});

}  // namespace driftless
