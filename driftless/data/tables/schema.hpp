// What the columns of the tables of a federation mean. All sites share one schema file, so that their rows become the
// same variables; its digest is compared before a run.
#pragma once

#include "driftless/data/tables/csv_format.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class ColumnRole { label, numeric, categorical, ordinal, weight, offset, id, ignored };
inline constexpr std::array<std::string_view, 8> column_role_names{"label",  "numeric", "categorical", "ordinal",
                                                                   "weight", "offset",  "id",          "ignored"};

enum class MissingRule {
  impute,  // the mean of all sites, or the most frequent level, and a variable that says so
  drop     // the row is left out and counted
};
inline constexpr std::array<std::string_view, 2> missing_rule_names{"impute", "drop"};

struct SchemaColumn {
  std::string name;
  ColumnRole role = ColumnRole::ignored;
  // Of an ordinal column, all levels in their order. Of a categorical one, all levels, the first is the reference;
  // empty: those that occur at any site, in the order of their bytes. Of a label with classes, all of them: the first
  // is the negative or reference class; empty: a number, or the two or more texts that occur.
  std::vector<std::string> levels;
  MissingRule missing = MissingRule::impute;

  bool is_variable() const {
    return role == ColumnRole::numeric || role == ColumnRole::categorical || role == ColumnRole::ordinal;
  }
};

struct Schema {
  std::vector<SchemaColumn> columns;
  CsvFormat format;

  const SchemaColumn* find(std::string_view column) const {
    for (const SchemaColumn& one : columns)
      if (one.name == column) return &one;
    return nullptr;
  }
  // Null where no column has this role.
  const SchemaColumn* of_role(ColumnRole role) const {
    for (const SchemaColumn& one : columns)
      if (one.role == role) return &one;
    return nullptr;
  }
};

}  // namespace driftless
