// Whether the data of several clients can have the same columns.
#pragma once

#include "driftless/core/vector.hpp"

#include <span>
#include <string>

namespace driftless {

struct ColumnCount {
  std::string owner;  // a file, a client or a site
  Index columns = 0;
};

// DataError where the numbers differ. Silos that encode categories on their own differ in their columns: the model of
// columns of unlike meaning would be worthless, and nothing else would tell.
void require_equal_columns(std::span<const ColumnCount> counts);

}  // namespace driftless
