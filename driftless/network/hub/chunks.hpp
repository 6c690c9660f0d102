// Rows travel in chunks: while one chunk of all rows is added, the next one is on its way, so that the server never
// holds whole rows. Both ends divide rows in the same way.
#pragma once

#include <algorithm>
#include <cstddef>

namespace driftless {

struct Chunks {
  static constexpr std::size_t entries = 8192;

  std::size_t width = 0;  // of what is divided

  std::size_t count() const { return (width + entries - 1) / entries; }
  std::size_t first(std::size_t index) const { return index * entries; }
  std::size_t size(std::size_t index) const { return std::min(entries, width - first(index)); }
};

}  // namespace driftless
