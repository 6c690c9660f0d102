#include "driftless/report/canvas.hpp"
#include "driftless/report/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

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
  for (std::size_t i = 0; i < line_colours.size(); ++i) {
    light += fmt::format(".c{0}{{stroke:{1}}}.b{0}{{fill:{1}}}", i, line_colours.at(i));
    dark += fmt::format(".c{0}{{stroke:{1}}}.b{0}{{fill:{1}}}", i, dark_line_colours.at(i));
  }
  return "<style>text{font:12px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#222}"
         ".t{font-weight:600}.bg{fill:#fff}.grid{stroke:#ddd}.frame{fill:none;stroke:#666}"
         ".curve{fill:none;stroke-width:1.8;stroke-linejoin:round}.band{opacity:.18;stroke:none}.mark{stroke:none}" +
         light +
         "@media (prefers-color-scheme:dark){text{fill:#ddd}.bg{fill:#16181c}.grid{stroke:#33373d}"
         ".frame{stroke:#888}.band{opacity:.28}" +
         dark + "}</style>\n";
}

std::string svg_path(std::span<const Point> points) {
  std::string path;
  for (const Point& p : points) path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? 'M' : 'L', p.x, p.y);
  return path;
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(const CanvasSize& size, const std::string& description) {
    const auto length = [&](double units) {
      return size.unit > 0.0 ? fmt::format("{:.2f}pt", units * size.unit) : fmt::format("{}", units);
    };
    svg_ = fmt::format(
        "{} xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {:g} {:g}\" role=\"img\">\n"
        "<title>{}</title>\n{}<rect class=\"bg\" width=\"{:g}\" height=\"{:g}\"/>\n",
        figure_mark, length(size.width), length(size.height), size.width, size.height, escaped(description),
        style_sheet(), size.width, size.height);
  }

  void begin_group(Point origin) override {
    svg_ += fmt::format("<g transform=\"translate({:g} {:g})\">\n", origin.x, origin.y);
  }
  void end_group() override { svg_ += "</g>\n"; }

  void grid_line(Point from, Point to) override {
    svg_ += fmt::format("<path class=\"grid\" d=\"{}\"/>\n", svg_path(std::array{from, to}));
  }

  void frame(Point corner, double width, double height) override {
    svg_ += fmt::format("<rect class=\"frame\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/>\n", corner.x,
                        corner.y, width, height);
  }

  void curve(std::span<const Point> points, std::size_t style, const std::string& label) override {
    const LineStyle look = line_style(style);
    const std::string dash =
        look.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", fmt::join(look.dashes, " "));
    const std::string title = label.empty() ? "" : "<title>" + escaped(label) + "</title>";
    svg_ += fmt::format("<path class=\"curve c{}\"{} d=\"{}\">{}</path>\n", look.colour, dash, svg_path(points), title);
  }

  void mark(Point at, std::size_t style) override {
    const LineStyle look = line_style(style);
    svg_ += fmt::format("<path class=\"mark b{} {}\" d=\"{}Z\"/>\n", look.colour, marker_name(look.marker),
                        svg_path(marker_outline(look.marker, at)));
  }

  void band(std::span<const Point> outline, std::size_t style) override {
    svg_ += fmt::format("<path class=\"band b{}\" d=\"{}Z\"/>\n", line_style(style).colour, svg_path(outline));
  }

  void text(const FigureText& text) override {
    constexpr std::array<std::string_view, 3> anchors{"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    std::string attributes(anchors.at(static_cast<std::size_t>(text.align)));
    if (text.bold) attributes = " class=\"t\"" + attributes;
    if (text.size != 12.0) attributes += fmt::format(" style=\"font-size:{:.4g}px\"", text.size);
    if (text.turned) attributes += fmt::format(" transform=\"rotate(-90 {:g} {:.1f})\"", text.at.x, text.at.y);
    std::string inside = escaped(text.text);
    if (!text.exponent.empty())
      inside += fmt::format("<tspan dy=\"-5\" style=\"font-size:{:.4g}px\">{}</tspan>", 0.75 * text.size,
                            escaped(text.exponent));
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", text.at.x, text.at.y, attributes, inside);
  }

  std::string bytes() const override { return svg_ + "</svg>\n"; }

 private:
  std::string svg_;
};

}  // namespace

std::unique_ptr<Canvas> svg_canvas(const CanvasSize& size, const std::string& description) {
  return std::make_unique<SvgCanvas>(size, description);
}

}  // namespace driftless
