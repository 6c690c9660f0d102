// What a figure is drawn on: SVG or PDF. Lengths are in units of the figure, y grows downwards.
#pragma once

#include "driftless/report/line_style.hpp"

#include <memory>
#include <span>
#include <string>

namespace driftless {

enum class Align { start, middle, end };

struct FigureText {
  Point at;
  std::string text;
  std::string exponent;  // raised, after the text
  Align align = Align::start;
  double size = 12.0;
  bool bold = false;
  bool turned = false;  // reads upwards
};

class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  virtual ~Canvas() = default;

  virtual void begin_group(Point origin) = 0;  // what follows is drawn relative to it
  virtual void end_group() = 0;
  virtual void grid_line(Point from, Point to) = 0;
  virtual void frame(Point corner, double width, double height) = 0;
  virtual void curve(std::span<const Point> points, std::size_t style, const std::string& label) = 0;
  virtual void mark(Point at, std::size_t style) = 0;
  virtual void band(std::span<const Point> outline, std::size_t style) = 0;
  virtual void text(const FigureText& text) = 0;
  virtual std::string bytes() const = 0;  // of the whole file
};

struct CanvasSize {
  double width = 0.0;  // in units
  double height = 0.0;
  double unit = 0.0;  // in points of 1/72 inch; 0: a pixel of the screen
};

std::unique_ptr<Canvas> svg_canvas(const CanvasSize& size, const std::string& description);
std::unique_ptr<Canvas> pdf_canvas(const CanvasSize& size);

}  // namespace driftless
