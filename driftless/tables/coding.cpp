#include "driftless/tables/coding.hpp"

namespace driftless {

std::vector<std::string> variable_names(const Coding& coding) {
  std::vector<std::string> names;
  for (const CodedColumn& column : coding.columns) {
    if (column.role != ColumnRole::categorical) names.push_back(column.name);
    else
      for (std::size_t level = 1; level < column.levels.size(); ++level)
        names.push_back(column.name + "=" + column.levels[level]);
    if (column.indicator) names.push_back(column.name + " (missing)");
  }
  return names;
}

}  // namespace driftless
