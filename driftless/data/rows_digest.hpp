// Digest of the rows of a data set that never was a text.
#pragma once

#include "driftless/data/dataset.hpp"

#include <string>

namespace driftless {

std::string digest_of_rows(const Dataset& data);  // over dimension, rows and labels

}  // namespace driftless
