// The rate study for people and for programs.
#include "driftless/report/figure.hpp"
#include "driftless/reproduce/rate_study.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

std::string row_of(const RateFit& fit) {
  std::string points;
  for (const RatePoint& p : fit.points)
    points += fmt::format("{}{:g}: {:.4g}", points.empty() ? "" : ", ", p.value, p.mean());
  const std::string error = fit.error > 0.0 ? fmt::format(" ± {:.2f}", fit.error) : "";
  const RateVerdict verdict = fit.verdict();
  return fmt::format("| {} | {} | {} | {} | {}{:g} | {:.2f}{}{} | {} |\n", fit.claim.label, fit.claim.rate,
                     enum_name(fit.claim.counted), enum_name(fit.claim.varied), fit.claim.upper_bound ? "at most " : "",
                     fit.claim.exponent, fit.exponent, error,
                     verdict == RateVerdict::agrees ? "" : fmt::format(" ({})", enum_name(verdict)), points);
}

Panel panel_of(const std::vector<RateFit>& fits, Varied varied, const std::string& title) {
  Panel panel{.title = title,
              .x_title = varied == Varied::delta_A ? "δ_A" : "δ_B",
              .y_title = "exchanges",
              .log_x = true,
              .log_y = true,
              .series = {}};
  for (const RateFit& fit : fits) {
    if (fit.claim.column != RateColumn::strongly_convex || fit.claim.varied != varied) continue;
    Series series{.label = fit.claim.label, .x = {}, .y = {}, .low = {}, .high = {}};
    for (const RatePoint& p : fit.points) {
      series.x.push_back(p.value);
      series.y.push_back(p.mean());
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::string rate_table(const std::vector<RateFit>& fits) {
  std::string text = fmt::format("# Table 1\n\nExponents of power laws, claimed and found, with the standard error "
                                 "over seeds. A row differs where the "
                                 "exponent found is further than {0:g} from the one claimed, and is undecided where "
                                 "twice the standard error is more "
                                 "than {0:g}.\n",
                                 RateFit::tolerance);
  for (const RateColumn column : {RateColumn::strongly_convex, RateColumn::convex, RateColumn::non_convex}) {
    if (std::ranges::none_of(fits, [&](const RateFit& fit) { return fit.claim.column == column; })) continue;
    text += fmt::format("\n## {}\n\n| method | claimed | of | varied | exponent claimed | exponent found | measured |\n"
                        "|---|---|---|---|---:|---:|---|\n",
                        enum_name(column));
    for (const RateFit& fit : fits)
      if (fit.claim.column == column) text += row_of(fit);
  }
  return text;
}

std::string rate_json(const std::vector<RateFit>& fits) {
  auto lines = nlohmann::ordered_json::array();
  for (const RateFit& fit : fits) {
    auto points = nlohmann::ordered_json::array();
    for (const RatePoint& p : fit.points)
      points.push_back({{"value", p.value}, {"measured", p.mean()}, {"by_seed", p.measured}});
    lines.push_back({{"column", enum_name(fit.claim.column)},
                     {"method", fit.claim.method},
                     {"label", fit.claim.label},
                     {"rate", fit.claim.rate},
                     {"of", enum_name(fit.claim.counted)},
                     {"varied", enum_name(fit.claim.varied)},
                     {"exponent_claimed", fit.claim.exponent},
                     {"upper_bound", fit.claim.upper_bound},
                     {"exponent_found", fit.exponent},
                     {"standard_error", fit.error},
                     {"verdict", enum_name(fit.verdict())},
                     {"points", std::move(points)}});
  }
  return nlohmann::ordered_json{{"schema_version", 2}, {"tolerance", RateFit::tolerance}, {"fits", std::move(lines)}}
             .dump(2) +
         "\n";
}

std::string rate_figure(const std::vector<RateFit>& fits) {
  const std::vector<Panel> panels{panel_of(fits, Varied::delta_A, "δ_B = 20, only δ_A varies"),
                                  panel_of(fits, Varied::delta_B, "δ_A = 5, only δ_B varies")};
  return panels[0].series.empty() || panels[1].series.empty() ? "" : figure_svg(panels);
}

}  // namespace driftless
