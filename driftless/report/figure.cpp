#include "driftless/report/figure.hpp"

#include "driftless/report/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double panel_width = 380.0;  // with its axes
constexpr double panel_height = 300.0;
constexpr double left = 62.0;
constexpr double right = 16.0;
constexpr double top = 30.0;
constexpr double bottom = 46.0;
constexpr double plot_width = panel_width - left - right;
constexpr double plot_height = panel_height - top - bottom;
constexpr double legend_row = 20.0;
constexpr double legend_line = 34.0;
// Letters are at most this wide on average in common sans-serif fonts of size 12.
constexpr double letter = 7.2;

// Okabe and Ito's colours, which remain distinct for colour-blind readers; without yellow, which fades on white.
constexpr std::array<const char*, 7> colours{"#0072b2", "#d55e00", "#009e73", "#b0438a", "#b87a00", "#3c9bd0", "#333"};
constexpr std::array<const char*, 7> dark_colours{"#4aa8e8", "#ff8a4c", "#3ccb9f", "#e58ac4",
                                                  "#f0b840", "#8fd0f5", "#e8e8e8"};
constexpr std::array<const char*, 5> dashes{"", "7 3", "2 2.5", "9 3 2 3", "14 4"};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else if (c == '"') safe += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) safe += c;
    else safe += ' ';
  }
  return safe;
}

std::string style_sheet() {
  std::string light;
  std::string dark;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    light += fmt::format(".c{0}{{stroke:{1}}}.b{0}{{fill:{1}}}", i, colours.at(i));
    dark += fmt::format(".c{0}{{stroke:{1}}}.b{0}{{fill:{1}}}", i, dark_colours.at(i));
  }
  return "<style>text{font:12px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#222}"
         ".t{font-size:13px;font-weight:600}.bg{fill:#fff}.grid{stroke:#ddd}.frame{fill:none;stroke:#666}"
         ".curve{fill:none;stroke-width:1.8;stroke-linejoin:round}.band{opacity:.18;stroke:none}" +
         light +
         "@media (prefers-color-scheme:dark){text{fill:#ddd}.bg{fill:#16181c}.grid{stroke:#33373d}"
         ".frame{stroke:#888}.band{opacity:.28}" +
         dark + "}</style>\n";
}

// The labels of all panels in the order in which they appear; the index in this list decides how a curve looks.
std::vector<std::string> labels_of(std::span<const Panel> panels) {
  std::vector<std::string> labels;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series)
      if (std::ranges::find(labels, series.label) == labels.end()) labels.push_back(series.label);
  return labels;
}

std::string curve_style(std::size_t index) {
  const std::string dash = dashes.at(index % dashes.size());
  return fmt::format("class=\"curve c{}\"{}", index % colours.size(),
                     dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
}

std::string text_at(double x, double y, const std::string& attributes, const std::string& inside) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, attributes, inside);
}

std::string tick_markup(const Tick& tick) {
  if (tick.exponent.empty()) return escaped(tick.text);
  return fmt::format("{}<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", tick.text, tick.exponent);
}

std::vector<double> all_values(const Panel& panel, std::initializer_list<std::vector<double> Series::*> members) {
  std::vector<double> values;
  for (const Series& series : panel.series)
    for (const auto member : members) values.insert(values.end(), (series.*member).begin(), (series.*member).end());
  return values;
}

// Draws one panel whose upper left corner is the origin.
class PanelWriter {
 public:
  explicit PanelWriter(const Panel& panel)
      : panel_(panel),
        x_(panel.log_x, all_values(panel, {&Series::x})),
        y_(panel.log_y, all_values(panel, {&Series::y, &Series::low, &Series::high})) {}

  std::string write(const std::vector<std::string>& labels) const {
    std::string svg = grid();
    for (const Series& series : panel_.series) svg += band(series, index_of(labels, series.label));
    for (const Series& series : panel_.series) svg += curve(series, index_of(labels, series.label));
    svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, top, plot_width,
                       plot_height);
    return svg + titles();
  }

 private:
  static std::size_t index_of(const std::vector<std::string>& labels, const std::string& label) {
    return static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
  }
  double px(double x) const { return left + plot_width * x_.fraction(x); }
  double py(double y) const { return top + plot_height * (1.0 - y_.fraction(y)); }

  std::string grid() const {
    std::string svg;
    for (const Tick& tick : x_.ticks()) {
      svg += fmt::format("<path class=\"grid\" d=\"M{0:.2f} {1}V{2}\"/>\n", px(tick.value), top, top + plot_height);
      svg += text_at(px(tick.value), top + plot_height + 16.0, " text-anchor=\"middle\"", tick_markup(tick));
    }
    for (const Tick& tick : y_.ticks()) {
      svg += fmt::format("<path class=\"grid\" d=\"M{1} {0:.2f}H{2}\"/>\n", py(tick.value), left, left + plot_width);
      svg += text_at(left - 6.0, py(tick.value) + 4.0, " text-anchor=\"end\"", tick_markup(tick));
    }
    return svg;
  }

  std::string titles() const {
    const double middle_x = left + plot_width / 2.0;
    const double middle_y = top + plot_height / 2.0;
    std::string svg = text_at(middle_x, 19.0, " class=\"t\" text-anchor=\"middle\"", escaped(panel_.title));
    svg += text_at(middle_x, panel_height - 10.0, " text-anchor=\"middle\"", escaped(panel_.x_title));
    const std::string turned = fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1f})\"", middle_y);
    return svg + text_at(14.0, middle_y, turned, escaped(panel_.y_title));
  }

  // The points of a curve that can be shown, thinned.
  std::vector<std::size_t> points(const Series& series) const {
    std::vector<std::size_t> shown;
    std::vector<double> positions;
    std::vector<double> heights;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!x_.can_show(series.x[i]) || !y_.can_show(series.y[i])) continue;
      shown.push_back(i);
      positions.push_back(x_.fraction(series.x[i]));
      heights.push_back(series.y[i]);
    }
    std::vector<std::size_t> drawn;
    for (const std::size_t i : drawn_points(positions, heights)) drawn.push_back(shown[i]);
    return drawn;
  }

  std::string curve(const Series& series, std::size_t index) const {
    std::string path;
    for (const std::size_t i : points(series))
      path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? 'M' : 'L', px(series.x[i]), py(series.y[i]));
    if (path.empty()) return "";
    return fmt::format("<path {} d=\"{}\"><title>{}</title></path>\n", curve_style(index), path, escaped(series.label));
  }

  // What reaches below a logarithmic axis ends at its lower end.
  std::string band(const Series& series, std::size_t index) const {
    if (series.low.size() != series.x.size() || series.high.size() != series.x.size()) return "";
    std::string forth;
    std::string back;
    for (const std::size_t i : points(series)) {
      forth += fmt::format("{}{:.2f} {:.2f}", forth.empty() ? 'M' : 'L', px(series.x[i]), py(series.high[i]));
      back = fmt::format("L{:.2f} {:.2f}", px(series.x[i]), py(series.low[i])) + back;
    }
    if (forth.empty()) return "";
    return fmt::format("<path class=\"band b{}\" d=\"{}{}Z\"/>\n", index % colours.size(), forth, back);
  }

  const Panel& panel_;
  Axis x_;
  Axis y_;
};

double text_width(const std::string& text) {
  const auto letters =
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return letter * static_cast<double>(letters);
}

struct Legend {
  std::string svg;
  double height = 0.0;
};

// Lines of the legend flow below the panels.
Legend legend_of(const std::vector<std::string>& labels, double width) {
  Legend legend;
  double x = left;
  double y = panel_height + legend_row / 2.0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].empty()) continue;
    const double entry = legend_line + 8.0 + text_width(labels[i]) + 18.0;
    if (x > left && x + entry > width) {
      x = left;
      y += legend_row;
    }
    legend.svg += fmt::format("<path {} d=\"M{:.1f} {:.1f}h{}\"/>\n", curve_style(i), x, y, legend_line);
    legend.svg += text_at(x + legend_line + 8.0, y + 4.0, "", escaped(labels[i]));
    x += entry;
    legend.height = y + legend_row - panel_height;
  }
  return legend;
}

std::string description(std::span<const Panel> panels) {
  std::string text;
  for (const Panel& panel : panels)
    text += (text.empty() ? "" : "; ") + (panel.title.empty() ? "" : panel.title + ": ") + panel.y_title + " against " +
            panel.x_title;
  return text;
}

}  // namespace

std::vector<std::size_t> drawn_points(const std::vector<double>& positions, const std::vector<double>& y) {
  std::vector<std::size_t> drawn;
  const std::size_t count = std::min(positions.size(), y.size());
  if (count <= max_points) {
    for (std::size_t i = 0; i < count; ++i) drawn.push_back(i);
    return drawn;
  }
  constexpr auto strips = static_cast<double>(max_points / 2 - 1);
  const auto strip_of = [&](std::size_t i) { return std::min(std::floor(positions[i] * strips), strips - 1.0); };
  drawn.push_back(0);
  for (std::size_t begin = 0; begin < count;) {
    std::size_t least = begin;
    std::size_t most = begin;
    std::size_t end = begin;
    for (; end < count && strip_of(end) == strip_of(begin); ++end) {
      if (y[end] < y[least]) least = end;
      if (y[end] > y[most]) most = end;
    }
    for (const std::size_t i : {std::min(least, most), std::max(least, most)})
      if (i > drawn.back()) drawn.push_back(i);
    begin = end;
  }
  if (drawn.back() != count - 1) drawn.push_back(count - 1);
  return drawn;
}

std::string figure_svg(std::span<const Panel> panels) {
  const std::vector<std::string> labels = labels_of(panels);
  const double width = panel_width * static_cast<double>(std::max<std::size_t>(1, panels.size()));
  const Legend legend = legend_of(labels, width);
  const double height = panel_height + legend.height;
  std::string svg = fmt::format(
      "{4} xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n{3}<rect class=\"bg\" width=\"{0}\" height=\"{1}\"/>\n",
      width, height, escaped(description(panels)), style_sheet(), figure_mark);
  for (std::size_t i = 0; i < panels.size(); ++i)
    svg += fmt::format("<g transform=\"translate({} 0)\">\n{}</g>\n", panel_width * static_cast<double>(i),
                       PanelWriter(panels[i]).write(labels));
  return svg + legend.svg + "</svg>\n";
}

}  // namespace driftless
