// How the columns of a table become the variables of a model. The coding is found once over all sites and is part of
// the model: predictions on new tables use the same one.
#pragma once

#include "driftless/data/tables/schema.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

// One column of the schema as variables. A numeric or ordinal column is one variable, (value − center)/scale, where the
// value of an ordinal cell is the index of its level. A categorical column is one 0/1 variable for each level but the
// first. A column with an indicator has one more 0/1 variable, which is 1 where the cell is missing.
struct CodedColumn {
  static constexpr std::string_view other = "(other)";  // the level of rare and of unknown texts

  std::string name;
  ColumnRole role = ColumnRole::numeric;
  MissingRule missing = MissingRule::impute;
  double center = 0.0;
  double scale = 1.0;
  double fill = 0.0;                // of a missing cell of a number, before centring; of a level, its index
  std::vector<std::string> levels;  // of categorical and ordinal columns; `other` is the last one where it occurs
  bool indicator = false;

  std::size_t variables() const {
    const std::size_t own = role == ColumnRole::categorical ? (levels.empty() ? 0 : levels.size() - 1) : 1;
    return own + (indicator ? 1 : 0);
  }
};

struct Coding {
  std::vector<CodedColumn> columns;  // in the order of the schema
  std::string label;
  std::vector<std::string> classes;  // of a label with classes: class 0 is negative, or the reference
  std::string weight;                // names of columns; empty: none
  std::string offset;
  std::string schema_digest;
  CsvFormat format;

  std::size_t variables() const {
    std::size_t count = 0;
    for (const CodedColumn& column : columns) count += column.variables();
    return count;
  }
};

// The names of all variables in their order: "age", "sex=male", "bmi (missing)".
std::vector<std::string> variable_names(const Coding& coding);

}  // namespace driftless
