// Counts the memory allocations of the calling thread, so that "no allocation" is checked and not promised.
#pragma once

#include <cstddef>

namespace driftless::test {

// False where a sanitizer owns malloc and nothing can be counted.
bool allocations_are_counted();
std::size_t allocations();  // of this thread since it began

}  // namespace driftless::test
