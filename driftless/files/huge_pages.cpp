#include "driftless/files/huge_pages.hpp"

#include <cstdint>
#include <sys/mman.h>

namespace driftless {

void prefer_huge_pages([[maybe_unused]] const void* start, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto first = reinterpret_cast<std::uintptr_t>(start);
  const std::uintptr_t from = (first + page - 1) / page * page;
  const std::uintptr_t to = (first + bytes) / page * page;
  if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
}

}  // namespace driftless
