// The figures of a report as files for papers.
#pragma once

#include "driftless/results/run_files.hpp"

#include <span>
#include <string>
#include <vector>

namespace driftless {

struct ReportFigure {
  std::string file;  // "f_gap.svg": against several costs side by side; "f_gap-round.svg": against one
  std::string svg;
};

// For everything that was reached and is known: the gap, the gradient norm, f and the distance.
std::vector<ReportFigure> report_figures(std::span<const RunFiles> runs);

}  // namespace driftless
