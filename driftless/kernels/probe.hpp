// What this machine can do at best, for comparison: loops that only read, and loops that only multiply and add.
#pragma once

#include <cstddef>
#include <span>

namespace driftless {

// Reads every number once.
double probe_reading(std::span<const double> numbers);

// Multiplies and adds within registers, by fused instructions where the processor has them, and says how many floating
// point operations that were.
std::size_t probe_arithmetic(std::size_t steps, double& result);

}  // namespace driftless
