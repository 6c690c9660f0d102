#include "tests/support/allocation_count.hpp"

#include <atomic>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define DRIFTLESS_COUNTS_ALLOCATIONS 0
#else
#define DRIFTLESS_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<std::size_t> count{0};
}  // namespace

#if DRIFTLESS_COUNTS_ALLOCATIONS
// Eigen and operator new both end in malloc, and the program's own definition comes before the C library's.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif

namespace driftless::test {

bool allocations_are_counted() { return DRIFTLESS_COUNTS_ALLOCATIONS != 0; }
std::size_t allocations() { return count.load(std::memory_order_relaxed); }

}  // namespace driftless::test
