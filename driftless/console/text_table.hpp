// Plain text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace driftless {

// The first line is the heading. The first column and those in `left` are aligned to the left, the others to the right.
std::string aligned(const std::vector<std::vector<std::string>>& lines,
                    const std::vector<std::size_t>& left_columns = {0});

std::string bytes_text(double bytes);  // "18.3 MB"

}  // namespace driftless
