// How many threads are worth starting to read so many bytes of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>

namespace driftless {

// `wanted`, or where that is 0 one per core, but none for less than a MiB.
inline std::size_t reading_threads(std::size_t bytes, std::size_t wanted) {
  if (wanted > 0) return wanted;
  constexpr std::size_t worth_a_thread = std::size_t{1} << 20;
  return std::clamp<std::size_t>(bytes / worth_a_thread, 1, std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace driftless
