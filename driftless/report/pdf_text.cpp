#include "driftless/report/pdf_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace driftless {
namespace {

// Widths in thousandths of the size, from Adobe's font metrics of Helvetica: ' ' to '~', then U+00A0 to U+00FF.
constexpr std::array<int, 95> ascii_widths{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr std::array<int, 96> latin_widths{
    278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333, 400, 584, 333,  333,
    333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611, 667, 667, 667, 667, 667, 667, 1000, 722,
    667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722,  722,
    722, 667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278,  278,
    556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500};

struct Glyph {
  char32_t letter;
  PdfFont font;
  std::uint8_t code;
  int width;
};

constexpr Glyph in_symbol(char32_t letter, int code, int width) {
  return {letter, PdfFont::symbol, static_cast<std::uint8_t>(code), width};
}
constexpr Glyph in_helvetica(char32_t letter, int code, int width) {
  return {letter, PdfFont::helvetica, static_cast<std::uint8_t>(code), width};
}

constexpr std::array glyphs{
    in_symbol(U'Α', 'A', 722),     in_symbol(U'Β', 'B', 667),      in_symbol(U'Γ', 'G', 603),
    in_symbol(U'Δ', 'D', 612),     in_symbol(U'Ε', 'E', 611),      in_symbol(U'Ζ', 'Z', 611),
    in_symbol(U'Η', 'H', 722),     in_symbol(U'Θ', 'Q', 741),      in_symbol(U'Ι', 'I', 333),
    in_symbol(U'Κ', 'K', 722),     in_symbol(U'Λ', 'L', 686),      in_symbol(U'Μ', 'M', 889),
    in_symbol(U'Ν', 'N', 722),     in_symbol(U'Ξ', 'X', 645),      in_symbol(U'Ο', 'O', 722),
    in_symbol(U'Π', 'P', 768),     in_symbol(U'Ρ', 'R', 556),      in_symbol(U'Σ', 'S', 592),
    in_symbol(U'Τ', 'T', 611),     in_symbol(U'Υ', 'U', 690),      in_symbol(U'Φ', 'F', 763),
    in_symbol(U'Χ', 'C', 722),     in_symbol(U'Ψ', 'Y', 795),      in_symbol(U'Ω', 'W', 768),
    in_symbol(U'α', 'a', 631),     in_symbol(U'β', 'b', 549),      in_symbol(U'γ', 'g', 411),
    in_symbol(U'δ', 'd', 494),     in_symbol(U'ε', 'e', 439),      in_symbol(U'ζ', 'z', 494),
    in_symbol(U'η', 'h', 603),     in_symbol(U'θ', 'q', 521),      in_symbol(U'ι', 'i', 329),
    in_symbol(U'κ', 'k', 549),     in_symbol(U'λ', 'l', 549),      in_symbol(U'μ', 'm', 576),
    in_symbol(U'ν', 'n', 521),     in_symbol(U'ξ', 'x', 493),      in_symbol(U'ο', 'o', 549),
    in_symbol(U'π', 'p', 549),     in_symbol(U'ρ', 'r', 549),      in_symbol(U'ς', 'V', 439),
    in_symbol(U'σ', 's', 603),     in_symbol(U'τ', 't', 439),      in_symbol(U'υ', 'u', 576),
    in_symbol(U'φ', 'f', 521),     in_symbol(U'χ', 'c', 549),      in_symbol(U'ψ', 'y', 686),
    in_symbol(U'ω', 'w', 686),     in_symbol(U'ϕ', 'j', 603),      in_symbol(U'ϑ', 'J', 631),
    in_symbol(U'−', 0x2D, 549),    in_symbol(U'∇', 0xD1, 713),     in_symbol(U'≤', 0xA3, 549),
    in_symbol(U'≥', 0xB3, 549),    in_symbol(U'∞', 0xA5, 713),     in_symbol(U'≈', 0xBB, 549),
    in_symbol(U'≠', 0xB9, 549),    in_symbol(U'∈', 0xCE, 713),     in_symbol(U'∑', 0xE5, 713),
    in_symbol(U'√', 0xD6, 549),    in_symbol(U'∂', 0xB6, 494),     in_symbol(U'→', 0xAE, 987),
    in_symbol(U'∝', 0xB5, 713),    in_helvetica(U'–', 0x96, 556),  in_helvetica(U'—', 0x97, 1000),
    in_helvetica(U'‘', 0x91, 222), in_helvetica(U'’', 0x92, 222),  in_helvetica(U'“', 0x93, 333),
    in_helvetica(U'”', 0x94, 333), in_helvetica(U'…', 0x85, 1000), in_helvetica(U'•', 0x95, 350),
    in_helvetica(U'€', 0x80, 556)};

// The code point at this position, which moves past it; '?' for bytes that are not UTF-8.
char32_t next_letter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at++);
  if (first < 0x80U) return first;
  const std::size_t more = first >= 0xF0U ? 3 : first >= 0xE0U ? 2 : first >= 0xC0U ? 1 : 0;
  char32_t letter = first & (0x3FU >> more);
  std::size_t read = 0;
  for (; read < more && at < text.size() && (byte(at) & 0xC0U) == 0x80U; ++read)
    letter = (letter << 6U) | (byte(at++) & 0x3FU);
  return more > 0 && read == more ? letter : U'?';
}

Glyph glyph_of(char32_t letter) {
  if (letter >= 0x20 && letter <= 0x7E)
    return in_helvetica(letter, static_cast<int>(letter), ascii_widths.at(letter - 0x20));
  if (letter >= 0xA0 && letter <= 0xFF)
    return in_helvetica(letter, static_cast<int>(letter), latin_widths.at(letter - 0xA0));
  const auto found = std::ranges::find(glyphs, letter, &Glyph::letter);
  return found != glyphs.end() ? *found : in_helvetica(U'?', '?', 556);
}

struct Height {
  char32_t letter;
  double scale;
  double rise;
};

// The ordinary letter of a raised or lowered one.
Height height_of(char32_t letter) {
  constexpr double small = 0.7;
  if (letter == U'⁰' || (letter >= U'⁴' && letter <= U'⁹')) return {U'0' + (letter - U'⁰'), small, 0.35};
  if (letter == U'⁻') return {U'−', small, 0.35};
  if (letter >= U'₀' && letter <= U'₉') return {U'0' + (letter - U'₀'), small, -0.2};
  return {letter, 1.0, 0.0};
}

void append_letter(std::vector<PdfRun>& runs, char32_t letter) {
  const Height height = height_of(letter);
  const Glyph glyph = glyph_of(height.letter);
  const bool fits = !runs.empty() && runs.back().font == glyph.font && runs.back().scale == height.scale &&
                    runs.back().rise == height.rise;
  if (!fits)
    runs.push_back({.font = glyph.font, .scale = height.scale, .rise = height.rise, .bytes = "", .width = 0.0});
  runs.back().bytes += static_cast<char>(glyph.code);
  runs.back().width += height.scale * glyph.width / 1000.0;
}

}  // namespace

std::vector<PdfRun> pdf_runs(std::string_view utf8) {
  std::vector<PdfRun> runs;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t letter = next_letter(utf8, at);
    // The fonts have no double bar: two bars.
    if (letter == U'‖') append_letter(runs, U'|');
    append_letter(runs, letter == U'‖' ? U'|' : letter);
  }
  return runs;
}

double pdf_width(std::string_view utf8) {
  double width = 0.0;
  for (const PdfRun& run : pdf_runs(utf8)) width += run.width;
  return width;
}

}  // namespace driftless
