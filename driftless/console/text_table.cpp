#include "driftless/console/text_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace driftless {
namespace {

constexpr std::size_t column_gap = 2;
constexpr std::size_t below_indent = 4;
constexpr std::size_t narrowest_text = 28;  // a wrapped column is at least so wide

// Characters as a terminal counts them, for text without combining or wide ones: all bytes but the continuations of
// UTF-8.
std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void append_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

class TableWriter {
 public:
  TableWriter(const TextLines& lines, const std::vector<std::size_t>& left_columns) : lines_(lines) {
    for (const auto& line : lines) {
      widths_.resize(std::max(widths_.size(), line.size()));
      for (std::size_t c = 0; c < line.size(); ++c) widths_[c] = std::max(widths_[c], shown_width(line[c]));
    }
    for (std::size_t c = 0; c < widths_.size(); ++c)
      left_.push_back(std::ranges::find(left_columns, c) != left_columns.end());
    texts_ = widths_.size();
    while (texts_ > 1 && left_[texts_ - 1]) --texts_;
  }

  std::string write(std::size_t width) const {
    const std::size_t columns = widths_.size();
    if (width == unlimited_width || total(widths_, columns) <= width) return written(widths_, columns);
    const Widths narrow = narrowed(width, 1);
    if (total(narrow, columns) <= width) return written(narrow, columns);
    if (texts_ == columns || total(narrow, texts_) > width) return written(narrowed(width, lines_.size()), columns);
    const std::size_t rest = total(narrow, texts_) + column_gap * (columns - texts_);
    const std::size_t room = width > rest ? width - rest : 0;
    if (room < narrowest_text * (columns - texts_)) return texts_below(narrow, width);
    return written(with_narrower_texts(narrow, room), columns);
  }

 private:
  using Widths = std::vector<std::size_t>;

  static std::size_t total(const Widths& widths, std::size_t columns) {
    return std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(columns), std::size_t{0}) +
           column_gap * (columns == 0 ? 0 : columns - 1);
  }

  // As narrow as is needed and possible where the cells of the first so many lines are wrapped: of the heading, or of
  // all. A column remains as wide as its longest word, or its widest cell that is not wrapped.
  Widths narrowed(std::size_t width, std::size_t wrapped_lines) const {
    Widths least(widths_.size(), 0);
    for (std::size_t l = 0; l < lines_.size(); ++l)
      for (std::size_t c = 0; c < lines_[l].size(); ++c)
        for (const std::string& piece : l < wrapped_lines ? wrapped(lines_[l][c], 1) : std::vector{lines_[l][c]})
          least[c] = std::max(least[c], shown_width(piece));
    Widths widths = widths_;
    while (total(widths, widths.size()) > width) {
      std::size_t widest = 0;
      for (std::size_t c = 1; c < widths.size(); ++c)
        if (widths[c] - least[c] > widths[widest] - least[widest]) widest = c;
      if (widths[widest] == least[widest]) break;
      --widths[widest];
    }
    return widths;
  }

  // The widest text becomes narrower first.
  Widths with_narrower_texts(Widths widths, std::size_t room) const {
    const auto texts = widths.begin() + static_cast<std::ptrdiff_t>(texts_);
    while (std::accumulate(texts, widths.end(), std::size_t{0}) > room) --*std::max_element(texts, widths.end());
    return widths;
  }

  std::string cell(const std::string& text, std::size_t column, std::size_t width) const {
    const std::size_t shown = shown_width(text);
    const std::string padding(width > shown ? width - shown : 0, ' ');
    return left_[column] ? text + padding : padding + text;
  }

  // The first columns of a line; cells wider than their column are wrapped.
  std::string row_of(const std::vector<std::string>& line, const Widths& widths, std::size_t columns) const {
    TextLines cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < std::min(columns, line.size()); ++c) {
      const bool fits = shown_width(line[c]) <= widths[c];
      cells.push_back(fits ? std::vector{line[c]} : wrapped(line[c], widths[c]));
      height = std::max(height, cells.back().size());
    }
    std::string text;
    for (std::size_t k = 0; k < height; ++k) {
      std::string row;
      for (std::size_t c = 0; c < cells.size(); ++c)
        row += std::string(c == 0 ? 0 : column_gap, ' ') + cell(k < cells[c].size() ? cells[c][k] : "", c, widths[c]);
      append_line(text, std::move(row));
    }
    return text;
  }

  std::string written(const Widths& widths, std::size_t columns) const {
    std::string text;
    for (const auto& line : lines_) text += row_of(line, widths, columns);
    return text;
  }

  std::string texts_below(const Widths& widths, std::size_t width) const {
    std::string text;
    for (const auto& line : lines_) {
      text += row_of(line, widths, texts_);
      std::string below;
      for (std::size_t c = texts_; c < line.size(); ++c)
        if (!line[c].empty()) below += (below.empty() ? "" : "; ") + line[c];
      if (below.empty()) continue;
      for (const std::string& piece : wrapped(below, width - std::min(width / 2, below_indent)))
        append_line(text, std::string(below_indent, ' ') + piece);
    }
    return text;
  }

  const TextLines& lines_;
  std::vector<std::size_t> widths_;
  std::vector<bool> left_;
  std::size_t texts_ = 0;  // the first of the last columns that are aligned to the left
};

}  // namespace

std::string aligned(const TextLines& lines, const std::vector<std::size_t>& left_columns, std::size_t width) {
  return TableWriter(lines, left_columns).write(width);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!line.empty() && width != unlimited_width && shown_width(line) + 1 + shown_width(word) > width)
      lines.push_back(std::exchange(line, {}));
    line += (line.empty() ? "" : " ") + std::string(word);
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace driftless
