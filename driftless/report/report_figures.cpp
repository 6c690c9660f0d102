#include "driftless/report/report_figures.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/report/curves.hpp"
#include "driftless/report/fit_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace driftless {
namespace {

// Side by side in one figure: what is paid in talking, and in work.
constexpr std::array<std::string_view, 3> shown_together{"round", "exchanges", "grad_evals"};

bool is_in_any(const std::vector<Curve>& curves, std::size_t column) {
  return std::ranges::any_of(curves, [&](const Curve& curve) {
    return std::ranges::any_of(curve.mean[column], [](double v) { return std::isfinite(v); });
  });
}

// f itself may be negative, and its limit is not 0; accuracies end at 1.
bool logarithmic(const ReportColumn& column) { return column.key != "f" && column.key != "test_accuracy"; }

[[noreturn]] void reject_choice(const std::string& flag, const std::string& chosen,
                                const std::vector<std::string>& known) {
  const std::string near = nearest(chosen, known);
  throw ConfigError({.what = "the report has no such " + std::string(flag == "--curves" ? "curve" : "figure"),
                     .seen = flag + " " + chosen,
                     .advice = near.empty() ? "there are " + join(known) : "did you mean " + near + "?"});
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

void require_known(const std::string& flag, const std::vector<std::string>& chosen,
                   const std::vector<std::string>& known) {
  for (const std::string& each : chosen)
    if (!contains(known, each)) reject_choice(flag, each, known);
}

// Curves are chosen by the labels of their methods, in the order in which they are chosen.
std::vector<Curve> chosen_curves(std::vector<Curve> curves, const std::vector<std::string>& labels) {
  if (labels.empty()) return curves;
  const auto has_label = [](const Curve& curve, const std::string& label) {
    return std::ranges::any_of(curve.members, [&](const CurveMember& m) { return m.method->label == label; });
  };
  std::vector<std::string> known;
  for (const Curve& curve : curves)
    for (const CurveMember& member : curve.members)
      if (!contains(known, member.method->label)) known.push_back(member.method->label);
  require_known("--curves", labels, known);
  std::vector<Curve> chosen;
  for (const std::string& label : labels)
    for (Curve& curve : curves)
      if (!curve.members.empty() && has_label(curve, label)) chosen.push_back(std::exchange(curve, Curve{}));
  return chosen;
}

class FigureMaker {
 public:
  FigureMaker(std::span<const RunFiles> runs, const FigureChoice& choice)
      : columns_(report_columns(runs)), curves_(curves_of(runs)), problems_(problem_names(curves_)) {
    curves_ = chosen_curves(std::move(curves_), choice.curves);
    for (std::size_t p = 0; p < problems_.size(); ++p)
      if (std::ranges::find(curves_, p, &Curve::problem) != curves_.end()) shown_.push_back(p);
  }

  std::vector<ReportFigure> all() const {
    std::vector<ReportFigure> figures;
    for (std::size_t y = 0; y < columns_.size(); ++y)
      if (columns_[y].reached && is_in_any(curves_, y)) add_figures_of(y, figures);
    return figures;
  }

 private:
  void add_figures_of(std::size_t y, std::vector<ReportFigure>& figures) const {
    std::vector<std::size_t> together;
    std::vector<std::size_t> paid;
    for (std::size_t x = 0; x < columns_.size(); ++x) {
      if (columns_[x].reached) continue;
      paid.push_back(x);
      if (std::ranges::find(shown_together, columns_[x].key) != shown_together.end()) together.push_back(x);
    }
    ReportFigure all{.name = columns_[y].key, .panels = {}, .columns = together.size()};
    for (const std::size_t p : shown_)
      for (const std::size_t x : together) all.panels.push_back(panel_of(p, x, y));
    figures.push_back(std::move(all));
    for (const std::size_t x : paid) {
      ReportFigure one{.name = columns_[y].key + "-" + columns_[x].key, .panels = {}, .columns = shown_.size()};
      for (const std::size_t p : shown_) one.panels.push_back(panel_of(p, x, y));
      figures.push_back(std::move(one));
    }
  }

  Panel panel_of(std::size_t problem, std::size_t x, std::size_t y) const {
    Panel panel{.title = shown_.size() > 1 ? problems_[problem] : "",
                .x_title = columns_[x].title,
                .y_title = columns_[y].title,
                .log_x = false,
                .log_y = logarithmic(columns_[y]),
                .series = {}};
    for (const Curve& curve : curves_) {
      if (curve.problem != problem) continue;
      Series series{.label = curve.name, .x = curve.mean[x], .y = curve.mean[y], .low = {}, .high = {}};
      if (curve.group()) {
        series.low = curve.low[y];
        series.high = curve.high[y];
      }
      panel.series.push_back(std::move(series));
    }
    return panel;
  }

  std::vector<ReportColumn> columns_;
  std::vector<Curve> curves_;
  std::vector<std::string> problems_;
  std::vector<std::size_t> shown_;  // the problems that have a chosen curve
};

}  // namespace

std::vector<ReportFigure> report_figures(std::span<const RunFiles> runs, const FigureChoice& choice) {
  std::vector<ReportFigure> figures = FigureMaker(runs, choice).all();
  for (ReportFigure& figure : fit_figures(runs, choice.curves)) figures.push_back(std::move(figure));
  if (choice.figures.empty()) return figures;
  std::vector<std::string> names;
  for (const ReportFigure& figure : figures) names.push_back(figure.name);
  require_known("--figure", choice.figures, names);
  std::erase_if(figures, [&](const ReportFigure& figure) { return !contains(choice.figures, figure.name); });
  return figures;
}

}  // namespace driftless
