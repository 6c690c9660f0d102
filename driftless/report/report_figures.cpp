#include "driftless/report/report_figures.hpp"

#include "driftless/report/curves.hpp"
#include "driftless/report/figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace driftless {
namespace {

// Side by side in one figure: what is paid in talking, and in work.
constexpr std::array<std::string_view, 3> shown_together{"round", "exchanges", "grad_evals"};

bool known(const std::vector<Curve>& curves, std::size_t column) {
  return std::ranges::any_of(curves, [&](const Curve& curve) {
    return std::ranges::any_of(curve.mean[column], [](double v) { return std::isfinite(v); });
  });
}

// f itself may be negative, and its limit is not 0; accuracies end at 1.
bool logarithmic(const ReportColumn& column) { return column.key != "f" && column.key != "test_accuracy"; }

Panel panel_of(const std::vector<Curve>& curves, std::span<const ReportColumn> columns, std::size_t x, std::size_t y) {
  const ReportColumn& reached = columns[y];
  Panel panel{.title = "",
              .x_title = columns[x].title,
              .y_title = reached.title,
              .log_x = false,
              .log_y = logarithmic(reached),
              .series = {}};
  for (const Curve& curve : curves) {
    Series series{.label = curve.label, .x = curve.mean[x], .y = curve.mean[y], .low = {}, .high = {}};
    if (curve.group()) {
      series.low = curve.low[y];
      series.high = curve.high[y];
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::vector<ReportFigure> report_figures(std::span<const RunFiles> runs) {
  const std::vector<Curve> curves = curves_of(runs);
  const std::vector<ReportColumn> columns = report_columns(runs);
  std::vector<ReportFigure> figures;
  for (std::size_t y = 0; y < columns.size(); ++y) {
    if (!columns[y].reached || !known(curves, y)) continue;
    const std::string name = columns[y].key;
    std::vector<Panel> together;
    std::vector<ReportFigure> single;
    for (std::size_t x = 0; x < columns.size(); ++x) {
      if (columns[x].reached) continue;
      const Panel panel = panel_of(curves, columns, x, y);
      single.push_back({name + "-" + columns[x].key + ".svg", figure_svg(std::span(&panel, 1))});
      if (std::ranges::find(shown_together, columns[x].key) != shown_together.end()) together.push_back(panel);
    }
    figures.push_back({name + ".svg", figure_svg(together)});
    std::ranges::move(single, std::back_inserter(figures));
  }
  return figures;
}

}  // namespace driftless
