// Rate of scaffnew.
#pragma once

#include "driftless/methods/rate.hpp"

namespace driftless {

RateInfo scaffnew_rate();

}  // namespace driftless
