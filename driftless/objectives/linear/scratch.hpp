// Scratch space for the duration of one call, one array per thread and purpose: clients need none of their own, and
// only the first calls allocate.
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
