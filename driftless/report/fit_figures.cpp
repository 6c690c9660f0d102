#include "driftless/report/fit_figures.hpp"

#include "driftless/report/fit_data.hpp"
#include "driftless/report/line_style.hpp"
#include "driftless/results/fitted_model.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using Fits = std::vector<const MethodFiles*>;

double number_or_nan(const nlohmann::json& value) { return value.is_number() ? value.get<double>() : unknown_value; }

Series diagonal(const std::string& label) {
  return {.label = label, .x = {0.0, 1.0}, .y = {0.0, 1.0}, .low = {}, .high = {}};
}

Series roc_series(const nlohmann::json& roc) {
  Series series;
  for (const nlohmann::json& point : roc) {
    series.x.push_back(number_or_nan(point[0]));
    series.y.push_back(number_or_nan(point[1]));
  }
  return series;
}

Series calibration_series(const nlohmann::json& bins) {
  Series series;
  for (const nlohmann::json& bin : bins) {
    if (bin["rows"] == 0) continue;
    series.x.push_back(number_or_nan(bin["predicted"]));
    series.y.push_back(number_or_nan(bin["observed"]));
  }
  return series;
}

// Of the fitted rows and the test rows of each model. Models are named where there are several.
Panel panel_of_rows(const Fits& fits, const char* key, Series (*series_of)(const nlohmann::json&)) {
  Panel panel{.title = "", .x_title = "", .y_title = "", .log_x = false, .log_y = false, .series = {}};
  for (const MethodFiles* method : fits)
    for (const auto& [rows, title] : {std::pair{"train", "fitted rows"}, std::pair{"test", "test rows"}}) {
      const nlohmann::json& evaluation = method->fit->evaluation;
      if (!evaluation.contains(rows) || !evaluation[rows].contains(key)) continue;
      Series series = series_of(evaluation[rows][key]);
      series.label = fits.size() > 1 ? method->title + ", " + title : title;
      panel.series.push_back(std::move(series));
    }
  return panel;
}

Panel roc_panel(const Fits& fits) {
  Panel panel = panel_of_rows(fits, "roc", roc_series);
  panel.x_title = "false positive rate";
  panel.y_title = "true positive rate";
  if (!panel.series.empty()) panel.series.push_back(diagonal("no better than chance"));
  return panel;
}

Panel calibration_panel(const Fits& fits) {
  Panel panel = panel_of_rows(fits, "calibration", calibration_series);
  panel.x_title = "mean prediction";
  panel.y_title = "observed frequency";
  if (!panel.series.empty()) panel.series.push_back(diagonal("perfect"));
  return panel;
}

// All methods of a run have the same path: the penalty belongs to the problem.
Panel path_panel(const Fits& fits) {
  Panel panel{.title = "", .x_title = "l2", .y_title = "mean loss", .log_x = true, .log_y = false, .series = {}};
  const auto with_path = std::ranges::find_if(fits, [](const MethodFiles* m) { return m->fit->path.has_value(); });
  if (with_path == fits.end()) return panel;
  const CrossValidation& found = (*with_path)->fit->path->found;
  Series series{.label = "mean over folds", .x = {}, .y = {}, .low = {}, .high = {}};
  for (auto point = found.path.rbegin(); point != found.path.rend(); ++point) {
    series.x.push_back(point->l2);
    series.y.push_back(point->loss);
    series.low.push_back(point->loss - point->error);
    series.high.push_back(point->loss + point->error);
  }
  // fmin and fmax pass over what is not a number.
  double lowest = unknown_value, highest = unknown_value;
  for (const double low : series.low) lowest = std::fmin(lowest, low);
  for (const double high : series.high) highest = std::fmax(highest, high);
  panel.series.push_back(std::move(series));
  const auto add_mark = [&](const std::string& label, std::size_t index) {
    const double l2 = found.path[index].l2;
    panel.series.push_back({.label = label, .x = {l2, l2}, .y = {lowest, highest}, .low = {}, .high = {}});
  };
  add_mark("chosen", found.chosen);
  if (found.least != found.chosen) add_mark("least", found.least);
  return panel;
}

// The coefficients that are drawn, in their order: all but constants, or the most certain of many.
constexpr std::size_t most_drawn = 60;
std::vector<CoefficientLine> drawn_lines(const Inference& inference, ErrorSource source) {
  std::vector<CoefficientLine> lines = coefficient_lines(inference, source, interval_level);
  std::erase_if(lines, [](const CoefficientLine& line) { return is_constant(line.name) || !std::isfinite(line.low); });
  if (lines.size() <= most_drawn) return lines;
  std::vector<double> certainty;
  for (const CoefficientLine& line : lines) certainty.push_back(std::abs(line.statistic));
  std::ranges::nth_element(certainty, certainty.begin() + most_drawn - 1, std::ranges::greater{});
  const double least = certainty[most_drawn - 1];
  std::erase_if(lines, [&](const CoefficientLine& line) { return std::abs(line.statistic) < least; });
  return lines;
}

Series segment(const std::string& label, Point from, Point to) {
  return {.label = label, .x = {from.x, to.x}, .y = {from.y, to.y}, .low = {}, .high = {}};
}

// An interval is a line, its estimate a stroke across it; ratios have a logarithmic axis.
Panel forest_panel(const MethodFiles& method) {
  Panel panel{.title = "", .x_title = "coefficient", .y_title = "", .log_x = false, .log_y = false, .series = {}};
  const std::optional<Inference>& inference = method.fit->inference;
  const std::optional<ErrorSource> source = inference ? inference->usual_errors() : std::nullopt;
  if (!source) return panel;
  const std::vector<CoefficientLine> lines = drawn_lines(*inference, *source);
  const std::string ratio = ratio_name(inference->family.family);
  if (!ratio.empty()) panel.x_title = ratio;
  panel.log_x = !ratio.empty();
  // An interval beyond three times the largest estimate is cut: the others would be dots beside it.
  double cap = 0.0;
  for (const CoefficientLine& line : lines) cap = std::max(cap, 3.0 * std::abs(line.estimate));
  const auto x = [&](double value) {
    const double cut = std::clamp(value, -cap, cap);
    return panel.log_x ? std::exp(cut) : cut;
  };
  for (const CoefficientLine& line : lines) {
    const double y = -static_cast<double>(panel.rows.size());
    panel.rows.push_back(line.name);
    panel.series.push_back(segment("95 % interval", {x(line.low), y}, {x(line.high), y}));
    panel.series.push_back(segment("estimate", {x(line.estimate), y - 0.2}, {x(line.estimate), y + 0.2}));
  }
  const double last = 0.6 - static_cast<double>(panel.rows.size());
  if (!lines.empty()) panel.series.push_back(segment("no effect", {x(0.0), 0.6}, {x(0.0), last - 0.2}));
  return panel;
}

Fits chosen_fits(const RunFiles& run, const std::vector<std::string>& labels) {
  Fits fits;
  for (const MethodFiles& method : run.methods)
    if (method.fit && (labels.empty() || std::ranges::find(labels, method.label) != labels.end()))
      fits.push_back(&method);
  return fits;
}

}  // namespace

std::vector<ReportFigure> fit_figures(std::span<const RunFiles> runs, const std::vector<std::string>& labels) {
  std::vector<ReportFigure> figures{{.name = "roc", .panels = {}},
                                    {.name = "calibration", .panels = {}},
                                    {.name = "penalty_path", .panels = {}},
                                    {.name = "coefficients", .panels = {}}};
  const auto add = [&](std::size_t figure, Panel panel, const std::string& title) {
    if (panel.series.empty()) return;
    panel.title = title;
    figures[figure].panels.push_back(std::move(panel));
  };
  for (const RunFiles& run : runs) {
    const Fits fits = chosen_fits(run, labels);
    const std::string title = runs.size() > 1 ? run.name : "";
    add(0, roc_panel(fits), title);
    add(1, calibration_panel(fits), title);
    add(2, path_panel(fits), title);
    for (const MethodFiles* method : fits)
      add(3, forest_panel(*method), fits.size() > 1 ? method->title + (title.empty() ? "" : " · " + title) : title);
  }
  std::erase_if(figures, [](const ReportFigure& figure) { return figure.panels.empty(); });
  for (ReportFigure& figure : figures) figure.columns = figure.panels.size();
  return figures;
}

}  // namespace driftless
