// PDF 1.4 with vector operators and the standard fonts. Nothing in it depends on the time or the machine.
#include "driftless/report/canvas.hpp"
#include "driftless/report/figure.hpp"
#include "driftless/report/pdf_text.hpp"

#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

// "0.8 0.1 0" for "#cc1900": the operands of a colour.
std::string colour_operands(std::string_view colour) {
  std::string operands;
  for (std::size_t at = 1; at + 1 < colour.size(); at += 2) {
    int part = 0;
    std::from_chars(colour.data() + at, colour.data() + at + 2, part, 16);
    operands += fmt::format("{}{:.3f}", operands.empty() ? "" : " ", part / 255.0);
  }
  return operands;
}

std::string pdf_path(std::span<const Point> points) {
  std::string path;
  for (const Point& p : points) path += fmt::format("{:.2f} {:.2f} {}\n", p.x, p.y, path.empty() ? 'm' : 'l');
  return path;
}

std::string pdf_string(const std::string& bytes) {
  std::string text = "(";
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '(' || c == ')' || c == '\\') text += std::string("\\") + c;
    else if (code < 0x20U || code > 0x7EU) text += fmt::format("\\{:03o}", code);
    else text += c;
  }
  return text + ")";
}

std::string stream_object(const std::string& content) {
  return fmt::format("<< /Length {} >>\nstream\n{}\nendstream", content.size(), content);
}

std::string font_object(std::string_view name, std::string_view encoding) {
  return fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{}{} >>", name, encoding);
}

// The file of these objects, which are numbered from 1; the first one is the catalogue.
std::string file_of(const std::vector<std::string>& objects) {
  std::string file = std::string(pdf_figure_mark) + "%\xE2\xE3\xCF\xD3\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return file + table +
         fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", objects.size() + 1, file.size());
}

class PdfCanvas final : public Canvas {
 public:
  explicit PdfCanvas(const CanvasSize& size) : size_(size) {
    constexpr double points_of_pixel = 0.75;
    if (size_.unit <= 0.0) size_.unit = points_of_pixel;
    // y grows downwards from here on, as in SVG; letters are turned back by their text matrix.
    content_ =
        fmt::format("{0:.5g} 0 0 {1:.5g} 0 {2:.3f} cm\n1 j\n", size_.unit, -size_.unit, size_.height * size_.unit);
  }

  void begin_group(Point origin) override {
    content_ += fmt::format("q 1 0 0 1 {:.2f} {:.2f} cm\n", origin.x, origin.y);
  }
  void end_group() override { content_ += "Q\n"; }

  void grid_line(Point from, Point to) override {
    content_ += "0.867 G 1 w [] 0 d\n" + pdf_path(std::array{from, to}) + "S\n";
  }

  void frame(Point corner, double width, double height) override {
    content_ += fmt::format("0.4 G 1 w [] 0 d\n{:.2f} {:.2f} {:.2f} {:.2f} re S\n", corner.x, corner.y, width, height);
  }

  void curve(std::span<const Point> points, std::size_t style, const std::string&) override {
    const LineStyle look = line_style(style);
    content_ += fmt::format("{} RG 1.8 w [{}] 0 d\n{}S\n", colour_operands(line_colours.at(look.colour)),
                            fmt::join(look.dashes, " "), pdf_path(points));
  }

  void mark(Point at, std::size_t style) override {
    const LineStyle look = line_style(style);
    content_ += fmt::format("{} rg\n{}f\n", colour_operands(line_colours.at(look.colour)),
                            pdf_path(marker_outline(look.marker, at)));
  }

  void band(std::span<const Point> outline, std::size_t style) override {
    content_ += fmt::format("q /Band gs {} rg\n{}f\nQ\n", colour_operands(line_colours.at(line_style(style).colour)),
                            pdf_path(outline));
  }

  void text(const FigureText& text) override {
    constexpr double exponent_scale = 0.75;
    const double width = pdf_width(text.text) + exponent_scale * pdf_width(text.exponent);
    const double before = text.align == Align::start ? 0.0 : text.align == Align::middle ? width / 2.0 : width;
    const Point from = text.turned ? Point{text.at.x, text.at.y + before * text.size}
                                   : Point{text.at.x - before * text.size, text.at.y};
    content_ += fmt::format("BT 0.133 g {} {:.2f} {:.2f} Tm\n", text.turned ? "0 -1 -1 0" : "1 0 0 -1", from.x, from.y);
    show(text.text, text.size, 0.0, text.bold);
    show(text.exponent, exponent_scale * text.size, 0.4 * text.size, text.bold);
    content_ += "ET\n";
  }

  std::string bytes() const override {
    const std::string page = fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.3f} {:.3f}] /Contents 4 0 R "
                                         "/Resources << /Font << /Plain 5 0 R "
                                         "/Bold 6 0 R /Symbol 7 0 R >> /ExtGState << /Band 8 0 R >> >> >>",
                                         size_.width * size_.unit, size_.height * size_.unit);
    return file_of({"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page,
                    stream_object(content_), font_object("Helvetica", " /Encoding /WinAnsiEncoding"),
                    font_object("Helvetica-Bold", " /Encoding /WinAnsiEncoding"), font_object("Symbol", ""),
                    "<< /Type /ExtGState /ca 0.18 >>"});
  }

 private:
  void show(const std::string& text, double size, double rise, bool bold) {
    for (const PdfRun& run : pdf_runs(text)) {
      const std::string_view font = run.font == PdfFont::symbol ? "Symbol" : bold ? "Bold" : "Plain";
      content_ += fmt::format("/{} {:.2f} Tf {:.2f} Ts {} Tj\n", font, run.scale * size, rise + run.rise * size,
                              pdf_string(run.bytes));
    }
  }

  CanvasSize size_;
  std::string content_;
};

}  // namespace

std::unique_ptr<Canvas> pdf_canvas(const CanvasSize& size) { return std::make_unique<PdfCanvas>(size); }

}  // namespace driftless
