// Which column of a table is wanted, and what its cells are.
#pragma once

#include "driftless/data/tables/table.hpp"

#include <string>

namespace driftless {

struct ColumnRequest {
  std::string name;
  CellType type = CellType::number;
  bool required = true;  // DataError where the header lacks it; otherwise the column is left out
};

}  // namespace driftless
