// Text in the standard fonts of PDF: Latin letters in Helvetica, Greek and mathematics in Symbol.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class PdfFont { helvetica, symbol };

// Letters of one font. Digits that are raised or lowered in Unicode (x⁰, f₀) are smaller ones at another height.
struct PdfRun {
  PdfFont font = PdfFont::helvetica;
  double scale = 1.0;  // of the size
  double rise = 0.0;   // in sizes
  std::string bytes;   // in the encoding of the font: WinAnsi, or Symbol's own
  double width = 0.0;  // in sizes, scaled
};

// What none of the fonts has is shown as '?'.
std::vector<PdfRun> pdf_runs(std::string_view utf8);

double pdf_width(std::string_view utf8);  // in sizes

}  // namespace driftless
