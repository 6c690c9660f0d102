// Memory in large pages where the system supports them: the first write to each small page of a large array costs more
// than the write itself.
#pragma once

#include <vector>

namespace driftless {

// A request; without effect where the system does not support it.
void prefer_huge_pages(const void* start, std::size_t bytes);

// Reserves memory for so many elements.
template <class T>
void reserve_in_huge_pages(std::vector<T>& all, std::size_t count) {
  all.reserve(count);
  prefer_huge_pages(all.data(), all.capacity() * sizeof(T));
}

}  // namespace driftless
