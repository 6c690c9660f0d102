// Plain text in aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

using TextLines = std::vector<std::vector<std::string>>;

// No limit: output that is not read on a terminal has one line for each row, so that other programs can read it.
inline constexpr std::size_t unlimited_width = 0;

// The first line is the heading. The first column and those in `left` are aligned to the left, the others to the right.
// A table wider than `width` has its heading wrapped, then the texts of its last columns that are aligned to the left,
// or these are placed below their row; without such columns all cells are wrapped.
std::string aligned(const TextLines& lines, const std::vector<std::size_t>& left_columns = {0},
                    std::size_t width = unlimited_width);

// The words of a text in lines of at most so many characters; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// Markdown as a reader at a terminal wants it: tables aligned, paragraphs wrapped, without marks.
std::string markdown_as_text(std::string_view markdown, std::size_t width = unlimited_width);

std::string bytes_text(double bytes);  // "18.3 MB"

}  // namespace driftless
