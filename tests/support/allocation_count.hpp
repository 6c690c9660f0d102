// How often this test program asked the heap for memory so far. Sanitizers bring their own allocator, so not under
// them.
#pragma once

#include <cstddef>

namespace driftless::test {

bool allocations_are_counted();
std::size_t allocations();

}  // namespace driftless::test
