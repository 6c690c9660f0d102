// Figures of the models of tables that runs fitted: "roc", "calibration", "penalty_path" and "coefficients".
#pragma once

#include "driftless/report/report_figure.hpp"
#include "driftless/results/run_files.hpp"

#include <span>
#include <string>
#include <vector>

namespace driftless {

// Of the methods with these labels; empty: of all. A run without such a model has no panel.
std::vector<ReportFigure> fit_figures(std::span<const RunFiles> runs, const std::vector<std::string>& labels);

}  // namespace driftless
