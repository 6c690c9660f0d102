// What the terminal at standard error can show: one line that changes, and colour.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driftless {

bool has_terminal();  // standard error is one that can change a line
bool has_colour();    // and the user has not set NO_COLOR

std::size_t terminal_width();  // its columns at this moment
// The columns of the terminal at standard output; unlimited_width of text_table.hpp where there is none.
std::size_t output_width();

// The text as far as it fits into so many columns, with an ellipsis where something is left out. Characters are those
// of UTF-8, of one column each.
std::string fitted(std::string_view text, std::size_t columns);

void show_line(std::string_view text);  // in place of the line that was shown before
void clear_line();

// The first word of an error or a warning, in colour where the terminal has it: "error: …", "warning: …".
std::string coloured_head(std::string text);

}  // namespace driftless
