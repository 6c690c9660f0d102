// DRIFTLESS_ASSERT: a broken invariant of this program, never a user's mistake. Always on: the checks sit outside hot
// loops.
#pragma once

#include <stdexcept>
#include <string>

namespace driftless {

// Reported as an internal error (exit 6).
struct BrokenInvariant : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace driftless

#define DRIFTLESS_ASSERT(condition, message)                                                          \
  do {                                                                                                \
    if (!(condition)) throw ::driftless::BrokenInvariant(std::string(message) + " [" #condition "]"); \
  } while (false)
