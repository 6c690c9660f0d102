// The instruction sets for which kernels were compiled. Every kernel gives the same bits with each of them: none fuses
// a multiplication with an addition, and sums have a fixed number of lanes. Choosing one by hand serves comparisons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace driftless {

std::string simd_in_use();
std::vector<std::string> simd_choices();  // what this processor can run, the best first
// ConfigError if this processor cannot run it. Not while kernels run in other threads.
void choose_simd(std::string_view name);

}  // namespace driftless
