// Rate of fedred-gd.
#pragma once

#include "driftless/methods/rate.hpp"

namespace driftless {

RateInfo fedred_gd_rate();

}  // namespace driftless
