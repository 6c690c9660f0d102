#include "tests/support/allocations.hpp"

#include <cstdlib>

namespace driftless::test {
namespace {

thread_local std::size_t count = 0;

}  // namespace

std::size_t allocations() { return count; }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

bool allocations_are_counted() { return false; }

#else

bool allocations_are_counted() { return true; }

void count_allocation() { ++count; }

#endif

}  // namespace driftless::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// Both operator new and Eigen end here: the program's malloc takes the place of the C library's, which does the work.
extern "C" void* __libc_malloc(std::size_t size);

extern "C" void* malloc(std::size_t size) {
  driftless::test::count_allocation();
  return __libc_malloc(size);
}

#endif
