// Memory in large pages where the system has them: the first write to each small page of a big array costs more than
// what is written.
#pragma once

#include <vector>

namespace driftless {

// A wish; nothing happens where it cannot be granted.
void prefer_huge_pages(const void* start, std::size_t bytes);

// Room for so many elements, of which none need be there yet.
template <class T>
void reserve_in_huge_pages(std::vector<T>& all, std::size_t count) {
  all.reserve(count);
  prefer_huge_pages(all.data(), all.capacity() * sizeof(T));
}

}  // namespace driftless
