// Rate of feddyn.
#pragma once

#include "driftless/methods/rate.hpp"

namespace driftless {

RateInfo feddyn_rate();

}  // namespace driftless
