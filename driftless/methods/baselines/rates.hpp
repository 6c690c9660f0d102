// Rates of gd, agd and scaffold.
#pragma once

#include "driftless/methods/rate.hpp"

namespace driftless {

RateInfo gd_rate();
RateInfo agd_rate();
RateInfo scaffold_rate();

}  // namespace driftless
