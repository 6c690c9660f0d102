// Rates of the accelerated methods with a delegate, spag and aegs.
#pragma once

#include "driftless/methods/rate.hpp"

namespace driftless {

RateInfo spag_rate();
RateInfo aegs_rate();

}  // namespace driftless
