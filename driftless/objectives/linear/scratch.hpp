// Space for numbers that live for one call. One per thread and purpose: clients need none of their own, and a warm call
// allocates nothing.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace driftless {

template <class Purpose>
std::span<double> scratch(std::size_t count) {
  thread_local std::vector<double> space;
  if (space.size() < count) space.resize(count);
  return {space.data(), count};
}

}  // namespace driftless
